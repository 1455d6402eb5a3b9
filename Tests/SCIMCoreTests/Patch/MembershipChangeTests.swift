import SCIMCore
import Testing

@Suite("PATCH of members")
struct MembershipChangeTests {
  /// The changes in one line: `add a b`, `remove a`, `require a`, `removeAll`, …
  static func changes(_ operations: String, profile: Profile = .interop) throws -> [String] {
    let outcome = try PatchFixture.patch(
      #"{"displayName": "Team"}"#, operations, type: PatchFixture.group, profile: profile)
    #expect(!outcome.isDocumentChanged)
    #expect(outcome.document["members"] == nil)
    return (outcome.membership["members"] ?? []).map { change in
      func line(_ word: String, _ elements: [JSONObject]) -> String {
        ([word] + elements.map { $0["value"]?.stringValue ?? "?" }).joined(separator: " ")
      }
      switch change {
      case .add(let elements): return line("add", elements)
      case .remove(let elements): return line("remove", elements)
      case .removeMatching: return "removeMatching"
      case .removeAll: return "removeAll"
      case .replaceAll(let elements): return line("replaceAll", elements)
      case .require(let elements): return line("require", elements)
      case .requireMatching: return "requireMatching"
      case .refuseMatching(_, let error): return "refuseMatching \(error.kind)"
      case .refuse(let error): return "refuse \(error.kind)"
      }
    }
  }

  @Test(
    "become changes in order",
    arguments: [
      (
        "add",
        #"[{"op": "add", "path": "members", "value": [{"value": "a", "display": "A"}, {"value": "b", "$ref": "x", "type": "User"}]}]"#,
        ["add a b"]
      ),
      (
        "someone named twice",
        #"[{"op": "add", "path": "members", "value": [{"value": "a"}, {"value": "a"}]}]"#, ["add a"]
      ),
      (
        "a bare text",
        #"[{"op": "add", "path": "members", "value": "a"}, {"op": "add", "path": "members", "value": ["b"]}]"#,
        ["add a", "add b"]
      ),
      (
        "adding nobody",
        #"[{"op": "add", "path": "members", "value": []}, {"op": "add", "path": "members", "value": null}]"#, []
      ),
      ("without path", #"[{"op": "add", "value": {"Members": [{"value": "a"}]}}]"#, ["add a"]),
      (
        "a full push", #"[{"op": "replace", "path": "members", "value": [{"value": "b"}, {"value": "c"}]}]"#,
        ["replaceAll b c"]
      ),
      (
        "replaced by nobody",
        #"[{"op": "replace", "path": "members", "value": []}, {"op": "replace", "path": "members", "value": null}]"#,
        ["removeAll", "removeAll"]
      ),
      (
        "remove with a value list",
        #"[{"op": "Remove", "path": "members", "value": [{"$ref": null, "value": "b"}, {"value": "c"}]}]"#,
        ["remove b c"]
      ),
      ("remove with a bare text", #"[{"op": "Remove", "path": "members", "value": "b"}]"#, ["remove b"]),
      ("remove with an empty list empties nothing", #"[{"op": "remove", "path": "members", "value": []}]"#, []),
      ("remove without filter and value", #"[{"op": "remove", "path": "members"}]"#, ["removeAll"]),
      ("remove with null", #"[{"op": "remove", "path": "members", "value": null}]"#, ["removeAll"]),
      ("remove by filter", #"[{"op": "remove", "path": "members[value eq \"A-1\"]"}]"#, ["remove A-1"]),
      (
        "remove by an or-filter",
        #"[{"op": "remove", "path": "members[value eq \"a\" or (value eq \"b\" or value eq \"d\")]"}]"#,
        ["remove a b d"]
      ),
      ("remove by another filter", #"[{"op": "remove", "path": "members[type eq \"Group\"]"}]"#, ["removeMatching"]),
      (
        "remove by a conjunction", #"[{"op": "remove", "path": "members[value eq \"a\" and type eq \"Group\"]"}]"#,
        ["removeMatching"]
      ),
      (
        "remove and add",
        #"[{"op": "remove", "path": "members[value eq \"a\"]"}, {"op": "add", "path": "members", "value": [{"value": "c"}]}]"#,
        ["remove a", "add c"]
      ),
      (
        "another member for one", #"[{"op": "replace", "path": "members[value eq \"a\"]", "value": {"value": "b"}}]"#,
        ["require a", "remove a", "add b"]
      ),
      (
        "a member for itself",
        #"[{"op": "replace", "path": "members[value eq \"a\"]", "value": {"value": "a", "type": "User"}}]"#,
        ["require a"]
      ),
      (
        "another value for one is refused where there is one",
        #"[{"op": "replace", "path": "members[value eq \"ghost\"].value", "value": "b"}]"#,
        ["require ghost", "refuseMatching mutability"]
      ),
      (
        "the same value for one", #"[{"op": "replace", "path": "members[value eq \"a\"].value", "value": "a"}]"#,
        ["require a", "refuseMatching mutability"]
      ),
      (
        "what the server fills in", #"[{"op": "replace", "path": "members[type eq \"User\"].display", "value": "A"}]"#,
        ["requireMatching", "refuseMatching mutability"]
      ),
      (
        "add to a member", #"[{"op": "add", "path": "members[value eq \"a\"]", "value": {"value": "b"}}]"#,
        ["require a", "refuse mutability"]
      ),
    ])
  func interop(name: String, operations: String, expected: [String]) throws {
    #expect(try Self.changes(operations) == expected)
  }

  @Test(
    "are refused where they say nothing that can be done",
    arguments: [
      (
        "an element without value", #"[{"op": "replace", "path": "members", "value": [{"display": "x"}]}]"#,
        SCIMError.Kind.invalidValue
      ),
      (
        "an element with an empty value", #"[{"op": "add", "path": "members", "value": [{"value": ""}]}]"#,
        .invalidValue
      ),
      (
        "remove of an element without value", #"[{"op": "remove", "path": "members", "value": [{"type": "User"}]}]"#,
        .invalidValue
      ),
      ("remove of an empty text", #"[{"op": "remove", "path": "members", "value": ""}]"#, .invalidValue),
      ("remove of an empty text in a list", #"[{"op": "remove", "path": "members", "value": [""]}]"#, .invalidValue),
      ("replaced by an empty text", #"[{"op": "replace", "path": "members", "value": ""}]"#, .invalidValue),
      ("a number", #"[{"op": "add", "path": "members", "value": [7]}]"#, .invalidValue),
      ("no value", #"[{"op": "add", "path": "members"}]"#, .invalidValue),
      ("the value of all", #"[{"op": "replace", "path": "members.value", "value": "a"}]"#, .mutability),
      ("removing a value", #"[{"op": "remove", "path": "members[value eq \"a\"].value"}]"#, .mutability),
      (
        "two elements for one",
        #"[{"op": "replace", "path": "members[value eq \"a\"]", "value": [{"value": "b"}, {"value": "c"}]}]"#,
        .invalidValue
      ),
    ])
  func refused(name: String, operations: String, kind: SCIMError.Kind) throws {
    #expect(try PatchFixture.failure(#"{"displayName": "Team"}"#, operations, type: PatchFixture.group) == kind)
  }

  @Test("strict: a value beside remove never empties the group")
  func strict() throws {
    let operations = #"[{"op": "remove", "path": "members", "value": [{"value": "b"}]}]"#
    let kind = try PatchFixture.failure(
      #"{"displayName": "Team"}"#, operations, type: PatchFixture.group, profile: .strict)
    #expect(kind == .invalidValue)
    #expect(try Self.changes(#"[{"op": "remove", "path": "members"}]"#, profile: .strict) == ["removeAll"])
  }

  @Test("strict: one element may stand without a list where one is added or chosen (RFC 7644 section 3.5.2)")
  func strictOne() throws {
    let add = #"[{"op": "add", "path": "members", "value": {"value": "b"}}]"#
    #expect(try Self.changes(add, profile: .strict) == ["add b"])
    let replace = #"[{"op": "replace", "path": "members[value eq \"a\"]", "value": {"value": "b"}}]"#
    #expect(try Self.changes(replace, profile: .strict) == ["require a", "remove a", "add b"])
  }

  @Test("Okta's rename with the id leaves the members alone")
  func rename() throws {
    let outcome = try PatchFixture.patch(
      #"{"displayName": "Team"}"#, #"[{"op": "replace", "value": {"id": "u1", "displayName": "Renamed"}}]"#,
      type: PatchFixture.group)
    #expect(outcome.membership.isEmpty)
    #expect(outcome.document["displayName"] == "Renamed")
  }

  @Test("keeps what an element says beside its value, in the schema's spelling")
  func elements() throws {
    let outcome = try PatchFixture.patch(
      #"{"displayName": "Team"}"#,
      #"[{"op": "add", "path": "members", "value": [{"Display": "A", "TYPE": "User", "Value": "a"}]}]"#,
      type: PatchFixture.group)
    guard case .add(let elements)? = outcome.membership["members"]?.first else {
      Issue.record("nobody is added")
      return
    }
    #expect(elements == [JSONObject([.init(key: "value", value: "a"), .init(key: "type", value: "User")])])
  }
}
