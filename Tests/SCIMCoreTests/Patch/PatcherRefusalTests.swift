import SCIMCore
import Testing

@Suite("PATCH refusals")
struct PatcherRefusalTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let operations: String
    /// By the lenient profiles; nil where they take it.
    let interop: SCIMError.Kind?
    let strict: SCIMError.Kind?

    init(_ name: String, _ operations: String, _ kind: SCIMError.Kind) {
      self.init(name, operations, interop: kind, strict: kind)
    }

    init(_ name: String, _ operations: String, interop: SCIMError.Kind?, strict: SCIMError.Kind?) {
      self.name = name
      self.operations = operations
      self.interop = interop
      self.strict = strict
    }

    var testDescription: String { name }
  }

  static let resource =
    #"{"userName": "u", "title": "x", "emails": [{"value": "o@x", "type": "other"}], "@ent": {"department": "Lab"}}"#

  static let rows: [Row] = [
    Row("remove without path", #"[{"op": "remove"}]"#, .noTarget),
    Row("remove without path, with a value", #"[{"op": "remove", "value": {"title": "x"}}]"#, .noTarget),
    Row("a required attribute", #"[{"op": "remove", "path": "userName"}]"#, .mutability),
    Row("a required attribute set to null", #"[{"op": "replace", "path": "userName", "value": null}]"#, .invalidValue),
    Row("a required attribute emptied", #"[{"op": "replace", "path": "userName", "value": ""}]"#, .invalidValue),
    Row("another id", #"[{"op": "replace", "value": {"id": "u2", "title": "y"}}]"#, .mutability),
    Row("another id by path", #"[{"op": "replace", "path": "id", "value": "u2"}]"#, .mutability),
    Row("no id", #"[{"op": "replace", "path": "id", "value": null}]"#, .mutability),
    Row("removing the id", #"[{"op": "remove", "path": "id"}]"#, .mutability),
    Row("removing a part of meta", #"[{"op": "remove", "path": "meta.created"}]"#, .mutability),
    Row("another part of meta", #"[{"op": "replace", "path": "meta.resourceType", "value": "Group"}]"#, .mutability),
    Row("another meta", #"[{"op": "replace", "value": {"meta": {"version": "W/\"4\""}}}]"#, .mutability),
    Row("joining a group at the user", #"[{"op": "add", "path": "groups", "value": [{"value": "g2"}]}]"#, .mutability),
    Row("leaving the groups at the user", #"[{"op": "replace", "path": "groups", "value": []}]"#, .mutability),
    Row("a group by filter", #"[{"op": "remove", "path": "groups[value eq \"g1\"]"}]"#, .mutability),
    Row(
      "a readOnly sub-attribute", #"[{"op": "replace", "path": "@ent:manager.displayName", "value": "Boss"}]"#,
      .mutability),
    Row("removing schemas", #"[{"op": "remove", "path": "schemas"}]"#, .mutability),
    Row("schemas that are no list", #"[{"op": "replace", "path": "schemas", "value": 1}]"#, .invalidValue),
    Row(
      "an unknown schema", #"[{"op": "add", "path": "schemas", "value": ["urn:x"]}]"#, interop: nil,
      strict: .invalidValue),
    Row("replace without value", #"[{"op": "replace", "path": "title"}]"#, .invalidValue),
    Row("add without value", #"[{"op": "add", "path": "title"}]"#, .invalidValue),
    Row("no path and no object", #"[{"op": "replace", "value": "Lead"}]"#, .invalidValue),
    Row("no path and null", #"[{"op": "replace", "value": null}]"#, .invalidValue),
    Row("an extension that is no object", #"[{"op": "replace", "value": {"@ent": "Ops"}}]"#, .invalidValue),
    Row("a word for a boolean", #"[{"op": "replace", "path": "active", "value": "maybe"}]"#, .invalidValue),
    Row(
      "a text boolean", #"[{"op": "replace", "path": "active", "value": "true"}]"#, interop: nil, strict: .invalidValue),
    Row("a text for a structure", #"[{"op": "replace", "path": "name", "value": "Ada Berg"}]"#, .invalidValue),
    Row("two values for one", #"[{"op": "replace", "path": "title", "value": ["a", "b"]}]"#, .invalidValue),
    Row(
      "one object for a list", #"[{"op": "replace", "path": "emails", "value": {"value": "x"}}]"#, interop: nil,
      strict: .invalidValue),
    Row(
      "one object to add to a list", #"[{"op": "add", "path": "emails", "value": {"value": "x"}}]"#, interop: nil,
      strict: nil),
    Row(
      "two elements for a chosen one",
      #"[{"op": "replace", "path": "emails[type eq \"other\"]", "value": [{"value": "a"}, {"value": "b"}]}]"#,
      .invalidValue),
    Row(
      "a value beside remove", #"[{"op": "remove", "path": "emails", "value": [{"value": "o@x"}]}]"#, interop: nil,
      strict: .invalidValue),
    Row("an unknown attribute", #"[{"op": "replace", "path": "noSuchAttribute", "value": "x"}]"#, .invalidPath),
    Row("an unknown attribute to remove", #"[{"op": "remove", "path": "noSuchAttribute"}]"#, .invalidPath),
    Row("an unknown sub-attribute", #"[{"op": "replace", "path": "name.noSuchPart", "value": "x"}]"#, .invalidPath),
    Row("a part of a simple attribute", #"[{"op": "replace", "path": "title.part", "value": "x"}]"#, .invalidPath),
    Row(
      "an unknown extension", #"[{"op": "replace", "path": "urn:acme:none:1.0:User:badge", "value": "7"}]"#,
      .invalidPath),
    Row("two dots", #"[{"op": "replace", "path": "name..givenName", "value": "x"}]"#, .invalidPath),
    Row("a dot in front", #"[{"op": "replace", "path": ".title", "value": "x"}]"#, .invalidPath),
    Row(
      "no dot behind a filter", #"[{"op": "replace", "path": "emails[type eq \"other\"]value", "value": "x"}]"#,
      .invalidPath),
    Row(
      "an extension attribute without URN", #"[{"op": "replace", "path": "department", "value": "x"}]"#, interop: nil,
      strict: .invalidPath),
    Row(
      "an unknown operator", #"[{"op": "replace", "path": "emails[type zz \"work\"].value", "value": "x"}]"#,
      .invalidFilter),
    Row(
      "an unknown attribute in a filter", #"[{"op": "remove", "path": "emails[noSuchPart eq \"x\"]"}]"#, .invalidFilter),
    Row("half a filter", #"[{"op": "remove", "path": "emails[type eq]"}]"#, .invalidFilter),
    Row("an unknown name", #"[{"op": "replace", "value": {"shoeSize": 44}}]"#, interop: nil, strict: .invalidSyntax),
    Row(
      "an unknown name in an extension", #"[{"op": "replace", "value": {"@ent": {"shoeSize": 44}}}]"#, interop: nil,
      strict: .invalidSyntax),
    Row(
      "no element for an or-filter",
      #"[{"op": "replace", "path": "emails[type eq \"work\" or type eq \"home\"].value", "value": "x"}]"#, .noTarget),
    Row(
      "no element for sw", #"[{"op": "replace", "path": "emails[value sw \"zz\"].display", "value": "x"}]"#, .noTarget),
    Row(
      "no element for not", #"[{"op": "add", "path": "emails[not (type eq \"other\")].display", "value": "x"}]"#,
      .noTarget),
    Row("no element for pr", #"[{"op": "add", "path": "emails[display pr].value", "value": "x"}]"#, .noTarget),
    Row(
      "no element for a contradiction",
      #"[{"op": "add", "path": "emails[type eq \"a\" and type eq \"b\"].value", "value": "x"}]"#, .noTarget),
    Row(
      "no element that its own filter misses",
      #"[{"op": "replace", "path": "emails[value eq \"old\"].value", "value": "new"}]"#, .noTarget),
    Row(
      "no element for a whole one",
      #"[{"op": "replace", "path": "emails[type eq \"work\"]", "value": {"value": "x", "type": "work"}}]"#, .noTarget),
    Row(
      "no element for an added whole one",
      #"[{"op": "add", "path": "emails[type eq \"work\"]", "value": {"value": "x", "type": "work"}}]"#, .noTarget),
    Row(
      "no element for replace", #"[{"op": "replace", "path": "emails[type eq \"work\"].value", "value": "x"}]"#,
      interop: nil, strict: .noTarget),
  ]

  @Test("name what is wrong", arguments: rows)
  func refused(row: Row) throws {
    #expect(try PatchFixture.failure(Self.resource, row.operations) == row.interop)
    #expect(try PatchFixture.failure(Self.resource, row.operations, profile: .strict) == row.strict)
    // A good operation before it does not save it.
    let longer = row.operations.replacing(/^\[/, with: #"[{"op": "replace", "path": "nickName", "value": "y"}, "#)
    #expect(try PatchFixture.failure(Self.resource, longer) == row.interop)
  }

  static let gadgets: [(String, String, SCIMError.Kind?)] = [
    (
      "an immutable attribute that is unset",
      #"[{"op": "add", "path": "count", "value": 3}, {"op": "remove", "path": "count"}]"#, nil
    ),
    ("an immutable attribute repeated", #"[{"op": "replace", "path": "serial", "value": "S"}]"#, nil),
    ("an immutable attribute changed", #"[{"op": "replace", "path": "serial", "value": "s"}]"#, .mutability),
    ("an immutable attribute removed", #"[{"op": "remove", "path": "serial"}]"#, .mutability),
    (
      "an immutable sub-attribute changed", #"[{"op": "replace", "path": "box", "value": {"colour": "blue"}}]"#,
      .mutability
    ),
    ("an immutable sub-attribute removed", #"[{"op": "remove", "path": "box.colour"}]"#, .mutability),
    ("an immutable sub-attribute repeated", #"[{"op": "add", "path": "box.colour", "value": "red"}]"#, nil),
    (
      "an immutable sub-attribute of an element set",
      #"[{"op": "add", "path": "parts[value eq \"a\"].maker", "value": "M"}]"#, nil
    ),
    (
      "an immutable sub-attribute of an element changed",
      #"[{"op": "add", "path": "parts[value eq \"b\"].maker", "value": "M"}]"#, .mutability
    ),
    ("a required sub-attribute removed", #"[{"op": "remove", "path": "parts[value eq \"a\"].value"}]"#, .mutability),
    (
      "a required sub-attribute set to null",
      #"[{"op": "replace", "path": "parts[value eq \"a\"].value", "value": null}]"#, .invalidValue
    ),
    ("a required extension removed", #"[{"op": "remove", "path": "urn:example:Warranty"}]"#, .mutability),
    ("text for an integer", #"[{"op": "replace", "path": "count", "value": "seven"}]"#, .invalidValue),
  ]

  @Test("follow the characteristics of a schema of one's own", arguments: gadgets)
  func gadget(name: String, operations: String, kind: SCIMError.Kind?) throws {
    let gadget =
      #"{"serial": "S", "parts": [{"value": "a"}, {"value": "b", "maker": "N"}], "box": {"colour": "red"}, "urn:example:Warranty": {"years": 2}}"#
    #expect(try PatchFixture.failure(gadget, operations, type: PatchFixture.gadget) == kind)
  }

  @Test(
    "and what such a schema allows",
    arguments: [
      (
        "an immutable attribute set once", "{}", #"[{"op": "add", "path": "serial", "value": "S"}]"#,
        #"{"serial": "S"}"#
      ),
      (
        "a simple list", #"{"tags": ["a"]}"#, #"[{"op": "add", "path": "tags", "value": ["b", "A"]}]"#,
        #"{"tags": ["a", "b"]}"#
      ),
      (
        "a simple list by filter", #"{"tags": ["a", "b"]}"#, #"[{"op": "remove", "path": "tags[value eq \"a\"]"}]"#,
        #"{"tags": ["b"]}"#
      ),
      (
        "a simple list by value", #"{"tags": ["a", "b"]}"#, #"[{"op": "remove", "path": "tags", "value": ["a"]}]"#,
        #"{"tags": ["b"]}"#
      ),
      (
        "an element of a simple list", #"{"tags": ["a", "b"]}"#,
        #"[{"op": "replace", "path": "tags[value eq \"a\"]", "value": "c"}]"#, #"{"tags": ["c", "b"]}"#
      ),
      (
        "a list inside", #"{"box": {"marks": ["x"]}}"#,
        #"[{"op": "add", "path": "box", "value": {"marks": ["x", "y"]}}]"#, #"{"box": {"marks": ["x", "y"]}}"#
      ),
      (
        "a list inside replaced", #"{"box": {"marks": ["x"]}}"#,
        #"[{"op": "replace", "path": "box.marks", "value": ["y"]}]"#, #"{"box": {"marks": ["y"]}}"#
      ),
      ("a number as text", "{}", #"[{"op": "add", "path": "count", "value": "7"}]"#, #"{"count": 7}"#),
    ])
  func allowed(name: String, before: String, operations: String, after: String) throws {
    let outcome = try PatchFixture.patch(before, operations, type: PatchFixture.gadget)
    #expect(try outcome.document == PatchFixture.document(after, type: PatchFixture.gadget))
  }

  @Test("asks for the rendered resource once, and only where it is needed")
  func rendered() throws {
    var asked = 0
    func patch(_ operations: String) throws {
      _ = try Patcher.apply(
        PatchFixture.operations(operations), to: JSONObject(), type: PatchFixture.user, profile: .interop, id: "u1"
      ) { () throws(SCIMError) in
        asked += 1
        return JSONObject([.init(key: "meta", value: ["resourceType": "User"])])
      }
    }
    try patch(#"[{"op": "replace", "value": {"id": "u1", "title": "x"}}]"#)
    #expect(asked == 0)
    let meta = #"{"op": "replace", "value": {"meta": {"resourceType": "User"}}}"#
    try patch("[\(meta), \(meta)]")
    #expect(asked == 1)
  }
}
