import SCIMCore
import Testing

@testable import SCIMService

/// Whatever changes of a definition: the index is that of the new one, also for what was written between two slices.
@Suite("The index and changes of definitions")
struct IndexChangeTests {
  private typealias Samples = DefinitionSamples
  private typealias Attributes = [(String, [(String, JSON)])]
  private static let base = "urn:acme:things:1.0:Thing"
  private static let other = "urn:acme:things:1.0:Other"
  private static let more = "urn:acme:things:1.0:More"

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Of the base schema.
    var from: [(String, [(String, JSON)])]
    var to: [(String, [(String, JSON)])]
    var values: [JSON]
    /// A filter, how many it finds before, and after.
    var filters: [(String, Int64, Int64)]
  }

  static let rows: [Row] = [
    Row(
      testDescription: "caseExact of a searched text", from: [("name", [])], to: [("name", [("caseExact", true)])],
      values: [["name": "Ada Lovelace"], ["name": "ada lovelace"], ["name": "Bob"]],
      filters: [
        ("name eq \"ADA LOVELACE\"", 2, 0), ("name co \"lovelace\"", 2, 1), ("name sw \"Ada\"", 2, 1),
        ("name co \"Lovelace\"", 2, 1), ("not (name eq \"bob\")", 2, 3),
      ]),
    Row(
      testDescription: "caseIgnored again", from: [("name", [("caseExact", true)])], to: [("name", [])],
      values: [["name": "Ada Lovelace"], ["name": "ada lovelace"]],
      filters: [("name eq \"ADA LOVELACE\"", 0, 2), ("name co \"LOVE\"", 0, 2)]),
    Row(
      testDescription: "texts that become times", from: [("when", [])], to: [("when", [("type", "dateTime")])],
      values: [["when": "2026-01-01T00:00:00Z"], ["when": "2025-12-31T23:00:00-01:00"]],
      filters: [("when eq \"2026-01-01T00:00:00Z\"", 1, 2)]),
    Row(
      testDescription: "texts with words of their own, which are in no signature",
      from: [("name", []), ("note", [])], to: [("name", [("canonicalValues", ["Alpha", "Beta"])]), ("note", [])],
      values: [["name": "Alpha", "note": "alphabet"], ["name": "Beta"]],
      filters: [("name co \"lph\"", 1, 1), ("note co \"lph\"", 1, 1)]),
    Row(
      testDescription: "what was never shown is", from: [("name", [("returned", "never")]), ("note", [])],
      to: [("name", []), ("note", [])], values: [["name": "Alpha", "note": "one"], ["name": "Beta", "note": "two"]],
      filters: [("note eq \"one\"", 1, 1)]),
    Row(
      testDescription: "what is shown is no more", from: [("name", []), ("note", [])],
      to: [("name", [("returned", "never")]), ("note", [])],
      values: [["name": "Alpha", "note": "one"], ["name": "Beta", "note": "two"]],
      filters: [("note eq \"one\"", 1, 1)]),
    Row(
      testDescription: "unique, and by other keys",
      from: [("name", [("uniqueness", "server")])], to: [("name", [("uniqueness", "server"), ("caseExact", true)])],
      values: [["name": "Alpha"], ["name": "Beta"]], filters: [("name eq \"ALPHA\"", 1, 0)]),
    Row(
      testDescription: "not unique any more", from: [("name", [("uniqueness", "server")])], to: [("name", [])],
      values: [["name": "Alpha"], ["name": "Beta"]], filters: [("name eq \"ALPHA\"", 1, 1)]),
    Row(
      testDescription: "an attribute of several parts",
      from: [("tags", tags([("value", "string"), ("rank", "integer")], caseExact: false))],
      to: [("tags", tags([("value", "string"), ("rank", "integer")], caseExact: true))],
      values: [["tags": [["value": "Red", "rank": 1], ["value": "red", "rank": 2]]], ["tags": [["value": "RED"]]]],
      filters: [("tags[value eq \"red\" and rank eq 1]", 1, 0), ("tags.value eq \"red\"", 2, 1)]),
    Row(
      testDescription: "another order", from: [("name", []), ("note", [])], to: [("note", []), ("name", [])],
      values: [["name": "Alpha", "note": "one"], ["name": "Beta"]],
      filters: [("name eq \"alpha\"", 1, 1), ("note eq \"one\"", 1, 1)]),
  ]

  private static func tags(_ parts: [(String, String)], caseExact: Bool) -> [(String, JSON)] {
    let parts = parts.map { name, type -> JSON in
      ["name": .string(name), "type": .string(type), "caseExact": .bool(caseExact && type == "string")]
    }
    return [("type", "complex"), ("multiValued", true), ("subAttributes", .array(parts))]
  }

  @Test("Each characteristic", arguments: rows) func characteristic(_ row: Row) throws {
    let world = try ChangeWorld()
    let client = world.client
    _ = try client.create("/Schemas", Samples.schema(Self.base, row.from))
    _ = try client.create("/ResourceTypes", Samples.type("Thing", "/Things", extensions: [], base: Self.base))
    var ids: [String] = []
    func thing(_ value: JSON) -> JSON {
      var object = value.objectValue ?? JSONObject()
      object["schemas"] = [.string(Self.base)]
      return .object(object)
    }
    for value in row.values { ids.append(try client.create("/Things", thing(value)).id) }
    func check(isAfter: Bool = false, _ place: String) throws {
      for filter in row.filters {
        let found = try client.send("GET /Things?filter=\(filter.0)&count=0").total
        #expect(found == (isAfter ? filter.2 : filter.1), "\(filter.0) \(place)")
      }
      try world.expectSound(place)
    }
    try check("before")
    let document = Samples.schema(Self.base, row.to).objectValue ?? JSONObject()
    let run = world.run(DefinitionChange(put: [Definition(kind: .schema, name: Self.base, document: document)]))
    let work = try world.begin(run)
    // The last one goes and comes, and the first is written anew, before what is there is indexed.
    if let last = row.values.last {
      expect(try client.send("DELETE /Things/\(ids.removeLast())"), 204)
      _ = try client.create("/Things", thing(last))
      expect(try client.send("PUT /Things/\(ids.first ?? "")", thing(row.values[0])), 200)
    }
    try check("between")
    try world.finish(run, work)
    try check(isAfter: true, "after")
    #expect(try world.isTidy())
    expect(try client.send("DELETE /ResourceTypes/Thing?force=true"), 204)
    try world.expectSound("gone")
  }

  @Test("Extensions in another order, and another display; another base schema is refused")
  func types() throws {
    let world = try ChangeWorld()
    let client = world.client
    for (urn, names) in [
      (Self.base, ["name", "label"]), (Self.other, ["size", "label", "name"]), (Self.more, ["weight"]),
      ("urn:acme:things:1.0:Last", ["age"]),
    ] {
      _ = try client.create("/Schemas", Samples.schema(urn, names.map { ($0, []) }))
    }
    func type(_ extensions: [String], base: String = Self.base, display: String) -> JSON {
      var object = Samples.type("Thing", "/Things", extensions: extensions, base: base).objectValue ?? JSONObject()
      object["roster"] = ["display": [.string(display)]]
      return .object(object)
    }
    let last = "urn:acme:things:1.0:Last"
    _ = try client.create("/ResourceTypes", type([Self.more, last], display: "name"))
    for number in 0..<5 {
      var object = JSONObject()
      object["schemas"] = [.string(Self.base)]
      object["name"] = .string("n\(number)")
      object["label"] = .string("l\(number)")
      if number != 1 { object[Self.more] = ["weight": "much"] }
      if number != 2 { object[last] = ["age": "old"] }
      _ = try client.create("/Things", .object(object))
    }
    for next in [
      type([last, Self.more], display: "name"), type([last, Self.more], display: "label"),
      type([Self.more, last], display: "name"),
    ] {
      expect(try client.send("PUT /ResourceTypes/Thing", next), 200)
      try world.expectSound("\(next)")
      #expect(try client.send("GET /Things?filter=schemas eq \"\(last)\"&count=0").total == 4)
      #expect(try client.send("GET /Things?filter=label eq \"L3\"&count=0").total == 1)
      #expect(try world.isTidy())
    }
    // No document is one of another base schema.
    expectError(
      try client.send("PUT /ResourceTypes/Thing", type([Self.more, last], base: Self.other, display: "name")), 400,
      "invalidValue")
    #expect(try world.isTidy())
    try world.expectSound()
  }
}
