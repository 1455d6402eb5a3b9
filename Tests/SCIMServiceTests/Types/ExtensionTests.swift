import SCIMCore
import Testing

/// Extensions and entitlement types that a deployment brings as data.
@Suite("Extensions from files")
struct ExtensionTests {
  private static let user = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  private static let badge = "urn:example:params:scim:schemas:extension:1.0:Badge"
  private static let license = "urn:example:params:scim:schemas:extension:1.0:License"
  private static let entitlement = "urn:okta:scim:schemas:core:1.0:Entitlement"

  @Test("One path-less PATCH with core, enterprise and own values: each in its place, the rest stays")
  func pathless() throws {
    let client = try Tenant(Harness(registry: Fixture.registry("badge"))).client
    let made = try client.create(
      "/Users",
      [
        "schemas": [.string(Self.user), .string(Self.enterprise), .string(Self.badge)], "userName": "ann",
        Self.enterprise: ["department": "Sales", "costCenter": "7"],
        Self.badge: ["badgeNumber": 1, "color": "red"],
      ])
    let forms: [JSON] = [
      [
        "title": "Dr", Self.enterprise: ["department": "Support"], Self.badge: ["badgeNumber": 2],
      ],
      [
        "name.givenName": "Ann", Self.enterprise + ":department": "Law",
        Self.badge + ":badgeNumber": "3",
      ],
    ]
    let first = try client.send("PATCH /Users/\(made.id)", PatchBody.make([("replace", nil, forms[0])]))
    expect(
      first, 200,
      [
        "title": "Dr", "userName": "ann", Self.enterprise: ["department": "Support", "costCenter": "7"],
        Self.badge: ["badgeNumber": 2, "color": "red"],
      ])
    let second = try client.send("PATCH /Users/\(made.id)", PatchBody.make([("add", nil, forms[1])]))
    expect(
      second, 200,
      [
        "title": "Dr", "name": ["givenName": "Ann"],
        Self.enterprise: ["department": "Law", "costCenter": "7"],
        Self.badge: ["badgeNumber": 3, "color": "red"],
      ])
    #expect(second[Self.enterprise + ":department"] == nil)
    for filter in ["\(Self.badge):badgeNumber eq 3", "badgeNumber gt 2", "\(Self.badge):color eq \"RED\""] {
      #expect(try client.send("GET /Users?filter=\(filter)").ids == [made.id], "\(filter)")
    }
    let removed = try client.send("PATCH /Users/\(made.id)", PatchBody.make([("remove", Self.badge, nil)]))
    #expect(removed[Self.badge] == nil && removed[Self.enterprise] != nil, "\(removed)")
    #expect(removed["schemas"]?.arrayValue?.contains(.string(Self.badge)) == false)
    #expect(try client.send("GET /Users?filter=schemas eq \"\(Self.badge)\"").total == 0)
  }

  @Test("An extension that is required")
  func required() throws {
    let client = try Tenant(Harness(registry: Fixture.registry("license"))).client
    let plain: JSON = ["schemas": [.string(Self.entitlement)], "displayName": "Office"]
    expectError(try client.send("POST /Licenses", plain), 400, "invalidValue")
    let half: JSON = [
      "schemas": [.string(Self.entitlement)], "displayName": "Office", Self.license: ["seats": 5],
    ]
    expectError(try client.send("POST /Licenses", half), 400, "invalidValue")
    #expect(try client.send("GET /Licenses").total == 0)
    let whole: JSON = [
      "schemas": [.string(Self.entitlement), .string(Self.license)], "displayName": "Office",
      Self.license: ["seats": 5, "plan": "E5"],
    ]
    let made = try client.create("/Licenses", whole)
    expectError(try client.send("PUT /Licenses/\(made.id)", plain), 400, "invalidValue")
    expectError(
      try client.send("PATCH /Licenses/\(made.id)", PatchBody.make([("remove", Self.license, nil)])), 400,
      "mutability")
    #expect(try client.send("GET /Licenses/\(made.id)").json == made.json)
  }

  @Test("A new entitlement type is listed, served, and linked by type")
  func linked() throws {
    let client = try Tenant(Harness(registry: Fixture.registry("license"))).client
    #expect(try client.send("GET /ResourceTypes").resources.contains { $0["endpoint"] == "/Licenses" })
    #expect(try client.send("GET /Schemas/\(Self.license)").status == 200)
    let license = try client.create(
      "/Licenses",
      ["schemas": [.string(Self.entitlement)], "displayName": "Office", Self.license: ["plan": "E5"]])
    #expect(license["type"] == "License")
    let characteristic = try client.create(
      "/Characteristics", ["schemas": [.string(Self.entitlement)], "displayName": "Office"])
    let made = try client.create(
      "/Users",
      [
        "schemas": [.string(Self.user)], "userName": "ann",
        "entitlements": [
          ["value": "Office", "type": "License"], ["value": .string(characteristic.id), "type": "Characteristic"],
          ["value": .string(characteristic.id), "type": "License"],
        ],
      ])
    let elements = made["entitlements"]?.arrayValue ?? []
    let linked = elements.filter { $0["$ref"] != nil }
    #expect(linked.count == 2, "\(made)")
    #expect(
      linked.contains {
        $0["value"] == .string(license.id) && $0["type"] == "License"
          && $0["$ref"] == .string("http://scim.test/scim/v2/Licenses/\(license.id)")
      }, "\(made)")
    for (filter, isFound) in [
      ("entitlements[type eq \"License\" and value eq \"\(license.id)\"]", true),
      ("entitlements[type eq \"Characteristic\" and value eq \"\(license.id)\"]", false),
      ("entitlements.value eq \"\(license.id)\"", true),
    ] {
      #expect(try client.send("GET /Users?filter=\(filter)").total == (isFound ? 1 : 0), "\(filter)")
    }
  }
}
