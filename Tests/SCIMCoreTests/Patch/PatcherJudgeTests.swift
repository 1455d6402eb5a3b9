import Testing

@testable import SCIMCore

/// What operations say, told before there is a resource.
@Suite("PATCH before there is a resource")
struct PatcherJudgeTests {
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
        #"[{"op":"replace","path":"emails[type eq \"x\"].value","value":"y"},{"op":"replace","path":"password","value":"p1"}]"#,
      password: "p1"),
    Row(name: "none", operations: #"[{"op":"replace","path":"title","value":"password"}]"#, password: nil),
  ]

  @Test(arguments: rows)
  func password(_ row: Row) throws {
    let operations = try PatchFixture.operations(row.operations)
    #expect(try Patcher.judge(operations, type: PatchFixture.user, profile: .interop).password == row.password)
  }

  @Test(
    "refuses what no resource of the type could take",
    arguments: [
      (#"[{"op":"replace","path":"nothing","value":1}]"#, SCIMError.Kind.invalidPath),
      (#"[{"op":"remove","path":"emails[nothing eq 1]"}]"#, .invalidFilter),
      (#"[{"op":"remove"}]"#, .noTarget),
      (#"[{"op":"add","path":"title"}]"#, .invalidValue),
      (#"[{"op":"add","value":7}]"#, .invalidValue),
      (#"[{"op":"replace","path":"active","value":"maybe"}]"#, .invalidValue),
      (#"[{"op":"replace","path":"title","value":["a","b"]}]"#, .invalidValue),
      (#"[{"op":"replace","path":"name.givenName","value":7}]"#, .invalidValue),
      (#"[{"op":"add","path":"emails","value":[7]}]"#, .invalidValue),
      (#"[{"op":"replace","path":"emails[type eq \"work\"]","value":[{"value":"a"},{"value":"b"}]}]"#, .invalidValue),
      (#"[{"op":"replace","path":"emails[type eq \"work\"].primary","value":"x"}]"#, .invalidValue),
      (#"[{"op":"replace","value":{"@ent":7}}]"#, .invalidValue),
      (#"[{"op":"remove","path":"userName"}]"#, .mutability),
      (#"[{"op":"replace","path":"userName","value":null}]"#, .invalidValue),
      (#"[{"op":"replace","value":{"userName":" "}}]"#, .invalidValue),
      (#"[{"op":"remove","path":"id"}]"#, .mutability),
      (#"[{"op":"remove","path":"schemas"}]"#, .mutability),
      (#"[{"op":"remove","path":"roles","value":""}]"#, .invalidValue),
      (#"[{"op":"remove","path":"emails","value":[""]}]"#, .invalidValue),
    ])
  func refused(operations: String, kind: SCIMError.Kind) throws {
    let operations = try PatchFixture.operations(operations)
    let error = #expect(throws: SCIMError.self) {
      try Patcher.judge(operations, type: PatchFixture.user, profile: .interop)
    }
    #expect(error?.kind == kind, "\(error?.detail ?? "")")
  }

  @Test(
    "lets pass what the resource decides",
    arguments: [
      #"[{"op":"replace","path":"id","value":"other"}]"#,
      #"[{"op":"replace","path":"emails[type eq \"work\" or type eq \"x\"].value","value":"a"}]"#,
      #"[{"op":"replace","path":"emails[value eq \"none\"]","value":{"value":"a"}}]"#,
      #"[{"op":"remove","path":"manager[value eq \"m\"]"}]"#,
      #"[{"op":"remove","path":"emails","value":[{"value":"a"}]}]"#,
      #"[{"op":"replace","path":"schemas","value":["CORE:User","@ent"]}]"#,
    ])
  func passes(operations: String) throws {
    _ = try Patcher.judge(PatchFixture.operations(operations), type: PatchFixture.user, profile: .interop)
  }

  @Test("names what is passed over, and in a path says how to define one")
  func unknownNames() throws {
    let operations = try PatchFixture.operations(
      #"[{"op":"add","value":{"urn:acme:hr:1.0:User":{"badge":1},"urn:acme:x:User:y":1,"nothing":2,"CORE:User:nothing":3}}]"#
    )
    let judgement = try Patcher.judge(operations, type: PatchFixture.user, profile: .interop)
    #expect(
      judgement.unknownNames == [
        "urn:acme:hr:1.0:User", "urn:acme:x:User:y", "nothing",
        "urn:ietf:params:scim:schemas:core:2.0:User:nothing",
      ])
    let path = try PatchFixture.operations(#"[{"op":"add","path":"urn:acme:hr:1.0:User:badge","value":1}]"#)
    let error = #expect(throws: SCIMError.self) {
      try Patcher.judge(path, type: PatchFixture.user, profile: .interop)
    }
    #expect(error?.kind == .invalidPath)
    #expect(error?.detail.contains("'urn:acme:hr:1.0:User:badge'") == true, "\(error?.detail ?? "")")
    #expect(error?.detail.contains(#""extends": "User""#) == true, "\(error?.detail ?? "")")
  }
}
