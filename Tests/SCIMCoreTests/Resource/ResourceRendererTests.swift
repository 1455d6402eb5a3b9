import SCIMCore
import Testing

struct ResourceRendererTests {
  static let renderer = ResourceRenderer(baseURL: "https://scim.example/v2")

  private func stored(
    _ type: ResourceType, id: String = "7", _ document: JSON, links: [LinkElement] = []
  ) -> StoredResource {
    StoredResource(
      handle: 1, type: type.name, id: id, version: 3, created: Timestamp(milliseconds: 0),
      modified: Timestamp(milliseconds: 1500), document: document.encoded(), links: links)
  }

  private func render(
    _ resource: StoredResource, _ type: ResourceType, _ projection: Projection = .none, used: Int? = nil
  ) throws -> String {
    var output: [UInt8] = []
    try Self.renderer.append(
      resource, type: type, registry: Fixture.registry, projection: projection, assignmentsUsed: used, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private func meta(_ type: ResourceType, id: String = "7") -> String {
    #""meta":{"resourceType":"\#(type.name)","created":"1970-01-01T00:00:00.000Z","#
      + #""lastModified":"1970-01-01T00:00:01.500Z","location":"https://scim.example/v2\#(type.endpoint)/\#(id)","#
      + #""version":"W/\"3\""}"#
  }

  @Test("The document, then meta")
  func plain() throws {
    let got = try render(
      stored(Fixture.plainUser, ["schemas": ["u"], "id": "7", "userName": "ada"]), Fixture.plainUser)
    #expect(got == #"{"schemas":["u"],"id":"7","userName":"ada",\#(meta(Fixture.plainUser))}"#)
  }

  @Test("Members of a group, of both types, one without display")
  func members() throws {
    let links = [
      LinkElement(attribute: "members", handle: 2, type: "User", id: "u1", display: "Ada \"A\""),
      LinkElement(attribute: "members", handle: 3, type: "Group", id: "g2", display: nil),
    ]
    let got = try render(stored(Fixture.group, ["id": "7", "displayName": "Team"], links: links), Fixture.group)
    #expect(
      got == #"{"id":"7","displayName":"Team","members":["#
        + #"{"value":"u1","$ref":"https://scim.example/v2/Users/u1","type":"User","display":"Ada \"A\""},"#
        + #"{"value":"g2","$ref":"https://scim.example/v2/Groups/g2","type":"Group"}],\#(meta(Fixture.group))}"#)
  }

  @Test("An empty group shows no members")
  func noMembers() throws {
    let got = try render(stored(Fixture.group, ["id": "7"]), Fixture.group)
    #expect(got == #"{"id":"7",\#(meta(Fixture.group))}"#)
  }

  @Test("Groups of a user, and entitlements with what the link carries")
  func derived() throws {
    let links = [
      LinkElement(
        attribute: "entitlements", handle: 4, type: "License", id: "l1", display: "Seat",
        extra: JSONObject([JSONObject.Member(key: "primary", value: true), JSONObject.Member(key: "value", value: "x")])
      ),
      LinkElement(attribute: "groups", handle: 2, type: "Group", id: "g1", display: "Team"),
      LinkElement(attribute: "groups", handle: 3, type: "Group", id: "g2", display: "All", isDirect: false),
    ]
    let got = try render(stored(Fixture.plainUser, ["id": "7"], links: links), Fixture.plainUser)
    #expect(
      got == #"{"id":"7","groups":["#
        + #"{"value":"g1","$ref":"https://scim.example/v2/Groups/g1","display":"Team","type":"direct"},"#
        + #"{"value":"g2","$ref":"https://scim.example/v2/Groups/g2","display":"All","type":"indirect"}],"#
        + #""entitlements":[{"value":"l1","display":"Seat","type":"License","#
        + #""$ref":"https://scim.example/v2/Licenses/l1","primary":true}],\#(meta(Fixture.plainUser))}"#)
  }

  @Test("Linked and unlinked elements are one list")
  func merged() throws {
    let links = [LinkElement(attribute: "entitlements", handle: 4, type: "License", id: "l1", display: "Seat")]
    let document: JSON = ["id": "7", "entitlements": [["value": "own", "type": "t"]], "title": "x"]
    let got = try render(stored(Fixture.plainUser, document, links: links), Fixture.plainUser)
    #expect(
      got == #"{"id":"7","entitlements":[{"value":"l1","display":"Seat","type":"License","#
        + #""$ref":"https://scim.example/v2/Licenses/l1"},{"value":"own","type":"t"}],"title":"x",\#(meta(Fixture.plainUser))}"#
    )
    let unlinked = try render(stored(Fixture.plainUser, document), Fixture.plainUser)
    #expect(
      unlinked == #"{"id":"7","entitlements":[{"value":"own","type":"t"}],"title":"x",\#(meta(Fixture.plainUser))}"#)
  }

  @Test("The count stands in its place, where the extension is")
  func counted() throws {
    let document: JSON = ["id": "7", Fixture.countedURN: ["value": "s", "totalAssignmentsPermitted": 5]]
    let got = try render(stored(Fixture.license, document), Fixture.license, used: 3)
    #expect(
      got
        == #"{"id":"7","\#(Fixture.countedURN)":{"value":"s","totalAssignmentsUsed":3,"totalAssignmentsPermitted":5},"#
        + meta(Fixture.license) + "}")
    let without = try render(stored(Fixture.license, ["id": "7"]), Fixture.license, used: 3)
    #expect(without == #"{"id":"7",\#(meta(Fixture.license))}"#)
    #expect(Fixture.license.countedExtension == Fixture.countedURN)
    #expect(Fixture.user.countedExtension == nil)
  }

  @Test("Ids and bases are written so that URIs and JSON stay whole")
  func escapes() throws {
    let id = "a/b \"c\"é"
    let resource = stored(Fixture.group, id: id, ["id": .string(id)])
    let got = try render(resource, Fixture.group)
    #expect(got.contains(#""location":"https://scim.example/v2/Groups/a%2Fb%20%22c%22%C3%A9""#))
    #expect(Self.renderer.location(type: Fixture.group, id: id).hasSuffix("/Groups/a%2Fb%20%22c%22%C3%A9"))
    var output: [UInt8] = []
    try ResourceRenderer(baseURL: "http://a\"b\\").append(
      resource, type: Fixture.group, registry: Fixture.registry, to: &output)
    #expect(try JSON(parsing: output)["meta"]?["location"] == #"http://a"b\/Groups/a%2Fb%20%22c%22%C3%A9"#)
  }

  @Test("excludedAttributes=members leaves the members out, given or not")
  func excluded() throws {
    let links = [LinkElement(attribute: "members", handle: 2, type: "User", id: "u1", display: nil)]
    let projection = try Projection(
      attributes: [], excluded: ["members"], type: Fixture.group, profile: .interop)
    let got = try render(stored(Fixture.group, ["id": "7"], links: links), Fixture.group, projection)
    #expect(got == #"{"id":"7",\#(meta(Fixture.group))}"#)
  }

  @Test("attributes=members.value")
  func projected() throws {
    let links = [LinkElement(attribute: "members", handle: 2, type: "User", id: "u1", display: "Ada")]
    let projection = try Projection(
      attributes: ["members.value", "meta.version"], excluded: [], type: Fixture.group, profile: .interop)
    let got = try render(
      stored(Fixture.group, ["id": "7", "displayName": "Team"], links: links), Fixture.group, projection)
    #expect(got == #"{"id":"7","members":[{"value":"u1"}],"meta":{"version":"W/\"3\""}}"#)
  }

  @Test("What is never returned stays inside")
  func never() throws {
    let document: JSON = ["id": "7", Fixture.ownURN: ["pin": "1234", "tags": ["t"]]]
    let got = try render(stored(Fixture.user, document), Fixture.user)
    #expect(got == #"{"id":"7","\#(Fixture.ownURN)":{"tags":["t"]},\#(meta(Fixture.user))}"#)
  }

  @Test("A broken document is an internal error", arguments: ["", "{", "[]", "{\"id\":7"])
  func broken(_ text: String) {
    var resource = stored(Fixture.plainUser, [:])
    resource.document = Array(text.utf8)
    #expect(throws: SCIMError(.internalError, "a stored document of type User cannot be read: 7")) {
      try render(resource, Fixture.plainUser)
    }
  }

  /// Two groups, then two entitlements, with and without the parts that may be missing.
  private func link(_ number: Int, seed: Int) -> LinkElement {
    let isGroup = number < 2
    let extra = number == 3 ? [JSONObject.Member(key: "primary", value: true)] : []
    return LinkElement(
      attribute: isGroup ? "groups" : "entitlements", handle: Int64(number), type: isGroup ? "Group" : "License",
      id: "id \(number)", display: number == 1 ? nil : "Zoë \"\(number)\"", extra: JSONObject(extra),
      isDirect: number == 0, isShared: number % 2 == seed % 2)
  }

  @Test("Splicing and rendering as a value give the same bytes", arguments: 0..<200)
  func spliced(_ seed: Int) throws {
    var random = ResourceRandom(seed: UInt64(seed))
    let type = Fixture.plainUser
    var document = try ResourceNormalizer.normalize(.object(random.user()), type: type, profile: .interop).document
    document.members.insert(JSONObject.Member(key: "id", value: "7"), at: 1)
    let links = (0..<Int.random(in: 0...4, using: &random)).map { link($0, seed: seed) }
    if seed.isMultiple(of: 3) {
      document["entitlements"] = [["value": "kept"]]
    }
    let resource = stored(type, .object(document), links: links)
    let value = try Self.renderer.json(resource, type: type, registry: Fixture.registry)
    #expect(try render(resource, type) == String(decoding: JSON.object(value).encoded(), as: UTF8.self))
    for names in [["groups"], ["groups", "title"]] {
      let projection = try Projection(attributes: [], excluded: names, type: type, profile: .interop)
      let cut = try Self.renderer.json(resource, type: type, registry: Fixture.registry, projection: projection)
      #expect(try render(resource, type, projection) == String(decoding: JSON.object(cut).encoded(), as: UTF8.self))
    }
  }
}
