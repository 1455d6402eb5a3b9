import SCIMCore
import Testing

/// Operations on `schemas`, which follows from the attributes.
@Suite("PATCH of schemas")
struct SchemasOperationTests {
  private static let before = #"{"userName": "u", "@ent": {"department": "D"}}"#
  private static let same = #"[{"op": "replace", "path": "schemas", "value": ["@ent", "CORE:User"]}]"#
  private static let fewer = #"[{"op": "replace", "path": "schemas", "value": ["CORE:User"]}]"#
  private static let other = #"[{"op": "replace", "value": {"schemas": ["CORE:User"], "title": "x"}}]"#
  private static let adding = #"[{"op": "add", "path": "schemas", "value": ["@ent"]}]"#
  private static let following =
    #"[{"op": "add", "path": "schemas", "value": "@ent"}, {"op": "add", "path": "@ent:department", "value": "D"}]"#

  @Test("may say what is so in the end", arguments: Profile.allCases)
  func same(profile: Profile) throws {
    #expect(try PatchFixture.failure(Self.before, Self.same, profile: profile) == nil)
    #expect(try PatchFixture.failure(Self.before, Self.adding, profile: profile) == nil)
    #expect(try PatchFixture.failure(#"{"userName": "u"}"#, Self.following, profile: profile) == nil)
  }

  @Test("may not say otherwise")
  func otherwise() throws {
    for profile in Profile.allCases {
      #expect(try PatchFixture.failure(Self.before, Self.fewer, profile: profile) == .mutability)
    }
    #expect(try PatchFixture.failure(Self.before, Self.other, profile: .strict) == .mutability)
    #expect(try PatchFixture.failure(#"{"userName": "u"}"#, Self.adding, profile: .strict) == .mutability)
  }

  @Test("leniently is passed over without a path, and where it adds")
  func passedOver() throws {
    #expect(try PatchFixture.patch(Self.before, Self.other).document["title"] == "x")
    #expect(try !PatchFixture.patch(#"{"userName": "u"}"#, Self.adding).isDocumentChanged)
  }

  @Test("strict: what the server sets inside a value is refused as its path is")
  func readOnlyParts() throws {
    let part = #"[{"op": "replace", "path": "@ent:manager", "value": {"value": "m", "displayName": "Boss"}}]"#
    #expect(try PatchFixture.failure(Self.before, part, profile: .strict) == .mutability)
    #expect(try PatchFixture.failure(Self.before, part) == nil)
  }

  @Test("a whole extension may repeat schemas inside its value", arguments: Profile.allCases)
  func inside(profile: Profile) throws {
    let whole = #"[{"op": "replace", "path": "@ent", "value": {"schemas": ["@ent"], "department": "E"}}]"#
    #expect(
      try PatchFixture.patch(Self.before, whole, profile: profile).document[PatchFixture.enterprise]?["department"]
        == "E")
  }
}
