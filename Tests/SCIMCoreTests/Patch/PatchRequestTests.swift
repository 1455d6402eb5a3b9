import SCIMCore
import Testing

@Suite("PATCH message")
struct PatchRequestTests {
  static let head = #""schemas": ["MSG:PatchOp"]"#

  @Test("takes operations whatever the letter case of names and words")
  func letterCase() throws {
    let body = try PatchFixture.json(
      """
      {"Schemas": ["MSG:PatchOp"], "operations": [
        {"Op": "Add", "Path": "title", "Value": null}, {"op": "REPLACE", "value": {}}, {"op": "rEMOVE", "path": "title"}
      ], "comment": 1}
      """)
    let expected = [
      PatchOperation(.add, path: "title", value: .null), PatchOperation(.replace, value: .object(JSONObject())),
      PatchOperation(.remove, path: "title"),
    ]
    #expect(try PatchRequest.parse(body, profile: .interop) == expected)
    #expect(try PatchRequest.parse(body, profile: .strict) == expected)
  }

  @Test(
    "refuses what is no such message with invalidSyntax",
    arguments: [
      ("a text", #""x""#),
      ("no Operations", #"{\#(head), "title": "Lead"}"#),
      ("Operations that is an object", #"{\#(head), "Operations": {"op": "remove", "path": "title"}}"#),
      ("an operation that is a text", #"{\#(head), "Operations": ["remove"]}"#),
      ("no op", #"{\#(head), "Operations": [{"path": "title", "value": "Lead"}]}"#),
      ("an unknown op", #"{\#(head), "Operations": [{"op": "move", "path": "title"}]}"#),
      ("an op that is no text", #"{\#(head), "Operations": [{"op": 1, "path": "title"}]}"#),
      ("a path that is no text", #"{\#(head), "Operations": [{"op": "remove", "path": ["title"]}]}"#),
    ])
  func refused(name: String, body: String) throws {
    for profile in Profile.allCases {
      #expect(throws: SCIMError.self) { try PatchRequest.parse(PatchFixture.json(body), profile: profile) }
      do {
        _ = try PatchRequest.parse(PatchFixture.json(body), profile: profile)
      } catch let error as SCIMError {
        #expect(error.kind == .invalidSyntax, "\(name), \(profile)")
      }
    }
  }

  @Test(
    "takes less than the whole message when lenient",
    arguments: [
      ("no operation", #"{\#(head), "Operations": []}"#, 0),
      ("no schemas", #"{"Operations": [{"op": "remove", "path": "title"}]}"#, 1),
      ("another schema", #"{"schemas": ["CORE:PatchOp"], "Operations": [{"op": "remove", "path": "title"}]}"#, 1),
      ("one text for schemas", #"{"schemas": "MSG:PatchOp", "Operations": [{"op": "remove", "path": "title"}]}"#, 1),
      ("the array alone", #"[{"op": "remove", "path": "title"}]"#, 1),
    ])
  func lenient(name: String, body: String, count: Int) throws {
    #expect(try PatchRequest.parse(PatchFixture.json(body), profile: .interop).count == count)
    #expect(throws: SCIMError.self) { try PatchRequest.parse(PatchFixture.json(body), profile: .strict) }
  }

  @Test("an empty path is no path when lenient")
  func emptyPath() throws {
    let text = #"[{"op": "replace", "path": "", "value": {}}]"#
    #expect(try PatchFixture.operations(text).map(\.path) == [nil])
    #expect(try PatchFixture.operations(text, profile: .strict).map(\.path) == [""])
  }

  @Test("takes 1000 operations and refuses 1001, naming the limit")
  func limit() throws {
    func body(_ count: Int) -> JSON {
      let operation: JSON = ["op": "remove", "path": "title"]
      return [
        "schemas": [.string(PatchRequest.schema)], "Operations": .array(Array(repeating: operation, count: count)),
      ]
    }
    #expect(try PatchRequest.parse(body(1000), profile: .strict).count == 1000)
    do {
      _ = try PatchRequest.parse(body(1001), profile: .interop)
      Issue.record("1001 operations were taken")
    } catch {
      #expect(error.kind == .payloadTooLarge)
      #expect(error.detail.contains("1000"))
    }
  }
}
