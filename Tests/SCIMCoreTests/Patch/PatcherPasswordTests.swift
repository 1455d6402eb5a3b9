import Testing

@testable import SCIMCore

/// The password that operations set, told before there is a resource.
@Suite("Password set by PATCH")
struct PatcherPasswordTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var operations: String
    var password: String?
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "by path", operations: #"[{"op":"replace","path":"password","value":"p1"}]"#, password: "p1"),
    Row(name: "by full name", operations: #"[{"op":"add","path":"CORE:User:passWord","value":"p1"}]"#, password: "p1"),
    Row(name: "without path", operations: #"[{"op":"add","value":{"title":"x","PASSWORD":"p1"}}]"#, password: "p1"),
    Row(
      name: "below the schema's URN", operations: #"[{"op":"add","value":{"CORE:User":{"password":"p1"}}}]"#,
      password: "p1"),
    Row(
      name: "the last of several",
      operations: #"[{"op":"replace","path":"password","value":"p1"},{"op":"replace","value":{"password":"p2"}}]"#,
      password: "p2"),
    Row(
      name: "set and taken away",
      operations: #"[{"op":"replace","path":"password","value":"p1"},{"op":"remove","path":"password"}]"#, password: nil
    ),
    Row(
      name: "beside what only the resource can tell",
      operations:
        #"[{"op":"replace","path":"emails[type eq \"x\"].value","value":"y"},{"op":"replace","path":"nothing","value":1},{"op":"replace","path":"password","value":"p1"}]"#,
      password: "p1"),
    Row(name: "none", operations: #"[{"op":"replace","path":"title","value":"password"}]"#, password: nil),
  ]

  @Test(arguments: rows)
  func password(_ row: Row) throws {
    let operations = try PatchFixture.operations(row.operations)
    #expect(Patcher.password(setBy: operations, type: PatchFixture.user, profile: .interop) == row.password)
  }
}
