import SCIMCore
import Testing

/// A filter behind an attribute with one value, as Azure AD was seen to send it: it fits, or nothing changes.
@Suite("Filter behind one value")
struct SingleValueFilterTests {
  private static let before =
    #"{"userName": "u", "name": {"familyName": "Berg", "givenName": "Ada"}, "@ent": {"manager": {"value": "b"}, "department": "D"}}"#

  @Test(
    "changes the value that it fits",
    arguments: [
      (
        #"[{"op": "remove", "path": "manager[value eq \"b\"]"}]"#,
        #"{"userName": "u", "name": {"familyName": "Berg", "givenName": "Ada"}, "@ent": {"department": "D"}}"#
      ),
      (
        #"[{"op": "replace", "path": "name[givenName sw \"a\"].familyName", "value": "Ulm"}]"#,
        #"{"userName": "u", "name": {"familyName": "Ulm", "givenName": "Ada"}, "@ent": {"manager": {"value": "b"}, "department": "D"}}"#
      ),
      (
        #"[{"op": "replace", "path": "@ent:manager[value eq \"b\"]", "value": {"value": "c"}}]"#,
        #"{"userName": "u", "name": {"familyName": "Berg", "givenName": "Ada"}, "@ent": {"manager": {"value": "c"}, "department": "D"}}"#
      ),
    ])
  func fits(operations: String, after: String) throws {
    let outcome = try PatchFixture.patch(Self.before, operations)
    #expect(try outcome.document == PatchFixture.document(after))
    #expect(try PatchFixture.failure(Self.before, operations, profile: .strict) == .invalidPath)
  }

  @Test(
    "changes nothing else",
    arguments: [
      #"[{"op": "remove", "path": "manager[value eq \"c\"]"}]"#,
      #"[{"op": "replace", "path": "manager[value eq \"c\"].value", "value": "d"}]"#,
      #"[{"op": "remove", "path": "manager[not (value pr)]"}]"#,
    ])
  func misses(operations: String) throws {
    #expect(try !PatchFixture.patch(Self.before, operations).isDocumentChanged)
    #expect(try !PatchFixture.patch(#"{"userName": "u"}"#, operations).isDocumentChanged)
  }

  @Test("is refused behind a value that has no parts")
  func simple() throws {
    let operations = #"[{"op": "remove", "path": "title[value eq \"x\"]"}]"#
    #expect(try PatchFixture.failure(Self.before, operations) == .invalidPath)
  }
}
