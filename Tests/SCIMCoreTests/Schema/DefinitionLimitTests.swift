import SCIMCore
import Testing

/// How much an organisation may define: exactly that much, and one more.
@Suite("Limits of definitions")
struct DefinitionLimitTests {
  private static func schema(_ number: Int, attributes: [JSON] = [["name": "a"]]) -> Definition {
    let urn = "urn:acme:scim:schemas:s\(number):1.0:Thing"
    return Definition(
      kind: .schema, name: urn,
      document: JSONObject([
        .init(key: "id", value: .string(urn)), .init(key: "name", value: "S"),
        .init(key: "attributes", value: .array(attributes)),
      ]))
  }

  private static func type(_ number: Int, extensions: [Definition] = []) -> Definition {
    Definition(
      kind: .type, name: "T\(number)",
      document: JSONObject([
        .init(key: "name", value: .string("T\(number)")), .init(key: "endpoint", value: .string("/T\(number)s")),
        .init(key: "schema", value: "urn:okta:scim:schemas:core:1.0:Entitlement"),
        .init(
          key: "schemaExtensions",
          value: .array(extensions.map { ["schema": .string($0.name), "required": false] })),
      ]))
  }

  private static func isTaken(_ definitions: [Definition]) -> Bool {
    (try? DefinitionLoader.load(definitions, extending: BuiltInSchemas.registry)) != nil
  }

  @Test("200 schemas, and not 201")
  func schemas() {
    let definitions = (0...200).map { Self.schema($0) }
    #expect(Self.isTaken(Array(definitions.prefix(200))))
    #expect(!Self.isTaken(definitions))
  }

  @Test("100 types, and not 101")
  func types() {
    let definitions = (0...100).map { Self.type($0) }
    #expect(Self.isTaken(Array(definitions.prefix(100))))
    #expect(!Self.isTaken(definitions))
  }

  @Test("1000 attributes of a type, those of its base, its extensions and all sub-attributes counted, and not 1001")
  func attributes() throws {
    let base = try #require(
      BuiltInSchemas.registry.schemas.first { $0.id == "urn:okta:scim:schemas:core:1.0:Entitlement" })
    let own = base.attributes.reduce(0) { $0 + 1 + $1.subAttributes.count }
    func definitions(_ count: Int) -> [Definition] {
      // One of them is complex, with one below it.
      let simple = (0..<count - own - 2).map { number -> JSON in ["name": .string("a\(number)")] }
      let complex: JSON = ["name": "c", "type": "complex", "subAttributes": [["name": "s"]]]
      let schema = Self.schema(0, attributes: simple + [complex])
      return [schema, Self.type(0, extensions: [schema])]
    }
    #expect(Self.isTaken(definitions(1000)))
    #expect(!Self.isTaken(definitions(1001)))
  }

  @Test("3,000 attributes of all types together, shared extensions counted for each type, and not 3,001")
  func together() throws {
    let base = try #require(
      BuiltInSchemas.registry.schemas.first { $0.id == "urn:okta:scim:schemas:core:1.0:Entitlement" })
    let own = base.attributes.reduce(0) { $0 + 1 + $1.subAttributes.count }
    func schema(_ number: Int, ofTypeWith count: Int) -> Definition {
      Self.schema(number, attributes: (0..<count - own).map { ["name": .string("a\($0)")] })
    }
    func definitions(last: Int) -> [Definition] {
      let (shared, other, rest) = (
        schema(0, ofTypeWith: 1000), schema(1, ofTypeWith: 600), schema(2, ofTypeWith: last)
      )
      return [shared, other, rest] + (0..<2).map { Self.type($0, extensions: [shared]) }
        + [Self.type(9, extensions: [other]), Self.type(10, extensions: [rest])]
    }
    #expect(Self.isTaken(definitions(last: 400)))
    #expect(!Self.isTaken(definitions(last: 401)))
  }

  @Test("256 KiB of JSON together, and not one byte more")
  func bytes() {
    func definitions(_ count: Int) -> [Definition] {
      let first = Self.schema(0)
      var second = Self.schema(1)
      second.document["description"] = ""
      let rest = count - size([first, second])
      second.document["description"] = .string(String(repeating: "x", count: rest))
      return [first, second]
    }
    func size(_ definitions: [Definition]) -> Int {
      definitions.reduce(0) { $0 + JSON.object($1.document).encoded().count }
    }
    #expect(size(definitions(256 << 10)) == 256 << 10)
    #expect(Self.isTaken(definitions(256 << 10)))
    #expect(!Self.isTaken(definitions((256 << 10) + 1)))
  }
}
