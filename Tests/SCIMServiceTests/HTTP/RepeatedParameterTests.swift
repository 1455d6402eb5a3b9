import SCIMCore
import Testing

/// Parameters that a query string has more than once.
@Suite("Repeated parameters")
struct RepeatedParameterTests {
  @Test("lists of names are one list")
  func names() throws {
    let client = try Tenant(Harness()).client
    let made = try client.create(
      "/Users",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ada", "title": "Dr", "nickName": "A",
      ])
    for address in ["/Users/\(made.id)?", "/Users?"] {
      let reply = try client.send("GET \(address)attributes=title&attributes=nickName")
      let shown = reply.resources.first ?? reply.json
      #expect(shown?["title"] == "Dr" && shown?["nickName"] == "A" && shown?["userName"] == nil, "\(reply)")
      let rest = try client.send("GET \(address)excludedAttributes=title&excludedAttributes=nickName")
      let left = rest.resources.first ?? rest.json
      #expect(left?["title"] == nil && left?["nickName"] == nil && left?["userName"] == "ada", "\(rest)")
    }
  }

  @Test(
    "any other is refused",
    arguments: [
      #"filter=userName eq "a"&filter=userName eq "b""#, "count=1&count=2", "startIndex=1&StartIndex=1",
      "sortBy=title&sortBy=userName", "sortOrder=ascending&sortOrder=descending", "cursor&cursor",
    ])
  func others(query: String) throws {
    let client = try Tenant(Harness()).client
    expectError(try client.send("GET /Users?\(query)"), 400, "invalidValue")
  }
}
