import Foundation
import SCIMCore
import Testing

/// A type that is two JSON files and no Swift, with an attribute of every kind.
@Suite("A type from two files")
struct DeviceTests {
  private static let urn = "urn:example:params:scim:schemas:core:1.0:Device"
  private let client: Client
  private let strict: Client

  init() throws {
    let tenant = try Tenant(Harness(registry: Fixture.registry("device")))
    client = tenant.client
    strict = try tenant.client(profile: .strict)
  }

  /// A device of that name with what else is given as JSON members.
  private func device(_ name: String, _ members: String = "") throws -> JSON {
    try JSON(parsing: Data(#"{"schemas":["\#(Self.urn)"],"displayName":"\#(name)"\#(members)}"#.utf8))
  }

  private func names(_ query: String) throws -> [String] {
    let reply = try client.send("GET /Devices?\(query)")
    #expect(reply.status == 200, "\(reply)")
    return reply.resources.compactMap { $0["displayName"]?.stringValue }
  }

  @Test("It is two files")
  func files() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Fixture.url("device").path)
    #expect(files.filter { $0.hasSuffix(".json") }.sorted() == ["Device.json", "types/Device.json"])
  }

  @Test("Discovery shows type and schema as enforced")
  func discovery() throws {
    let types = try client.send("GET /ResourceTypes")
    #expect(types.resources.contains { $0["name"] == "Device" && $0["endpoint"] == "/Devices" })
    expect(try client.send("GET /ResourceTypes/Device"), 200, ["schema": .string(Self.urn), "id": "Device"])
    let schema = try client.send("GET /Schemas/\(Self.urn)")
    let attributes = schema["attributes"]?.arrayValue ?? []
    #expect(attributes.count == 13)
    for (name, expected) in [
      ("serialNumber", ["mutability": "immutable", "uniqueness": "server", "caseExact": true] as JSON),
      ("notes", ["returned": "request"]), ("assetTag", ["returned": "always"]), ("weight", ["type": "decimal"]),
      ("tags", ["multiValued": true, "type": "string"]), ("homepage", ["referenceTypes": ["external"]]),
    ] {
      let found = attributes.first { $0["name"] == .string(name) }
      #expect(Matcher.mismatch(expected, found) == nil, "\(name)")
    }
    #expect(try client.send("GET /Schemas").resources.contains { $0["id"] == .string(Self.urn) })
  }

  @Test("Numbers are numbers: kept, compared and sorted by size")
  func numbers() throws {
    for (name, slots, weight) in [("seven", "7", "1.25"), ("ten", "10", "0.5"), ("minus", "-3", "100")] {
      _ = try client.create("/Devices", device(name, #","slots":\#(slots),"weight":\#(weight)"#))
    }
    let seven = try client.send("GET /Devices?filter=slots eq 7").resources.first
    #expect(seven?["slots"] == 7 && seven?["weight"] == 1.25)
    for (filter, expected) in [
      ("slots gt 7", ["ten"]), ("slots ge 7", ["seven", "ten"]), ("slots lt 0", ["minus"]),
      ("slots le 7", ["seven", "minus"]),
      ("slots ne 7", ["ten", "minus"]), ("weight gt 1", ["seven", "minus"]), ("weight eq 1.250", ["seven"]),
      ("weight lt 1.3 and slots gt 8", ["ten"]), ("weight eq 100.0", ["minus"]),
    ] {
      #expect(try names("filter=\(filter)") == expected, "\(filter)")
    }
    #expect(try names("sortBy=slots") == ["minus", "seven", "ten"])
    #expect(try names("sortBy=weight&sortOrder=descending") == ["minus", "seven", "ten"])
    for filter in ["slots eq \"seven\"", "slots co \"7\"", "slots gt true", "weight sw \"1\"", "isEnrolled gt false"] {
      expectError(try client.send("GET /Devices?filter=\(filter)"), 400, "invalidFilter")
    }
  }

  @Test(
    "Values of the wrong type change nothing; text is taken for its value where the profile allows it",
    arguments: [
      (#""slots":"seven""#, 400, 400), (#""slots":"7""#, 201, 400), (#""slots":1.5"#, 400, 400),
      (#""slots":true"#, 400, 400), (#""weight":"1.25""#, 201, 400), (#""weight":"heavy""#, 400, 400),
      (#""isEnrolled":"True""#, 201, 400), (#""isEnrolled":"yes""#, 400, 400), (#""isEnrolled":1"#, 400, 400),
      (#""purchased":"yesterday""#, 400, 400), (#""purchased":7"#, 400, 400), (#""tags":"one""#, 201, 400),
      (#""tags":[1]"#, 400, 400), (#""location":"here""#, 400, 400), (#""location":{"floor":"low"}"#, 400, 400),
      (#""ports":{"value":"a"}"#, 201, 400), (#""ports":[{"speed":"fast"}]"#, 400, 400), (#""homepage":{}"#, 400, 400),
      (#""unheard":1"#, 201, 400), (#""location":{"unheard":1}"#, 201, 400),
    ])
  func wrongTypes(_ members: String, lenient: Int, strict status: Int) throws {
    for (client, expected) in [(client, lenient), (strict, status)] {
      let before = try client.snapshot()
      let reply = try client.send("POST /Devices", device("x", "," + members))
      #expect(reply.status == expected, "\(reply)")
      if expected == 400 {
        expectError(reply, 400, members.contains("unheard") ? "invalidSyntax" : "invalidValue")
        #expect(try client.snapshot() == before)
      } else {
        #expect(!reply.text.contains("unheard"))
        #expect(try client.send("DELETE /Devices/\(reply.id)").status == 204)
      }
    }
    if lenient == 201, members == #""slots":"7""# {
      #expect(try client.create("/Devices", device("x", "," + members))["slots"] == 7)
    }
  }

  @Test("A dateTime is an instant, whatever zone it is written in")
  func instants() throws {
    _ = try client.create("/Devices", device("noon", #","purchased":"2026-01-31T12:00:00Z""#))
    _ = try client.create("/Devices", device("before", #","purchased":"2026-01-31T12:30:00+01:00""#))
    _ = try client.create("/Devices", device("after", #","purchased":"2026-01-31T07:00:00.5-05:00""#))
    #expect(try names("sortBy=purchased") == ["before", "noon", "after"])
    for literal in ["2026-01-31T12:00:00Z", "2026-01-31T13:00:00%2B01:00", "2026-01-31T06:30:00.000-05:30"] {
      #expect(try names("filter=purchased ge \"\(literal)\"") == ["noon", "after"], "\(literal)")
      #expect(try names("filter=purchased eq \"\(literal)\"") == ["noon"], "\(literal)")
    }
    // What was sent is shown as sent.
    #expect(
      try client.send("GET /Devices?filter=displayName eq \"before\"").resources.first?["purchased"]
        == "2026-01-31T12:30:00+01:00")
    expectError(try client.send("GET /Devices?filter=purchased gt \"soon\""), 400, "invalidFilter")
  }

  @Test("meta times are instants: the same devices whatever zone the filter is written in")
  func metaTimes() throws {
    let made = try (0..<4).map { try client.create("/Devices", device("d\($0)")) }
    let times = made.compactMap { $0["meta"]?["lastModified"]?.stringValue }
    let instant = try #require(Timestamp(parsing: times[2]))
    // The texts have one width, so that they compare as the instants do.
    let expected = zip(made, times).filter { $0.1 >= times[2] }.map(\.0.id)
    func written(minutes: Int64, _ zone: String) -> String {
      Timestamp(milliseconds: instant.milliseconds + minutes * 60_000).text.replacing("Z", with: zone)
    }
    let spellings = [
      times[2], written(minutes: 120, "%2B02:00"), written(minutes: -330, "-05:30"),
      times[2].replacing("Z", with: "000Z"), times[2].replacing("Z", with: "%2B00:00"),
    ]
    for spelling in spellings {
      for attribute in ["meta.lastModified", "meta.created"] {
        #expect(try client.send("GET /Devices?filter=\(attribute) ge \"\(spelling)\"").ids == expected, "\(spelling)")
      }
    }
  }

  @Test("A list of plain values: added once, removed one by one, found by each")
  func tags() throws {
    let made = try client.create("/Devices", device("tagged", #","tags":["x","y","x"]"#))
    #expect(made["tags"] == ["x", "y"])
    _ = try client.create("/Devices", device("bare"))
    let address = "/Devices/\(made.id)"
    for _ in 0..<2 {
      let added = try client.send("PATCH \(address)", PatchBody.make([("add", "tags", ["z"])]))
      expect(added, 200, ["tags": ["x", "y", "z"]])
    }
    #expect(try names("filter=tags eq \"z\"") == ["tagged"])
    #expect(try names("filter=tags co \"z\" and tags eq \"x\"") == ["tagged"])
    #expect(try names("filter=tags ne \"z\"") == ["bare"])
    #expect(try names("filter=tags pr") == ["tagged"])
    let removed = try client.send("PATCH \(address)", PatchBody.make([("remove", "tags[value eq \"y\"]", nil)]))
    expect(removed, 200, ["tags": ["x", "z"]])
    #expect(try names("filter=tags eq \"y\"").isEmpty)
    let nothing = try client.send("PATCH \(address)", PatchBody.make([("remove", "tags[value eq \"y\"]", nil)]))
    #expect(nothing.version == removed.version)
    let emptied = try client.send("PATCH \(address)", PatchBody.make([("replace", "tags", [])]))
    #expect(emptied.status == 200 && emptied["tags"] == nil, "\(emptied)")
    #expect(try names("filter=tags pr").isEmpty)
  }

  @Test("Single and multi-valued complex attributes: sub-attributes, value paths, one primary")
  func complex() throws {
    let made = try client.create(
      "/Devices",
      device(
        "box",
        #","location":{"building":"North","floor":2},"ports":[{"value":"a","type":"usb","speed":480},{"value":"b","type":"network","speed":1000,"primary":true}]"#
      ))
    let address = "/Devices/\(made.id)"
    for (filter, isFound) in [
      ("location.building eq \"north\"", true), ("location.floor gt 1", true), ("location.floor gt 2", false),
      ("ports[type eq \"usb\" and speed eq 480]", true), ("ports[type eq \"usb\" and speed eq 1000]", false),
      ("ports.speed ge 1000", true), ("ports.value eq \"a\" and ports.primary eq true", true),
      ("ports[value eq \"a\" and primary eq true]", false), ("not (ports[speed gt 5000])", true),
    ] {
      #expect(try !names("filter=\(filter)").isEmpty == isFound, "\(filter)")
    }
    let patched = try client.send(
      "PATCH \(address)",
      PatchBody.make([
        ("replace", "location.floor", 3), ("add", "location", ["surveyed": "2026-01-01T00:00:00Z"]),
        ("replace", "ports[type eq \"usb\"].speed", 5000), ("add", "ports[value eq \"a\"].primary", true),
        ("add", "ports", [["value": "c", "type": "usb"]]),
      ]))
    expect(
      patched, 200,
      [
        "location": ["building": "North", "floor": 3, "surveyed": "2026-01-01T00:00:00Z"],
        "ports": [
          ["value": "a", "speed": 5000, "primary": true], ["value": "b", "primary": false], ["value": "c"],
        ],
      ])
    let removed = try client.send("PATCH \(address)", PatchBody.make([("remove", "ports[type eq \"usb\"]", nil)]))
    #expect(removed["ports"]?.arrayValue?.map { $0["value"] } == ["b"], "\(removed)")
    let failing = try client.send(
      "PATCH \(address)",
      PatchBody.make([("replace", "location.floor", 9), ("replace", "ports[value eq \"no\"]", [:])]))
    #expect(failing.status == 400)
    #expect(try client.send("GET \(address)").json == removed.json)
    expectError(
      try client.send(
        "POST /Devices",
        device("two", #","ports":[{"value":"a","primary":true},{"value":"b","primary":true}]"#)), 400, "invalidValue")
  }

  @Test("immutable: set once, repeated, never changed")
  func immutable() throws {
    let made = try client.create("/Devices", device("plain"))
    let address = "/Devices/\(made.id)"
    let set = try client.send("PATCH \(address)", PatchBody.make([("add", "serialNumber", "S-1")]))
    expect(set, 200, ["serialNumber": "S-1"])
    for body in [PatchBody.replace("serialNumber", "S-1"), PatchBody.make([("add", nil, ["serialNumber": "S-1"])])] {
      let same = try client.send("PATCH \(address)", body)
      #expect(same.status == 200 && same.version == set.version, "\(same)")
    }
    expect(try client.send("PUT \(address)", device("renamed", #","serialNumber":"S-1""#)), 200)
    let before = try client.send("GET \(address)")
    expectError(try client.send("PATCH \(address)", PatchBody.replace("serialNumber", "S-2")), 400, "mutability")
    expectError(
      try client.send("PATCH \(address)", PatchBody.make([("remove", "serialNumber", nil)])), 400, "mutability")
    expectError(
      try client.send("PATCH \(address)", PatchBody.make([("replace", nil, ["serialNumber": "S-2"])])), 400,
      "mutability")
    expectError(try client.send("PUT \(address)", device("plain", #","serialNumber":"S-2""#)), 400, "mutability")
    #expect(try client.send("GET \(address)").json == before.json)
  }

  @Test("uniqueness server: exact where caseExact, 409 by every verb, per type")
  func uniqueness() throws {
    let first = try client.create("/Devices", device("one", #","serialNumber":"abc""#))
    _ = try client.create("/Devices", device("two", #","serialNumber":"ABC""#))
    let third = try client.create("/Devices", device("three"))
    let before = try client.snapshot()
    expectError(try client.send("POST /Devices", device("four", #","serialNumber":"abc""#)), 409, "uniqueness")
    expectError(
      try client.send("PUT /Devices/\(third.id)", device("three", #","serialNumber":"abc""#)), 409, "uniqueness")
    expectError(
      try client.send("PATCH /Devices/\(third.id)", PatchBody.make([("add", "serialNumber", "abc")])), 409,
      "uniqueness")
    #expect(try client.snapshot() == before)
    #expect(try names("filter=serialNumber eq \"abc\"") == ["one"])
    #expect(try client.send("DELETE /Devices/\(first.id)").status == 204)
    _ = try client.create("/Devices", device("four", #","serialNumber":"abc""#))
  }

  @Test("caseExact: compared by letter case, else not")
  func caseExact() throws {
    _ = try client.create("/Devices", device("Upper", #","code":"Kx1","assetTag":"Kx1""#))
    for (filter, isFound) in [
      ("code eq \"Kx1\"", true), ("code eq \"kx1\"", false), ("code sw \"K\"", true), ("code sw \"k\"", false),
      ("assetTag eq \"kX1\"", true), ("displayName eq \"upper\"", true), ("code co \"X\"", false),
    ] {
      #expect(try !names("filter=\(filter)").isEmpty == isFound, "\(filter)")
    }
  }

  @Test("returned request: shown to who asks or sends; always: shown whatever is asked for")
  func returned() throws {
    let made = try client.create("/Devices", device("noted", #","notes":"private","assetTag":"T-1""#))
    #expect(made["notes"] == "private")
    let address = "/Devices/\(made.id)"
    for query in ["", "?attributes=displayName", "?excludedAttributes=displayName"] {
      #expect(try client.send("GET \(address)\(query)")["notes"] == nil)
    }
    #expect(try client.send("GET /Devices").resources.first?["notes"] == nil)
    #expect(try client.send("GET /Devices?attributes=notes").resources.first?["notes"] == "private")
    let asked = try client.send("GET \(address)?attributes=notes")
    #expect(Set(asked.json?.objectValue?.members.map(\.key) ?? []) == ["schemas", "id", "assetTag", "notes"])
    #expect(try client.send("GET \(address)?excludedAttributes=assetTag")["assetTag"] == "T-1")
    #expect(try names("filter=notes eq \"private\"") == ["noted"])

    let touched = try client.send("PATCH \(address)", PatchBody.replace("notes", "changed"))
    #expect(touched["notes"] == "changed", "\(touched)")
    let other = try client.send("PATCH \(address)", PatchBody.replace("code", "c"))
    #expect(other.status == 200 && other["notes"] == nil, "\(other)")
    let put = try client.send("PUT \(address)", device("noted", #","notes":"again""#))
    #expect(put["notes"] == "again", "\(put)")
    let silent = try client.send("PUT \(address)", device("noted"))
    #expect(silent.status == 200 && silent["notes"] == nil)
    #expect(try client.send("GET \(address)?attributes=notes")["notes"] == nil)
  }

  @Test("Written, searched and paged like any other type, also through /.search and with cursors")
  func search() throws {
    for number in 0..<7 { _ = try client.create("/Devices", device("d\(number)", #","slots":\#(number % 3)"#)) }
    #expect(try names("sortBy=slots&sortOrder=descending&count=3") == ["d2", "d5", "d1"])
    #expect(try names("startIndex=6&count=5") == ["d5", "d6"])
    var seen: [String] = []
    var cursor: String? = ""
    while let text = cursor, seen.count < 20 {
      let page = try client.send("GET /Devices?cursor=\(text)&count=3&sortBy=slots")
      #expect(page.status == 200 && page.total == 7, "\(page)")
      seen += page.resources.compactMap { $0["displayName"]?.stringValue }
      cursor = page["nextCursor"]?.stringValue
    }
    #expect(seen == ["d0", "d3", "d6", "d1", "d4", "d2", "d5"])
    let all = try client.send(
      "POST /.search",
      ["schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "filter": "slots eq 2 or userName pr"])
    #expect(all.total == 2, "\(all)")
  }
}
