import Testing

@Suite("Equal values marked as primary")
struct EqualPrimariesTests {
  @Test("keep the first mark")
  func marks() throws {
    try CompatFixture.expect(
      body: #"""
        {"userName": "u", "emails": [{"value": "a@b.example", "type": "work", "primary": true},
         {"value": "h@b.example"}, {"Value": "A@b.example", "type": "other", "Primary": "True"}]}
        """#,
      becomes: #"""
        {"userName": "u", "emails": [{"value": "a@b.example", "type": "work", "primary": true},
         {"value": "h@b.example"}, {"Value": "A@b.example", "type": "other", "Primary": false}]}
        """#)
  }

  @Test(
    "are left alone where the values differ or there is one mark",
    arguments: [
      #"[{"value": "a", "primary": true}, {"value": "b", "primary": true}]"#,
      #"[{"value": "a", "primary": true}, {"value": "a", "primary": false}]"#,
      #"[{"display": "a", "primary": true}, {"display": "a", "primary": true}]"#,
      #"{"value": "a", "primary": true}"#,
    ])
  func others(elements: String) throws {
    let body = #"{"userName": "u", "emails": \#(elements)}"#
    try CompatFixture.expect(body: body, becomes: body)
  }

  @Test("are left to PATCH, where the last mark wins")
  func patch() throws {
    let operation =
      #"{"op": "add", "path": "emails", "value": [{"value": "a", "primary": true}, {"value": "a", "primary": true}]}"#
    try CompatFixture.expect(operation, becomes: operation)
  }
}
