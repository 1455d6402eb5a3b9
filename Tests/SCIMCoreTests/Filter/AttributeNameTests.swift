import SCIMCore
import Testing

@Suite struct AttributeNameTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// The path found; nil where nothing is.
    let path: String?
    let strict: String?
    var testDescription: String { name }

    init(_ name: String, _ path: String?) {
      self.init(name, lenient: path, strict: path)
    }

    init(_ name: String, lenient: String?, strict: String?) {
      self.name = name
      self.path = lenient
      self.strict = strict
    }
  }

  static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  static let core = "urn:ietf:params:scim:schemas:core:2.0:User"

  static let ofUser = [
    Row("userName", "userName"), Row("USERNAME", "userName"), Row("name", "name"),
    Row("Name.GIVENname", "name.givenName"),
    Row("id", "id"), Row("externalID", "externalId"), Row("meta.lastmodified", "meta.lastModified"),
    Row("schemas", "schemas"), Row("groups.$REF", "groups.$ref"), Row("emails.value", "emails.value"),
    Row("\(core):userName", "userName"), Row("\(core):name.familyName", "name.familyName"), Row("\(core):id", "id"),
    Row("\(core):meta.created", "meta.created"),
    Row("URN:IETF:PARAMS:SCIM:SCHEMAS:CORE:2.0:USER:Name.FamilyName", "name.familyName"),
    Row("\(enterprise):department", "\(enterprise):department"),
    Row("URN:ietf:params:scim:schemas:extension:ENTERPRISE:2.0:user:Manager.VALUE", "\(enterprise):manager.value"),
    Row("department", lenient: "\(enterprise):department", strict: nil),
    Row("Manager.displayName", lenient: "\(enterprise):manager.displayName", strict: nil),
    Row("noSuch", nil), Row("name.noSuch", nil), Row("userName.x", nil), Row("manager.noSuch", nil), Row("", nil),
    Row(".userName", nil), Row("userName.", nil), Row("name..givenName", nil), Row("name.givenName.x", nil),
    Row(core, nil), Row("\(core):", nil), Row("\(core):noSuch", nil), Row("\(core):department", nil),
    Row("\(core).userName", lenient: "userName", strict: nil), Row("\(enterprise)", nil),
    Row("\(enterprise):userName", nil),
    Row("\(enterprise):id", nil),
    Row("urn:acme:none:1.0:User:badge", nil), Row(":userName", nil), Row("User:userName", nil), Row("userName:", nil),
  ]

  @Test(arguments: ofUser) func `resolves against User`(row: Row) {
    expect(row, FilterFixtures.user)
  }

  static let ofWidget = [
    Row("urn:x:Widget:title", "title"), Row("urn:x:Widget:ext:title", "urn:x:Widget:ext:title"), Row("title", "title"),
    Row("urn:x:widget:EXT:DEEP:low", "urn:x:Widget:ext:deep:low"),
    Row("urn:x:Widget:ext:deep:shared", "urn:x:Widget:ext:deep:shared"),
    Row("urn:x:Widget:ext:shared", "urn:x:Widget:ext:shared"), Row("shared", nil),
    Row("only", lenient: "urn:x:Widget:ext:only", strict: nil),
    Row("low", lenient: "urn:x:Widget:ext:deep:low", strict: nil),
    Row("boss.value", lenient: "urn:x:Widget:ext:boss.value", strict: nil), Row("urn:x:Widget:only", nil),
    Row("urn:x:Widget:ext:low", nil), Row("urn:x:Widget:ext", nil),
  ]

  @Test(arguments: ofWidget) func `resolves against a type with nested URNs`(row: Row) {
    expect(row, FilterFixtures.widget)
  }

  @Test func `a common attribute goes before a schema's of that name`() {
    let id = AttributeName.resolve("id", in: FilterFixtures.widget, profile: .strict)
    #expect(id?.home == .common)
    #expect(id?.attribute === CommonAttributes.id)
  }

  private func expect(_ row: Row, _ type: ResourceType) {
    #expect(AttributeName.resolve(row.name, in: type, profile: .interop)?.path == row.path)
    #expect(AttributeName.resolve(row.name, in: type, profile: .entra)?.path == row.path)
    #expect(AttributeName.resolve(row.name, in: type, profile: .strict)?.path == row.strict)
  }
}
