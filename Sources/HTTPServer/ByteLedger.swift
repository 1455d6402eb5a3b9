import Synchronization

/// How many bytes of one kind are held, in all and for each account, and whether more may be.
///
/// A limit that shares itself out: an account is full once it holds half of what is left, so that one that takes all it
/// can has a third, two have a quarter each, and whoever comes next always finds room. Safe from any thread.
public final class ByteLedger: Sendable {
  private struct State {
    var total = 0
    var accounts: [Int64: Int] = [:]
    /// Somebody was told that it is full, and waits.
    var hasRefused = false
    var relief: (@Sendable () -> Void)?
    var released = 0
  }

  /// The most bytes in all; what is held already can go beyond it by one piece for each thread.
  public let limit: Int
  private let state = Mutex(State())
  /// The total again, for a look without the lock.
  private let quick = Atomic(0)

  /// A ledger that holds nothing yet.
  public init(limit: Int) { self.limit = max(limit, 1) }

  /// How many bytes are held.
  public var total: Int { quick.load(ordering: .relaxed) }

  /// How many bytes have ever been let go of.
  public var released: Int { state.withLock { $0.released } }

  /// Called, from whichever thread lets go of bytes, after somebody had been told that it is full.
  public func onRelief(_ relief: @escaping @Sendable () -> Void) {
    state.withLock { $0.relief = relief }
  }

  /// True where an account, nil for none in particular, is to have no more for now.
  public func isFull(for account: Int64?) -> Bool {
    // Below a third of the limit nobody can hold half of what is left.
    guard total >= limit / 3 else { return false }
    return state.withLock { state in
      let isFull: Bool
      if state.total >= limit {
        isFull = true
      } else if let account {
        isFull = 2 * state.accounts[account, default: 0] >= limit - state.total
      } else {
        isFull = false
      }
      // Under the lock: bytes let go of from here on tell those who were refused.
      if isFull { state.hasRefused = true }
      return isFull
    }
  }

  /// Counts bytes until the hold is let go of.
  func hold(_ bytes: Int, for account: Int64?) -> Hold {
    let hold = Hold(ledger: self, account: account)
    hold.resize(to: bytes)
    return hold
  }

  /// Bytes that count as long as somebody has this; for one thread at a time.
  ///
  /// `bytes` is atomic only to be handed from thread to thread.
  final class Hold: Sendable {
    private let ledger: ByteLedger
    private let account: Int64?
    private let bytes = Atomic(0)

    fileprivate init(ledger: ByteLedger, account: Int64?) {
      self.ledger = ledger
      self.account = account
    }

    deinit { resize(to: 0) }

    /// Counts that many bytes from now on.
    func resize(to count: Int) {
      let change = count - bytes.exchange(count, ordering: .relaxed)
      if change != 0 { ledger.add(change, to: account) }
    }
  }

  private func add(_ change: Int, to account: Int64?) {
    let relief: (@Sendable () -> Void)? = state.withLock { state in
      state.total += change
      quick.store(state.total, ordering: .relaxed)
      if let account {
        let own = state.accounts[account, default: 0] + change
        state.accounts[account] = own > 0 ? own : nil
      }
      guard change < 0 else { return nil }
      state.released -= change
      guard state.hasRefused else { return nil }
      state.hasRefused = false
      return state.relief
    }
    relief?()
  }
}
