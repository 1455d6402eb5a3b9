import SCIMCore
import Synchronization

/// Which keys have been used, for all loops: each is recorded at most once a minute, and several in one commit, since last
/// use is for people, and each commit empties what is remembered of the store.
final class KeyUses: Sendable {
  /// Beyond this many keys of the last minute all are forgotten; at worst some are recorded once more.
  private static let maximum = 4096
  private static let minute: Int64 = 60_000

  private struct State {
    /// When the use of a key was last noted, by the key's id.
    var noted: [String: Int64] = [:]
    var pending: [String: (key: APIKey, at: Timestamp)] = [:]
    var taken = Int64.min / 2
  }

  private let state = Mutex(State())

  /// How many keys are known of, in the larger of the two lists.
  var count: Int { state.withLock { max($0.noted.count, $0.pending.count) } }

  /// Notes a use; gives what is to be recorded now, in one write: nothing, mostly.
  func note(_ key: APIKey, at now: Timestamp) -> [(key: APIKey, at: Timestamp)] {
    if let last = key.lastUsed, now.milliseconds - last.milliseconds < Self.minute { return [] }
    return state.withLock { state in
      if let noted = state.noted[key.id], now.milliseconds - noted < Self.minute { return [] }
      if state.noted.count >= Self.maximum { state.noted.removeAll() }
      state.noted[key.id] = now.milliseconds
      state.pending[key.id] = (key, now)
      guard now.milliseconds - state.taken >= Self.minute || state.pending.count >= Self.maximum else { return [] }
      return Self.take(&state, at: now)
    }
  }

  /// What has been noted and not recorded yet, to be recorded while nobody waits.
  func rest(at now: Timestamp) -> [(key: APIKey, at: Timestamp)] {
    state.withLock { state in state.pending.isEmpty ? [] : Self.take(&state, at: now) }
  }

  private static func take(_ state: inout State, at now: Timestamp) -> [(key: APIKey, at: Timestamp)] {
    state.taken = now.milliseconds
    let uses = state.pending.values.sorted { $0.key.id < $1.key.id }
    state.pending.removeAll()
    return uses
  }
}
