import Testing

@testable import roster

@Suite struct SeedLocatorTests {
  static let text = #" { "a" : [ 1 , {"b\u0063": "}]\"" , "d": [[], {}, -1.5e3, true] } ] , "z":null } "#

  @Test(
    arguments: [
      ([], "{"), ([.member("a")], "\"a\" :"), ([.member("a"), .element(0)], "1 ,"),
      ([.member("a"), .element(1)], "{\"b"), ([.member("a"), .element(1), .member("bc")], "\"b\\u0063\""),
      ([.member("a"), .element(1), .member("d"), .element(1)], "{},"),
      ([.member("a"), .element(1), .member("d"), .element(2)], "-1.5e3"),
      ([.member("a"), .element(1), .member("d"), .element(3)], "true"), ([.member("z")], "\"z\":null"),
    ] as [([SeedPath.Step], String)])
  func found(_ steps: [SeedPath.Step], _ beginning: String) {
    let offset = SeedLocator.offset(of: SeedPath(steps: steps), in: Array(Self.text.utf8))
    #expect(String(decoding: Self.text.utf8.dropFirst(offset), as: UTF8.self).hasPrefix(beginning))
  }

  @Test(
    "the nearest value around what is not there",
    arguments: [
      ([.member("q")], "{ \"a\""), ([.member("a"), .element(2)], "\"a\" :"), ([.element(0)], "{ \"a\""),
      ([.member("a"), .element(0), .member("x")], "1 ,"), ([.member("z"), .member("x")], "\"z\":null"),
    ] as [([SeedPath.Step], String)])
  func absent(_ steps: [SeedPath.Step], _ beginning: String) {
    let offset = SeedLocator.offset(of: SeedPath(steps: steps), in: Array(Self.text.utf8))
    #expect(String(decoding: Self.text.utf8.dropFirst(offset), as: UTF8.self).hasPrefix(beginning))
  }

  @Test func brokenTextDoesNotTrap() {
    let bytes = Array(Self.text.utf8)
    let path = SeedPath(steps: [.member("a"), .element(1), .member("d"), .element(3)])
    for length in 0...bytes.count {
      #expect(SeedLocator.offset(of: path, in: Array(bytes.prefix(length))) <= length)
    }
  }
}
