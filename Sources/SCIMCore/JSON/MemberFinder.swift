/// Finds the members of an object of which many are asked for, mostly in their order: a type may have thousands of
/// attributes, and a document as many members.
///
/// Names are compared byte by byte, as `JSONObject` does.
struct MemberFinder {
  private let members: [JSONObject.Member]
  /// The places of the names; nil where there are so few members that they are sooner compared.
  private let places: [String: Int]?
  /// Behind the member that was found last.
  private var next = 0

  private static let few = 32

  init(_ object: JSONObject) {
    members = object.members
    guard members.count > Self.few else {
      places = nil
      return
    }
    var places = [String: Int](minimumCapacity: members.count)
    for (index, member) in members.enumerated() where places[member.key] == nil { places[member.key] = index }
    self.places = places
  }

  /// The value of the member of that exact name.
  mutating func value(of name: String) -> JSON? {
    if next < members.count, ASCII.equal(members[next].key, name) {
      next += 1
      return members[next - 1].value
    }
    var place: Int?
    if let places {
      place = places[name]
      // Swift takes some names for equal whose bytes differ.
      if let found = place, !ASCII.equal(members[found].key, name) { place = firstPlace(of: name) }
    } else {
      place = firstPlace(of: name)
    }
    guard let place else { return nil }
    next = place + 1
    return members[place].value
  }

  private func firstPlace(of name: String) -> Int? { members.firstIndex { ASCII.equal($0.key, name) } }
}
