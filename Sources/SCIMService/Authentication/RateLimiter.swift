import SCIMCore
import Synchronization

/// How many requests a second each organisation may send, so that one cannot use up what all share.
///
/// A token bucket for each organisation: it holds up to two seconds' worth and fills evenly. At least
/// `RateLimiter.leastRate` requests a second are always allowed, since identity providers ask for that much.
final class RateLimiter: Sendable {
  static let leastRate = 25
  /// From this many buckets on, those that are full again are dropped: a new one would be the same.
  static let manyBuckets = 1024

  private struct Bucket {
    var tokens: Double
    var filled: Int64
  }

  private struct State {
    var buckets: [OrganizationID: Bucket] = [:]
    var sweepAt = RateLimiter.manyBuckets
  }

  private let rate: Double
  private let state = Mutex(State())

  /// How many buckets are kept.
  var count: Int { state.withLock { $0.buckets.count } }

  /// A limiter at that many requests a second; fewer than `leastRate` are taken as that.
  init(requestsPerSecond: Int) {
    rate = Double(max(requestsPerSecond, Self.leastRate))
  }

  /// Takes one request of the organisation into account.
  ///
  /// - Throws: `tooManyRequests` where it has none left now.
  func take(_ organization: OrganizationID, at now: Timestamp) throws(SCIMError) {
    try require(1, of: organization, at: now)
  }

  /// Throws what `take` would throw, and takes nothing.
  func check(_ organization: OrganizationID, at now: Timestamp) throws(SCIMError) {
    try require(0, of: organization, at: now)
  }

  private func require(_ taken: Double, of organization: OrganizationID, at now: Timestamp) throws(SCIMError) {
    let isAllowed = state.withLock { state in
      if state.buckets.count >= state.sweepAt { sweep(&state, at: now) }
      var bucket = state.buckets[organization] ?? Bucket(tokens: 2 * rate, filled: now.milliseconds)
      let elapsed = max(0, now.milliseconds - bucket.filled)
      bucket.tokens = min(2 * rate, bucket.tokens + Double(elapsed) * rate / 1000)
      bucket.filled = max(bucket.filled, now.milliseconds)
      let isAllowed = bucket.tokens >= 1
      if isAllowed { bucket.tokens -= taken }
      state.buckets[organization] = bucket
      return isAllowed
    }
    guard isAllowed else {
      throw SCIMError(.tooManyRequests, "This organisation sends more than \(Int(rate)) requests a second.")
    }
  }

  /// Drops what is full again. What is left has asked within two seconds; the next sweep comes when it has doubled.
  private func sweep(_ state: inout State, at now: Timestamp) {
    state.buckets = state.buckets.filter { _, bucket in
      bucket.tokens + Double(max(0, now.milliseconds - bucket.filled)) * rate / 1000 < 2 * rate
    }
    state.sweepAt = max(Self.manyBuckets, 2 * state.buckets.count)
  }
}
