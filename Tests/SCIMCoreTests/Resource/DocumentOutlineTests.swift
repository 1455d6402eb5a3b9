import Foundation
import Testing

@testable import SCIMCore

/// What is told of a stored document without reading it as JSON agrees with what reading it tells.
@Suite("Outlines of stored documents")
struct DocumentOutlineTests {
  private func outline(_ text: String, _ names: [String]) -> DocumentOutline {
    DocumentOutline(Array(text.utf8), OutlineNames(names))
  }

  @Test("A member is found wherever it stands; text, and names that are longer, are not taken for it")
  func members() {
    let urn = "urn:x:User"
    for (text, expected) in [
      (#"{"roles":1}"#, true), (#"{"a":{"roles":[]}}"#, true), (#"{"a":"x","roles":"y"}"#, true), (#"{}"#, false),
      (#"{"a":"roles"}"#, false), (#"{"a":"\"roles\":1"}"#, false), (#"{"aroles":1}"#, false),
      (#"{"rolesa":1}"#, false), (#"{"schemas":["roles"],"a":1}"#, false), ("", false), (":", false), (#"":"#, false),
    ] {
      #expect(outline(text, ["x", "roles", urn]).mayHave("roles") == expected, "\(text)")
    }
    #expect(outline(#"{"schemas":["urn:x:User"],"urn:x:User":{}}"#, [urn]).colon(behind: urn) == 38)
    #expect(outline(#"{"schemas":["urn:x:User"]}"#, [urn]).colon(behind: urn) == nil)
  }

  @Test("Names beyond those that are looked for may be anywhere")
  func beyond() {
    let names = (0...OutlineNames.maximum).map { "name\($0)" }
    let found = outline("{}", names)
    #expect(!found.mayHave("name0") && !found.mayHave("name\(OutlineNames.maximum - 1)"))
    #expect(found.mayHave("name\(OutlineNames.maximum)") && found.colon(behind: "name8") == nil)
  }

  @Test("A reference is found as JSON has it", arguments: 0..<400 as Range<UInt64>)
  func references(seed: UInt64) throws {
    var random = ResourceRandom(seed: seed)
    let attribute = try #require(
      AttributeDefinition.manager.flatMap { ReferenceAttribute($0, of: Fixture.enterpriseURN) })
    var document = random.user()
    let value: JSON =
      switch seed % 8 {
      case 0: ["value": "a\"b"]
      case 1: ["value": "7", "$ref": "../x"]
      case 2: ["value": ""]
      case 3: [:]
      default: ["value": .string("id\(seed)")]
      }
    // Other members around it, and one of that name elsewhere.
    var work = JSONObject()
    work["employeeNumber"] = seed % 3 == 0 ? "a\\\"}" : "7"
    if seed % 5 == 0 { work["division"] = ["x": ["{"]] }
    if seed % 7 != 0 { work["manager"] = value }
    if seed % 2 == 0 { work["organization"] = "},{" }
    document["manager"] = ["value": "wrong"]
    document[Fixture.enterpriseURN] = seed % 11 == 0 ? nil : .object(work)
    document["urn:other:User"] = ["manager": ["value": "wrong"]]
    let bytes = JSON.object(document).encoded()
    let found = StoredReference.find(
      attribute, in: bytes, DocumentOutline(bytes, OutlineNames([Fixture.enterpriseURN])))
    let expected = document[Fixture.enterpriseURN]?.objectValue?["manager"]
    #expect((found == nil) == (expected == nil))
    guard let found, let expected else { return }
    #expect(try JSON(parsing: Array(bytes[found.range])) == expected)
    #expect(found.value.id == expected["value"]?.stringValue)
  }
}

extension AttributeDefinition {
  /// The manager of the enterprise extension.
  fileprivate static var manager: AttributeDefinition? {
    BuiltInSchemas.registry.schema(id: Fixture.enterpriseURN)?.attribute(named: "manager")
  }
}
