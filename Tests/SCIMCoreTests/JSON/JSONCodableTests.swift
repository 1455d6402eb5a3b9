import Foundation
import Testing

@testable import SCIMCore

struct JSONCodableTests {
  @Test func decodesEachKind() throws {
    let text = #"{"null":null,"yes":true,"one":1,"half":0.5,"text":"x","list":[false,0,"0"],"object":{"a":{}}}"#
    let value = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    #expect(value["null"] == .null)
    #expect(value["yes"] == .bool(true))
    #expect(value["one"] == .integer(1))
    #expect(value["half"] == .double(0.5))
    #expect(value["text"] == .string("x"))
    #expect(value["list"] == [false, 0, "0"])
    #expect(value["object"] == ["a": [:]])
    #expect(value.objectValue?.members.count == 7)
  }

  @Test func encodesEachKind() throws {
    let value: JSON = ["a": [nil, true, 1, 0.5, "x", [], [:]]]
    #expect(try JSONEncoder().encode(value) == Data(#"{"a":[null,true,1,0.5,"x",[],{}]}"#.utf8))
  }

  @Test func isAMemberOfCodableTypes() throws {
    struct Settings: Codable, Equatable {
      var name: String
      var extra: JSON
      var absent: JSON?
    }
    let settings = Settings(name: "x", extra: ["a": true], absent: nil)
    #expect(try JSONDecoder().decode(Settings.self, from: JSONEncoder().encode(settings)) == settings)
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "0"]) func integersAreExact(text: String) throws {
    let value = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    #expect(value == .integer(try #require(Int64(text))))
    #expect(try JSONEncoder().encode(value) == Data(text.utf8))
  }

  @Test(arguments: ["9223372036854775809", "18446744073709551615"]) func integersThatADoubleWouldRoundAreRefused(
    text: String
  ) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }
  }

  @Test func aLargeDoubleIsKept() throws {
    #expect(try JSONDecoder().decode(JSON.self, from: Data("1e19".utf8)) == .double(1e19))
    #expect(try JSONDecoder().decode(JSON.self, from: Data("1e300".utf8)) == .double(1e300))
  }
}
