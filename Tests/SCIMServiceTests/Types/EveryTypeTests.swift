import SCIMCore
import Testing

/// A registered type, for rows named after it.
struct TypeCase: Sendable, CustomTestStringConvertible {
  /// The folder below `Tests/Fixtures` that adds the type; nil for what is built in.
  var folder: String?
  var name: String

  var testDescription: String { name }

  /// Every type of the built-in registry, and those that the fixtures add.
  static let all: [TypeCase] =
    BuiltInSchemas.registry.types.map { TypeCase(folder: nil, name: $0.name) }
    + [TypeCase(folder: "device", name: "Device"), TypeCase(folder: "license", name: "License")]

  func registry() throws -> SchemaRegistry {
    try folder.map { try Fixture.registry($0) } ?? BuiltInSchemas.registry
  }
}

/// One instance of every registered type through every verb. What is sent comes from the type's schema, so that a new
/// type is tested by existing.
@Suite("Every type")
struct EveryTypeTests {
  private func make(_ type: TypeCase) throws -> (tenant: Tenant, type: ResourceType) {
    let registry = try type.registry()
    return (try Tenant(Harness(registry: registry)), try #require(registry.type(named: type.name)))
  }

  /// What of a body its answer shows: all but what is never returned.
  private func shown(_ body: JSON, type: ResourceType) -> JSON {
    guard var object = body.objectValue else { return body }
    for attribute in type.schema.attributes where attribute.returned == .never { object[attribute.name] = nil }
    return .object(object)
  }

  /// The same, without what has to be asked for.
  private func shownUnasked(_ body: JSON, type: ResourceType) -> JSON {
    guard var object = shown(body, type: type).objectValue else { return body }
    for attribute in type.schema.attributes where attribute.returned == .request { object[attribute.name] = nil }
    return .object(object)
  }

  @Test("Created, read, listed and counted", arguments: TypeCase.all)
  func create(_ row: TypeCase) throws {
    let (tenant, type) = try make(row)
    let client = tenant.client
    let body = SampleResource(type: type, mark: "alpha").full
    let made = try client.create(type.endpoint, body)
    #expect(Matcher.mismatch(self.shown(body, type: type), made.json) == nil, "\(made)")
    #expect(made["meta"]?["resourceType"] == .string(type.name))
    #expect(made["meta"]?["created"] == made["meta"]?["lastModified"])
    let location = "http://scim.test/scim/v2\(type.endpoint)/\(made.id)"
    #expect(made["meta"]?["location"] == .string(location))
    #expect(made.header("Location") == location)
    #expect(made.header("ETag") == made.version && !made.version.isEmpty)
    for attribute in type.schema.attributes where attribute.returned == .never {
      #expect(made[attribute.name] == nil)
      #expect(!made.text.contains("alpha-\(attribute.name)"))
    }

    let read = try client.send("GET \(type.endpoint)/\(made.id)")
    expect(read, 200, shownUnasked(body, type: type))
    #expect(read["meta"] == made["meta"])
    #expect(read.header("ETag") == made.version)
    let head = try client.send("HEAD \(type.endpoint)/\(made.id)")
    #expect(head.status == 200 && head.answer.body.isEmpty && head.header("ETag") == made.version)
    let known = try client.send(
      "GET \(type.endpoint)/\(made.id)", headers: [("If-None-Match", made.version)])
    #expect(known.status == 304 && known.answer.body.isEmpty)

    let shown = try #require(read.json)
    for request in ["GET \(type.endpoint)", "GET /?filter=id eq \"\(made.id)\""] {
      let list = try client.send(request)
      #expect(list.total == 1 && list.resources == [shown], "\(list)")
    }
    let search: JSON = [
      "schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "filter": .string("id eq \"\(made.id)\""),
    ]
    #expect(try client.send("POST \(type.endpoint)/.search", search).ids == [made.id])
  }

  @Test("Found by every attribute, and by no other value of it", arguments: TypeCase.all)
  func filter(_ row: TypeCase) throws {
    let (tenant, type) = try make(row)
    let client = tenant.client
    let sample = SampleResource(type: type, mark: "alpha")
    let made = try client.create(type.endpoint, sample.full)
    let other = try client.create(type.endpoint, SampleResource(type: type, mark: "bravo").minimal)
    let leaves = sample.leaves
    #expect(!leaves.isEmpty)
    let defaults = Set(type.defaults.map(\.name))
    for leaf in leaves where !defaults.contains(leaf.path) {
      let found = try client.send("GET \(type.endpoint)?filter=\(leaf.path) eq \(leaf.literal.plainInQuery)")
      #expect(found.status == 200 && found.ids == [made.id] && found.total == 1, "\(found)")
      let present = try client.send("GET \(type.endpoint)?filter=\(leaf.path) pr")
      #expect(present.ids.first == made.id, "\(present)")
      guard leaf.isDistinctive else { continue }
      let unlike = try client.send("GET \(type.endpoint)?filter=\(leaf.path) ne \(leaf.literal.plainInQuery)")
      #expect(unlike.ids == [other.id], "\(unlike)")
      let wrong = try client.send("GET \(type.endpoint)?filter=\(leaf.path) eq \"charlie\"")
      #expect(wrong.status == 200 && wrong.total == 0 && wrong["Resources"] == [], "\(wrong)")
    }
  }

  @Test("Projected and sorted by every attribute", arguments: TypeCase.all)
  func project(_ row: TypeCase) throws {
    let (tenant, type) = try make(row)
    let client = tenant.client
    let sample = SampleResource(type: type, mark: "alpha")
    let made = try client.create(type.endpoint, sample.full)
    let other = try client.create(type.endpoint, SampleResource(type: type, mark: "bravo").full)
    let always = Set(type.schema.attributes.filter { $0.returned == .always }.map(\.name)).union(["id", "schemas"])
    for attribute in type.schema.attributes
    where attribute.returned != .never && type.link(for: attribute.name) == nil && attribute.mutability != .readOnly {
      let only = try client.send("GET \(type.endpoint)/\(made.id)?attributes=\(attribute.name)")
      let names = Set(only.json?.objectValue?.members.map(\.key) ?? [])
      #expect(names == always.union([attribute.name]), "\(only)")
      let without = try client.send("GET \(type.endpoint)/\(made.id)?excludedAttributes=\(attribute.name)")
      #expect(
        without.status == 200 && (without[attribute.name] == nil) != (attribute.returned == .always), "\(without)")
    }
    for leaf in sample.leaves where leaf.isDistinctive {
      let ascending = try client.send("GET \(type.endpoint)?sortBy=\(leaf.path)")
      #expect(ascending.ids == [made.id, other.id], "\(ascending)")
      let descending = try client.send("GET \(type.endpoint)?sortBy=\(leaf.path)&sortOrder=descending")
      #expect(descending.ids == [other.id, made.id], "\(descending)")
    }
  }

  @Test("Patched: each attribute removed and set again; no change moves no version", arguments: TypeCase.all)
  func patch(_ row: TypeCase) throws {
    let (tenant, type) = try make(row)
    let client = tenant.client
    let sample = SampleResource(type: type, mark: "alpha")
    let made = try client.create(type.endpoint, sample.full)
    let address = "\(type.endpoint)/\(made.id)"
    let places: [(path: String, attribute: AttributeDefinition, value: JSON?)] =
      type.schema.attributes.filter { type.link(for: $0.name) == nil }.map { ($0.name, $0, sample.full[$0.name]) }
      + type.extensions.flatMap { part in
        part.schema.attributes.map {
          (part.schema.id + ":" + $0.name, $0, sample.full[part.schema.id]?[$0.name])
        }
      }
    for place in places where place.attribute.mutability == .readWrite {
      let value = try #require(place.value)
      let query = place.attribute.returned == .request ? "?attributes=\(place.path)" : ""
      let before = try client.send("GET \(address)\(query)")
      let same = try client.send("PATCH \(address)\(query)", operation("replace", place.path, value))
      expect(same, 200)
      #expect(same.json == before.json, "setting \(place.path) to what it is changed something")
      let removed = try client.send("PATCH \(address)\(query)", operation("remove", place.path, nil))
      if place.attribute.isRequired {
        expectError(removed, 400, "mutability")
        continue
      }
      expect(removed, 200)
      #expect(removed.json != before.json, "removing \(place.path) changed nothing")
      let restored = try client.send("PATCH \(address)\(query)", operation("add", place.path, value))
      expect(restored, 200)
      var expected = before.json?.objectValue
      expected?["meta"] = nil
      var got = restored.json?.objectValue
      got?["meta"] = nil
      #expect(got == expected, "setting \(place.path) again: \(restored)")
    }
    expect(
      try client.send("GET \(address)"), 200, shownUnasked(sample.full, type: type))
  }

  @Test("Replaced: what is left out goes, what is stale is refused", arguments: TypeCase.all)
  func replace(_ row: TypeCase) throws {
    let (tenant, type) = try make(row)
    let client = tenant.client
    let sample = SampleResource(type: type, mark: "alpha")
    let made = try client.create(type.endpoint, sample.full)
    let address = "\(type.endpoint)/\(made.id)"
    let same = try client.send("PUT \(address)", sample.full)
    expect(same, 200)
    if !type.schema.attributes.contains(where: { $0.returned == .never }) { #expect(same.version == made.version) }

    let name = try #require(sample.nameAttribute)
    var changed = try #require(sample.full.objectValue)
    changed[name.name] = "delta"
    expectError(try client.send("PUT \(address)", .object(changed), headers: [("If-Match", "W/\"99\"")]), 412)
    let put = try client.send("PUT \(address)", .object(changed), headers: [("If-Match", same.version)])
    expect(put, 200, shown(.object(changed), type: type))
    #expect(put.version != same.version)
    #expect(put["meta"]?["created"] == made["meta"]?["created"])

    // What is immutable has to be repeated; all else may be left out.
    var least = try #require(sample.minimal.objectValue)
    for attribute in type.schema.attributes where attribute.mutability == .immutable {
      least[attribute.name] = sample.full[attribute.name]
    }
    let cleared = try client.send("PUT \(address)", .object(least))
    expect(cleared, 200, shownUnasked(.object(least), type: type))
    let kept = Set(type.defaults.map(\.name))
    for attribute in type.schema.attributes
    where least[attribute.name] == nil && attribute.mutability == .readWrite && !kept.contains(attribute.name) {
      #expect(cleared[attribute.name] == nil, "\(attribute.name) stayed: \(cleared)")
    }
    #expect(cleared["externalId"] == nil)
  }

  @Test("Deleted: gone from everywhere, its unique values free again", arguments: TypeCase.all)
  func delete(_ row: TypeCase) throws {
    let (tenant, type) = try make(row)
    let client = tenant.client
    let sample = SampleResource(type: type, mark: "alpha")
    let made = try client.create(type.endpoint, sample.full)
    let address = "\(type.endpoint)/\(made.id)"
    expectError(try client.send("DELETE \(address)", headers: [("If-Match", "W/\"99\"")]), 412)
    let deleted = try client.send("DELETE \(address)")
    #expect(deleted.status == 204 && deleted.answer.body.isEmpty)
    for verb in ["GET", "PUT", "PATCH", "DELETE"] {
      let body: JSON? =
        switch verb {
        case "PUT": sample.full
        case "PATCH": operation("replace", try #require(sample.nameAttribute).name, "x")
        default: nil
        }
      expectError(try client.send("\(verb) \(address)", body), 404)
    }
    for request in ["GET \(type.endpoint)", "GET /", "GET \(type.endpoint)?filter=id eq \"\(made.id)\""] {
      #expect(try client.send(request).total == 0)
    }
    let again = try client.create(type.endpoint, sample.full)
    #expect(again.id != made.id)
  }

  @Test("Written by Bulk", arguments: TypeCase.all)
  func bulk(_ row: TypeCase) throws {
    let (tenant, type) = try make(row)
    let client = tenant.client
    let sample = SampleResource(type: type, mark: "alpha")
    let name = try #require(sample.nameAttribute).name
    let reply = try client.send(
      "POST /Bulk",
      [
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
        "Operations": [
          ["method": "POST", "path": .string(type.endpoint), "bulkId": "one", "data": sample.full],
          [
            "method": "PATCH", "path": .string("\(type.endpoint)/bulkId:one"),
            "data": operation("replace", name, "echo"),
          ],
          ["method": "POST", "path": .string(type.endpoint), "data": SampleResource(type: type, mark: "bravo").full],
          ["method": "DELETE", "path": .string("\(type.endpoint)/nobody")],
        ],
      ])
    #expect(reply.status == 200, "\(reply)")
    #expect(
      reply["Operations"]?.arrayValue?.map { $0["status"]?.stringValue } == ["201", "200", "201", "404"], "\(reply)")
    let list = try client.send("GET \(type.endpoint)?sortBy=meta.created")
    #expect(list.total == 2)
    #expect(list.resources.first?[name] == "echo")
  }

  private func operation(_ op: String, _ path: String, _ value: JSON?) -> JSON {
    PatchBody.make([(op, path, value)])
  }
}

extension String {
  /// A filter literal as it may stand in a query string.
  var plainInQuery: String {
    replacing("%", with: "%25").replacing("&", with: "%26").replacing("+", with: "%2B").replacing("#", with: "%23")
  }
}
