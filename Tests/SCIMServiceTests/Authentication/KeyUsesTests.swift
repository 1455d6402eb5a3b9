import SCIMCore
import Testing

@testable import SCIMService

@Suite("Uses of keys")
struct KeyUsesTests {
  private func key(_ id: String, lastUsed: Int64? = nil) -> APIKey {
    APIKey(
      id: id, organization: OrganizationID(rawValue: 1), label: id, role: .reader, profile: .interop,
      created: Timestamp(milliseconds: 0), lastUsed: lastUsed.map { Timestamp(milliseconds: $0) })
  }

  private func note(_ uses: KeyUses, _ key: APIKey, _ now: Int64) -> [String] {
    uses.note(key, at: Timestamp(milliseconds: now)).map { "\($0.key.id) \($0.at.milliseconds)" }
  }

  @Test("The first use at once, then each key once a minute, and all of them in one write")
  func once() {
    let uses = KeyUses()
    #expect(note(uses, key("a"), 1_000_000) == ["a 1000000"])
    for second in 1..<60 {
      #expect(note(uses, key("a"), 1_000_000 + Int64(second) * 1000) == [])
      #expect(note(uses, key("b"), 1_000_000 + Int64(second) * 1000) == [])
    }
    #expect(note(uses, key("a"), 1_060_000) == ["a 1060000", "b 1001000"])
  }

  @Test("While nobody asks, the rest is recorded")
  func rest() {
    let uses = KeyUses()
    #expect(note(uses, key("a"), 1_000_000) == ["a 1000000"])
    #expect(note(uses, key("b"), 1_000_001) == [])
    #expect(uses.rest(at: Timestamp(milliseconds: 1_000_002)).map(\.key.id) == ["b"])
    #expect(uses.rest(at: Timestamp(milliseconds: 1_000_003)).isEmpty)
  }

  @Test("What the store has from within the minute, by whichever process, is not recorded again")
  func known() {
    let uses = KeyUses()
    #expect(note(uses, key("a", lastUsed: 990_000), 1_000_000) == [])
    #expect(note(uses, key("a", lastUsed: 940_000), 1_000_000) == ["a 1000000"])
  }

  @Test("Keys without number take no memory without bound")
  func bound() {
    let uses = KeyUses()
    for number in 0..<20_000 { _ = note(uses, key("k\(number)"), 1_000_000) }
    #expect(uses.count <= 4096 * 2)
  }
}
