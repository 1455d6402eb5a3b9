import HTTPMessage
import SCIMCore
import Synchronization
import Testing

@testable import roster

@Suite struct ExchangeTraceTests {
  /// What is written for one exchange.
  private func text(_ request: Request, _ response: Response) -> String {
    let text = TextBox()
    let trace = ExchangeTrace { text.append($0) }
    trace.response(response, to: trace.request(request))
    return text.text
  }

  private final class TextBox: Sendable {
    private let state = Mutex("")
    var text: String { state.withLock { $0 } }
    func append(_ text: String) { state.withLock { $0 += text + "\n" } }
  }

  @Test func wholeMessagesOverSeveralLines() {
    let request = Request(
      method: "POST", path: "/scim/v2/Users", query: "attributes=userName",
      headers: ["Host": "h", "Authorization": "Bearer rst_top"], body: Array(#"{"userName":"ann","a":[1]}"#.utf8))
    let response = Response(status: 201, headers: [("Location", "http://h/1")], body: Array(#"{"id":"1"}"#.utf8))
    #expect(
      text(request, response) == """

        [1] POST /scim/v2/Users?attributes=userName
        host: h
        authorization: Bearer ***

        {
          "userName": "ann",
          "a": [
            1
          ]
        }

        [1] 201
        Location: http://h/1

        {
          "id": "1"
        }

        """)
  }

  @Test(
    "secrets are not shown",
    arguments: [
      ("a password", #"{"password": "t0p"}"#), ("in any letter case", #"{"PassWord": "t0p"}"#),
      ("a password in a list", #"{"Operations": [{"data": {"password": "t0p"}}]}"#),
      ("a path", #"{"Operations": [{"op": "replace", "path": "password", "value": "t0p"}]}"#),
      ("a path with a URN", #"{"path": "urn:ietf:params:scim:schemas:core:2.0:User:password", "Value": ["t0p"]}"#),
      ("a value without a path", #"{"op": "replace", "value": {"password": "t0p"}}"#),
      ("a secret of an own schema", #"{"urn:x:y:User": {"clientSecret": {"a": "t0p"}}}"#), ("no JSON", "password=t0p"),
      ("broken JSON", #"{"password": "t0p""#),
    ])
  func masked(_ name: String, _ body: String) {
    let bytes = Array(body.utf8)
    let request = Request(
      method: "PUT", path: "/", query: "filter=password%20eq%20%22t0p%22",
      headers: ["Authorization": "t0p", "Cookie": "t0p", "Proxy-Authorization": "Basic t0p"], body: bytes)
    #expect(!text(request, Response(status: 200, headers: [("Set-Cookie", "t0p")], body: bytes)).contains("t0p"))
  }

  @Test func whatIsNoSecretIsShown() throws {
    let body =
      #"{"changePassword": {"supported": false}, "emails": [{"value": "ann@example.com"}], "path": "active", "value": 1}"#
    #expect(ExchangeTrace.masked(try JSON(parsing: Array(body.utf8))) == (try JSON(parsing: Array(body.utf8))))
  }

  @Test func aLongBodyIsCut() {
    let body = Array(#"{"a": "\#(String(repeating: "x", count: ExchangeTrace.maximumBody))"}"#.utf8)
    let shown = text(Request(method: "GET", path: "/"), Response(status: 200, body: body))
    #expect(shown.utf8.count < ExchangeTrace.maximumBody + 200)
    #expect(shown.hasSuffix("more bytes)\n"))
  }

  @Test func nothingSteersTheTerminal() {
    let shown = text(
      Request(method: "GET", path: "/\u{1B}[2J"), Response(status: 200, body: Array("\"\u{9B}2J\"".utf8)))
    #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)) })
  }
}
