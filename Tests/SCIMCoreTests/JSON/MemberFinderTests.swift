import Testing

@testable import SCIMCore

@Suite("Finding many members of an object")
struct MemberFinderTests {
  /// As many members as are compared one by one, and as many as are not.
  private static func object(_ count: Int) -> JSONObject {
    JSONObject((0..<count).map { JSONObject.Member(key: "name\($0)", value: .integer(Int64($0))) })
  }

  @Test("Each is what the object says, in whatever order they are asked for", arguments: [0, 1, 5, 32, 33, 400])
  func anyOrder(_ count: Int) {
    let object = Self.object(count)
    var random = SystemRandomNumberGenerator()
    var names = (0..<count + 5).map { "name\($0)" } + ["", "NAME1", "name"]
    for order in 0..<3 {
      if order == 1 { names.reverse() }
      if order == 2 { names.shuffle(using: &random) }
      var finder = MemberFinder(object)
      for name in names { #expect(finder.value(of: name) == object[name], "\(name)") }
    }
  }

  @Test("Of two members with one name it is the first", arguments: [2, 40])
  func twice(_ count: Int) {
    var object = Self.object(count)
    object.members.append(JSONObject.Member(key: "name1", value: "second"))
    var finder = MemberFinder(object)
    #expect(finder.value(of: "name1") == .integer(1))
    #expect(finder.value(of: "name0") == .integer(0))
    #expect(finder.value(of: "name1") == .integer(1))
  }

  @Test("Names that Unicode holds for one are two", arguments: [0, 40])
  func canonical(_ count: Int) {
    var object = Self.object(count)
    // The sign of the unit kelvin, which is canonically equivalent to the letter.
    object.members.append(JSONObject.Member(key: "\u{212A}", value: "kelvin"))
    var finder = MemberFinder(object)
    #expect(finder.value(of: "K") == nil)
    object.members.append(JSONObject.Member(key: "K", value: "letter"))
    finder = MemberFinder(object)
    #expect(finder.value(of: "K") == "letter")
    #expect(finder.value(of: "\u{212A}") == "kelvin")
  }
}
