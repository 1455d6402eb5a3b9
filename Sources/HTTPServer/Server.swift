import CSystem
import Glibc
import HTTPMessage
import Synchronization

/// An HTTP/1.1 server: loops on threads of their own, each with a responder of its own.
///
///     let server = Server(configuration) { index in try MyResponder(index) }
///     try server.start()
///     print("listening on port \(server.port)")
///     server.wait()
///
/// A server runs once: it cannot be started again after `stop`. All methods may be called from any thread.
public final class Server: Sendable {
  private struct State {
    var isStarted = false
    var port = 0
    var mailboxes: [Mailbox] = []
    var failure: (any Error)?
  }

  private let configuration: ServerConfiguration
  private let onFailure: @Sendable (any Error) -> Void
  private let makeResponder: @Sendable (Int) throws -> any Responder
  private let state = Mutex(State())
  private let ended: Latch

  /// A server that does not run yet. `makeResponder` is called on each loop's thread with the loop's number, from 0.
  ///
  /// - Parameter onFailure: called on a loop's thread that cannot go on; the others do, and the server should be stopped.
  public init(
    _ configuration: ServerConfiguration, onFailure: @escaping @Sendable (any Error) -> Void = { _ in },
    makeResponder: @escaping @Sendable (Int) throws -> any Responder
  ) {
    var configuration = configuration
    configuration.threads = max(configuration.threads, 1)
    self.configuration = configuration
    self.onFailure = onFailure
    self.makeResponder = makeResponder
    ended = Latch(configuration.threads)
  }

  /// Why the server could not start, or a loop could not go on; nil where all is well.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// The port that the server listens on; the configured one until it is started.
  public var port: Int { state.withLock { $0.isStarted ? $0.port : configuration.port } }

  /// Binds the port, starts the loops and returns once all of them serve.
  ///
  /// The process ignores SIGPIPE and SIGXFSZ from here on, and its soft limit of open files is raised to what the connections need.
  /// The loops' threads block all signals.
  ///
  /// - Throws: `ServerError` where the address cannot be had or the server was started before; what `makeResponder`
  ///   throws. Nothing listens then.
  public func start() throws {
    guard
      state.withLock({ state in
        defer { state.isStarted = true }
        return !state.isStarted
      })
    else { throw ServerError.started }

    csystem_ignore_write_signals()
    csystem_raise_file_limit(UInt64(configuration.maxConnections) + 256)
    let count = configuration.threads
    var sockets: [Int32] = []
    do {
      let opened = try Listener.open(host: configuration.host, port: configuration.port, count: count)
      sockets = opened.sockets
      state.withLock { $0.port = opened.port }
    } catch {
      for _ in 0..<count { ended.countDown() }
      throw error
    }
    let ledger = ClientLedger(
      maxTotal: configuration.maxConnections, maxPerClient: configuration.maxConnectionsPerClient)
    let bodies = ByteLedger(limit: configuration.maxBodyBytes)
    let unsent = configuration.unsent
    // What is worked on for a body is several times its bytes.
    let trimmer = MemoryTrimmer { unsent.released + 4 * bodies.released }
    let ready = Latch(count)
    for (index, socket) in sockets.enumerated() {
      let start = ThreadStart {
        self.run(index, listener: socket, ledger: ledger, bodies: bodies, trimmer: trimmer, ready: ready)
      }
      if !start.begin() {
        close(socket)
        note(ServerError.system(doing: "starting a thread", reason: String(cString: strerror(errno))))
        ready.countDown()
        ended.countDown()
      }
    }
    ready.wait()
    if let failure = state.withLock({ $0.failure }) {
      stop()
      throw failure
    }
  }

  /// Stops accepting, lets the requests under way finish, those with tickets too, and returns when that is done. Where
  /// the drain deadline passes before, those that are left are answered 503, as far as their clients take that at once.
  /// Calling it again only waits.
  ///
  /// - Parameter dropping: called on this thread when the deadline has passed: has those who hold tickets give up. What
  ///   they still answer until it returns is sent; after a second the others are answered 503 all the same.
  public func stop(dropping: () -> Void = {}) {
    guard state.withLock({ $0.isStarted }) else { return }
    let mailboxes = state.withLock { $0.mailboxes }
    for mailbox in mailboxes { mailbox.post(.stop) }
    if !ended.wait(milliseconds: configuration.drainDeadline) {
      dropping()
      for mailbox in mailboxes { mailbox.post(.drop) }
    }
    wait()
  }

  /// Returns once the server has stopped; at once if it was never started.
  public func wait() {
    guard state.withLock({ $0.isStarted }) else { return }
    ended.wait()
  }

  private func note(_ error: any Error) {
    state.withLock { if $0.failure == nil { $0.failure = error } }
  }

  /// One loop's thread.
  private func run(
    _ index: Int, listener: Int32, ledger: ClientLedger, bodies: ByteLedger, trimmer: MemoryTrimmer, ready: Latch
  ) {
    csystem_block_signals()
    defer { ended.countDown() }
    do {
      guard let mailbox = Mailbox() else {
        close(listener)
        throw ServerError.system(doing: "creating an event counter", reason: String(cString: strerror(errno)))
      }
      let responder: any Responder
      do {
        responder = try makeResponder(index)
      } catch {
        close(listener)
        throw error
      }
      let loop = try Loop(
        configuration, listener: listener, mailbox: mailbox, ledger: ledger, bodies: bodies, responder: responder)
      loop.trimmer = trimmer
      state.withLock { $0.mailboxes.append(mailbox) }
      ready.countDown()
      if let failure = loop.run() {
        note(failure)
        onFailure(failure)
      }
    } catch {
      note(error)
      ready.countDown()
    }
  }
}

/// A thread's first function.
final class ThreadStart {
  /// Enough for what a loop does; the system's own, 8 MiB, would be taken from the address space for each.
  private static let stackSize = 2 << 20
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Starts the thread, which nobody joins; false where the system has none.
  func begin() -> Bool {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(self)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    defer { pthread_attr_destroy(&attributes) }
    let code = pthread_create(&thread, &attributes, runThread, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      errno = code
      return false
    }
    pthread_detach(thread)
    return true
  }

  fileprivate func run() { body() }
}

/// A free function, since a closure would inherit the isolation of where it is written.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
