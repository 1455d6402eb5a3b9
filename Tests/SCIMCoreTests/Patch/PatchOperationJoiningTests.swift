import Testing

@testable import SCIMCore

/// Which operations are taken as one.
@Suite("Joining patch operations")
struct PatchOperationJoiningTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var operations: String
    var joined: String
    var type = PatchFixture.user
    var profile = Profile.interop
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "two additions to one list",
      operations:
        #"[{"op":"add","path":"emails","value":[{"value":"a"}]}, {"op":"add","path":"emails","value":[{"value":"b"}]}]"#,
      joined: #"[{"op":"add","path":"emails","value":[{"value":"a"},{"value":"b"}]}]"#),
    Row(
      name: "members, one of them a bare object",
      operations:
        #"[{"op":"add","path":"members","value":[{"value":"a"}]}, {"op":"Add","path":"members","value":{"value":"b"}}]"#,
      joined: #"[{"op":"add","path":"members","value":[{"value":"a"},{"value":"b"}]}]"#, type: PatchFixture.group),
    Row(
      name: "a bare object in the strict profile",
      operations:
        #"[{"op":"add","path":"members","value":[{"value":"a"}]}, {"op":"add","path":"members","value":{"value":"b"}}]"#,
      joined: #"[{"op":"add","path":"members","value":[{"value":"a"},{"value":"b"}]}]"#,
      type: PatchFixture.group, profile: .strict),
    Row(
      name: "another operation between",
      operations:
        #"[{"op":"add","path":"emails","value":[{"value":"a"}]}, {"op":"remove","path":"emails"}, {"op":"add","path":"emails","value":[{"value":"b"}]}]"#,
      joined:
        #"[{"op":"add","path":"emails","value":[{"value":"a"}]}, {"op":"remove","path":"emails"}, {"op":"add","path":"emails","value":[{"value":"b"}]}]"#
    ),
    Row(
      name: "lists for a single value",
      operations: #"[{"op":"add","path":"title","value":["a"]}, {"op":"add","path":"title","value":["b"]}]"#,
      joined: #"[{"op":"add","path":"title","value":["a"]}, {"op":"add","path":"title","value":["b"]}]"#),
    Row(
      name: "a value path",
      operations:
        #"[{"op":"add","path":"emails[type eq \"work\"]","value":[{"value":"a"}]}, {"op":"add","path":"emails[type eq \"work\"]","value":[{"value":"b"}]}]"#,
      joined:
        #"[{"op":"add","path":"emails[type eq \"work\"]","value":[{"value":"a"}]}, {"op":"add","path":"emails[type eq \"work\"]","value":[{"value":"b"}]}]"#
    ),
    Row(
      name: "readOnly",
      operations:
        #"[{"op":"add","path":"groups","value":[{"value":"a"}]}, {"op":"add","path":"groups","value":[{"value":"b"}]}]"#,
      joined:
        #"[{"op":"add","path":"groups","value":[{"value":"a"}]}, {"op":"add","path":"groups","value":[{"value":"b"}]}]"#
    ),
    Row(
      name: "no path",
      operations:
        #"[{"op":"add","value":{"emails":[{"value":"a"}]}}, {"op":"add","value":{"emails":[{"value":"b"}]}}]"#,
      joined: #"[{"op":"add","value":{"emails":[{"value":"a"}]}}, {"op":"add","value":{"emails":[{"value":"b"}]}}]"#),
  ]

  @Test(arguments: rows)
  func joining(_ row: Row) throws {
    let operations = try PatchFixture.operations(row.operations, profile: row.profile)
    #expect(
      PatchOperation.joining(operations, type: row.type, profile: row.profile)
        == (try PatchFixture.operations(row.joined, profile: row.profile)))
  }
}
