import SCIMCore
import TestSupport

/// Bodies of users as clients might send them, from a seed: some names in other cases, some values unassigned.
struct ResourceRandom: RandomNumberGenerator {
  private var random: Random

  init(seed: UInt64) { random = Random(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func user() -> JSONObject {
    var members = [member("schemas", [.string(Fixture.userURN)]), member("userName", .string(text() + "u"))]
    for definition in Fixture.user.schema.attributes.dropFirst() where chance(60) {
      members.append(member(definition.name, value(of: definition)))
    }
    for part in Fixture.user.extensions where chance(60) {
      var inner: [JSONObject.Member] = []
      for definition in part.schema.attributes where chance(60) {
        inner.append(member(definition.name, value(of: definition)))
      }
      members.append(JSONObject.Member(key: part.schema.id, value: .object(JSONObject(inner))))
    }
    return JSONObject(members.shuffled(using: &self))
  }

  private mutating func value(of definition: AttributeDefinition) -> JSON {
    if chance(5) { return chance(50) ? .null : .array([]) }
    guard definition.isMultiValued else { return single(definition) }
    return .array((0..<Int.random(in: 1...4, using: &self)).map { _ in single(definition) })
  }

  private mutating func single(_ definition: AttributeDefinition) -> JSON {
    switch definition.type {
    case .string: .string(text())
    case .reference: .string("https://a.example/\(Int.random(in: 0...65535, using: &self))")
    case .boolean: chance(50) ? .bool(chance(50)) : "True"
    case .integer: chance(50) ? .integer(Int64.random(in: -9...9, using: &self)) : "7"
    case .decimal: chance(50) ? .double(Double.random(in: -9...9, using: &self)) : "1.5"
    case .dateTime: .string("2026-0\(Int.random(in: 1...9, using: &self))-28T09:30:00.5+02:00")
    case .binary: "TUlJQg=="
    case .complex: complex(definition)
    }
  }

  private mutating func complex(_ definition: AttributeDefinition) -> JSON {
    var members: [JSONObject.Member] = []
    for sub in definition.subAttributes where chance(70) && sub.name != "primary" {
      members.append(member(sub.name, value(of: sub)))
    }
    return .object(JSONObject(members.shuffled(using: &self)))
  }

  private mutating func text() -> String {
    let texts = ["", "Ada", "ada", "Zoë", "Zoe\u{308}", "a \"b\" \\ \n c", "\"roles\":[", "Straße", "😀", "work"]
    return texts[Int.random(in: 0..<texts.count, using: &self)]
  }

  private mutating func member(_ name: String, _ value: JSON) -> JSONObject.Member {
    JSONObject.Member(key: chance(20) ? name.uppercased() : name, value: value)
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
