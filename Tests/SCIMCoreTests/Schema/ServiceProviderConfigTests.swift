import SCIMCore
import Testing

@Suite("Service provider configuration")
struct ServiceProviderConfigTests {
  @Test("says by default what the server does")
  func defaults() {
    var config = ServiceProviderConfig(registry: BuiltInSchemas.registry)
    #expect(config.json(baseURL: "https://a.example/scim/v2")["RolesAndEntitlements"] == nil)
    config.announced = [.pagination, .entitlements]
    let json = config.json(baseURL: "https://a.example/scim/v2")
    #expect(json["schemas"] == ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"])
    #expect(json["patch"] == ["supported": true])
    #expect(json["bulk"] == ["supported": true, "maxOperations": 1000, "maxPayloadSize": 1_048_576])
    #expect(json["filter"] == ["supported": true, "maxResults": 1000])
    for key in ["changePassword", "sort", "etag"] { #expect(json[key] == ["supported": true]) }
    let schemes = json["authenticationSchemes"]?.arrayValue ?? []
    #expect(schemes.count == 1)
    #expect(schemes.first?["type"] == "oauthbearertoken" && schemes.first?["primary"] == true)
    #expect(schemes.first?["name"]?.stringValue != nil && schemes.first?["description"]?.stringValue != nil)
    #expect(
      json["pagination"] == [
        "cursor": true, "index": true, "defaultPaginationMethod": "index", "defaultPageSize": 100, "maxPageSize": 1000,
      ])
    #expect(
      json["RolesAndEntitlements"] == [
        "roles": [
          "supported": true, "multipleRolesSupported": true, "primarySupported": true, "typeSupported": true,
          "types": ["Role"],
        ],
        "entitlements": [
          "supported": true, "multipleEntitlementsSupported": true, "primarySupported": true, "typeSupported": true,
          "types": ["Characteristic"],
        ],
      ])
    #expect(
      json["meta"] == [
        "resourceType": "ServiceProviderConfig", "location": "https://a.example/scim/v2/ServiceProviderConfig",
      ])
    #expect(json["documentationUri"] == nil)
  }

  @Test("follows the settings")
  func settings() {
    var config = ServiceProviderConfig(registry: SchemaRegistry(schemas: [], types: []))
    config.announced = [.pagination, .entitlements]
    config.isBulkSupported = false
    config.maxBulkOperations = 5
    config.maxBulkPayload = 10
    config.defaultPageSize = 20
    config.maxPageSize = 50
    config.cursorTimeout = 3600
    config.documentationURI = "https://a.example/docs"
    let json = config.json(baseURL: "")
    #expect(json["bulk"] == ["supported": false, "maxOperations": 5, "maxPayloadSize": 10])
    #expect(json["filter"]?["maxResults"] == 50)
    #expect(json["pagination"]?["defaultPageSize"] == 20 && json["pagination"]?["maxPageSize"] == 50)
    #expect(json["pagination"]?["cursorTimeout"] == 3600)
    #expect(json["documentationUri"] == "https://a.example/docs")
    #expect(json["RolesAndEntitlements"]?["roles"]?["supported"] == false)
    #expect(json["RolesAndEntitlements"]?["entitlements"]?["types"] == [])
  }
}
