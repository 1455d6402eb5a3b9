import SCIMCore
import Testing

@testable import SCIMService

@Suite("Rate limiter")
struct RateLimiterTests {
  private let first = OrganizationID(rawValue: 1)
  private let second = OrganizationID(rawValue: 2)

  private func allowed(_ limiter: RateLimiter, _ count: Int, of organization: OrganizationID, at now: Int64) -> Int {
    (0..<count).reduce(0) { sum, _ in
      do throws(SCIMError) {
        try limiter.take(organization, at: Timestamp(milliseconds: now))
        return sum + 1
      } catch {
        return sum
      }
    }
  }

  @Test("two seconds' worth at once, then what has come in since, and other organisations apart")
  func bucket() {
    let limiter = RateLimiter(requestsPerSecond: 100)
    #expect(allowed(limiter, 500, of: first, at: 1_000) == 200)
    #expect(allowed(limiter, 5, of: second, at: 1_000) == 5)
    #expect(allowed(limiter, 500, of: first, at: 1_500) == 50)
    #expect(allowed(limiter, 500, of: first, at: 60_000) == 200)
  }

  @Test("a clock that goes back gives nothing")
  func clock() {
    let limiter = RateLimiter(requestsPerSecond: 100)
    #expect(allowed(limiter, 500, of: first, at: 10_000) == 200)
    #expect(allowed(limiter, 500, of: first, at: 1_000) == 0)
    #expect(allowed(limiter, 500, of: first, at: 10_100) == 10)
  }

  @Test("a look takes nothing, and throws where there is nothing to take")
  func look() throws {
    let limiter = RateLimiter(requestsPerSecond: 100)
    for _ in 0..<1000 { try limiter.check(first, at: Timestamp(milliseconds: 1_000)) }
    #expect(allowed(limiter, 500, of: first, at: 1_000) == 200)
    #expect(throws: SCIMError.self) { try limiter.check(first, at: Timestamp(milliseconds: 1_000)) }
  }

  @Test("organisations that ask no more are forgotten, those that ask are not")
  func forgetting() {
    let limiter = RateLimiter(requestsPerSecond: 100)
    #expect(allowed(limiter, 500, of: first, at: 10_000) == 200)
    for number in 0..<100_000 {
      _ = allowed(limiter, 1, of: OrganizationID(rawValue: Int64(100 + number)), at: 10_000 + Int64(number))
      _ = allowed(limiter, 1, of: first, at: 10_000 + Int64(number))
    }
    #expect(limiter.count <= 2 * RateLimiter.manyBuckets)
    #expect(allowed(limiter, 500, of: first, at: 110_000) < 200)
  }

  @Test("25 requests a second are always allowed")
  func least() {
    let limiter = RateLimiter(requestsPerSecond: 1)
    #expect(allowed(limiter, 100, of: first, at: 1_000) == 50)
    #expect(allowed(limiter, 100, of: first, at: 2_000) == 25)
  }
}
