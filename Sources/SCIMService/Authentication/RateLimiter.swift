import SCIMCore
import Synchronization

/// How many requests a second each organisation may send, so that one cannot use up what all share.
///
/// A token bucket for each organisation: it holds up to two seconds' worth and fills evenly. At least
/// `RateLimiter.leastRate` requests a second are always allowed, since identity providers ask for that much.
final class RateLimiter: Sendable {
  static let leastRate = 25

  private struct Bucket {
    var tokens: Double
    var filled: Int64
  }

  private let rate: Double
  private let buckets = Mutex<[OrganizationID: Bucket]>([:])

  /// A limiter at that many requests a second; fewer than `leastRate` are taken as that.
  init(requestsPerSecond: Int) {
    rate = Double(max(requestsPerSecond, Self.leastRate))
  }

  /// Takes one request of the organisation into account.
  ///
  /// - Throws: `tooManyRequests` where it has none left now.
  func take(_ organization: OrganizationID, at now: Timestamp) throws(SCIMError) {
    let isAllowed = buckets.withLock { buckets in
      var bucket = buckets[organization] ?? Bucket(tokens: 2 * rate, filled: now.milliseconds)
      let elapsed = max(0, now.milliseconds - bucket.filled)
      bucket.tokens = min(2 * rate, bucket.tokens + Double(elapsed) * rate / 1000)
      bucket.filled = max(bucket.filled, now.milliseconds)
      let isAllowed = bucket.tokens >= 1
      if isAllowed { bucket.tokens -= 1 }
      buckets[organization] = bucket
      return isAllowed
    }
    guard isAllowed else {
      throw SCIMError(.tooManyRequests, "This organisation sends more than \(Int(rate)) requests a second.")
    }
  }
}
