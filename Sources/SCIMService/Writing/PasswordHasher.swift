import Foundation
import SCIMCore
import Synchronization

/// Hashes passwords on threads of its own, since that takes long and much memory on purpose.
///
/// One password after the other is taken, of each organisation in turn, and of each of its requests in turn: a Bulk
/// request with a thousand holds up nobody's single one. The threads, which bound what memory hashing takes at a time,
/// live for as long as there is something to hash.
final class PasswordHasher: Sendable {
  typealias Completion = @Sendable (Result<[String: String], SCIMError>) -> Void

  /// A request whose passwords are being hashed.
  private struct Request {
    let organization: OrganizationID
    var waiting: [String]
    var unfinished: Int
    var hashes: [String: String] = [:]
    let completion: Completion
  }

  private struct State {
    var requests: [Int: Request] = [:]
    /// The numbers of requests with passwords that nobody has taken.
    var queue = FairQueue<Int>()
    /// How many passwords of an organisation nobody has taken.
    var passwords: [OrganizationID: Int] = [:]
    var lastNumber = 0
    var threads = 0

    mutating func count(_ change: Int, of organization: OrganizationID) {
      let left = passwords[organization, default: 0] + change
      passwords[organization] = left > 0 ? left : nil
    }
  }

  private let state = Mutex(State())
  private let hash: @Sendable (String) throws(SCIMError) -> String
  private let maximumThreads: Int
  private let maximumWaiting: Int
  private let maximumPasswords: Int

  /// - Parameters:
  ///   - threads: how many passwords are hashed at a time, at least 1.
  ///   - maximumWaiting: how many requests of one organisation may wait.
  ///   - maximumPasswords: how many passwords these may have together; one request is taken whatever it has.
  init(
    threads: Int, maximumWaiting: Int = 256, maximumPasswords: Int = 1000,
    hash: @escaping @Sendable (String) throws(SCIMError) -> String
  ) {
    maximumThreads = max(threads, 1)
    self.maximumWaiting = max(maximumWaiting, 1)
    self.maximumPasswords = maximumPasswords
    self.hash = hash
  }

  /// Hashes the passwords of one request of an organisation.
  ///
  /// - Parameter completion: called on a thread of the hasher, with the hash of each password or with what it was
  ///   refused with; where too many requests of the organisation wait, at once and with `tooManyRequests`.
  func hash(_ passwords: [String], for organization: OrganizationID, completion: @escaping Completion) {
    let distinct = Array(Set(passwords))
    let isTaken = state.withLock { state in
      let waiting = state.passwords[organization, default: 0]
      guard state.queue.count(of: organization) < maximumWaiting,
        waiting == 0 || waiting + distinct.count <= maximumPasswords
      else { return false }
      state.count(distinct.count, of: organization)
      state.lastNumber += 1
      state.requests[state.lastNumber] = Request(
        organization: organization, waiting: distinct, unfinished: distinct.count, completion: completion)
      state.queue.append(state.lastNumber, of: organization)
      if state.threads < maximumThreads {
        state.threads += 1
        startThread()
      }
      return true
    }
    if !isTaken { completion(.failure(.tooManyWaiting)) }
  }

  private func startThread() {
    let thread = Thread { [self] in
      while let (request, password) = take() {
        let result: Result<String, SCIMError>
        do throws(SCIMError) { result = .success(try hash(password)) } catch { result = .failure(error) }
        finish(request, password, result)
      }
    }
    thread.name = "password-hash"
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// The next password; where there is none the thread ends.
  private func take() -> (request: Int, password: String)? {
    state.withLock { state in
      while let (organization, number) = state.queue.takeFirst() {
        // One that has failed is gone, and its other passwords with it.
        guard let password = state.requests[number]?.waiting.popLast() else { continue }
        if let organization { state.count(-1, of: organization) }
        if state.requests[number]?.waiting.isEmpty == false { state.queue.append(number, of: organization) }
        return (number, password)
      }
      state.threads -= 1
      return nil
    }
  }

  private func finish(_ number: Int, _ password: String, _ result: Result<String, SCIMError>) {
    let done = state.withLock { state -> (Completion, Result<[String: String], SCIMError>)? in
      switch result {
      case .success(let hash):
        state.requests[number]?.hashes[password] = hash
        state.requests[number]?.unfinished -= 1
        guard state.requests[number]?.unfinished == 0 else { return nil }
        return state.requests.removeValue(forKey: number).map { ($0.completion, .success($0.hashes)) }
      case .failure(let error):
        guard let failed = state.requests.removeValue(forKey: number) else { return nil }
        state.count(-failed.waiting.count, of: failed.organization)
        return (failed.completion, .failure(error))
      }
    }
    if let (completion, outcome) = done { completion(outcome) }
  }
}
