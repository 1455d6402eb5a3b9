import SCIMCore
import Testing

@testable import roster

@Suite struct TenantGeneratorTests {
  static let generator = TenantGenerator(count: 300, seed: 7, domain: "big.example")

  @Test func theSameSeedGivesTheSameTenantAndAnotherSeedAnother() {
    let again = TenantGenerator(count: 300, seed: 7, domain: "big.example")
    let other = TenantGenerator(count: 300, seed: 8, domain: "big.example")
    #expect((0..<300).allSatisfy { Self.generator.user($0) == again.user($0) })
    #expect((0..<300).contains { Self.generator.user($0)["userName"] != other.user($0)["userName"] })
  }

  @Test func aUserDoesNotDependOnHowManyThereAre() {
    let larger = TenantGenerator(count: 100_000, seed: 7, domain: "big.example")
    #expect(Self.generator.user(11)["name"] == larger.user(11)["name"])
  }

  @Test func userNamesAreUniqueAddressesOfTheDomain() {
    let names = (0..<300).compactMap { Self.generator.user($0)["userName"]?.stringValue }
    #expect(Set(names).count == 300)
    for name in names {
      #expect(name.hasSuffix("@big.example"))
      #expect(name.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 })
    }
  }

  @Test func namesAreInManyScripts() {
    let letters = (0..<300).compactMap { Self.generator.user($0)["displayName"]?.stringValue }.joined().unicodeScalars
    let blocks: [(String, ClosedRange<UInt32>)] = [
      ("Latin with marks", 0xC0...0x24F), ("Greek", 0x370...0x3FF), ("Cyrillic", 0x400...0x4FF),
      ("Hebrew", 0x590...0x5FF), ("Arabic", 0x600...0x6FF), ("Devanagari", 0x900...0x97F), ("Thai", 0xE00...0xE7F),
      ("kana", 0x3040...0x30FF), ("Han", 0x4E00...0x9FFF), ("Hangul", 0xAC00...0xD7A3),
    ]
    for (name, block) in blocks {
      #expect(letters.contains { block.contains($0.value) }, "no \(name)")
    }
  }

  @Test func groupsNameUsersThatExist() {
    let users = Set((0..<300).map(Self.generator.userName))
    var names: Set<String> = []
    for index in 0..<Self.generator.groupCount {
      let group = Self.generator.group(index)
      let members = group["members"]?.arrayValue?.compactMap { $0["value"]?.stringValue } ?? []
      #expect(!members.isEmpty)
      #expect(Set(members).count == members.count)
      #expect(users.isSuperset(of: members))
      names.insert(group["displayName"]?.stringValue ?? "")
    }
    #expect(names.count == Self.generator.groupCount)
  }

  @Test func everyNameOfTheTablesHasALatinFormForAddresses() {
    for table in NameTable.all {
      for name in table.given + table.family {
        #expect(!name.latin.isEmpty && name.latin.utf8.allSatisfy { (0x61...0x7A).contains($0) }, "\(name.text)")
      }
    }
  }

  @Test(arguments: [1, 2, 13]) func smallTenantsWork(_ count: Int) {
    let generator = TenantGenerator(count: count, seed: 1, domain: "s.example")
    for index in 0..<generator.groupCount { #expect(generator.group(index)["members"]?.arrayValue?.isEmpty == false) }
  }
}
