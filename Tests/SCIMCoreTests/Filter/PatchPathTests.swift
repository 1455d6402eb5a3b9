import SCIMCore
import Testing

@Suite struct PatchPathTests {
  static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  static let core = "urn:ietf:params:scim:schemas:core:2.0:User"

  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let target: String
    let filter: String?
    /// `name=value` of each equality; nil where the filter is no conjunction of equalities.
    let equalities: [String]?
    var testDescription: String { text }

    init(_ text: String, _ target: String, filter: String? = nil, equalities: [String]? = nil) {
      self.text = text
      self.target = target
      self.filter = filter
      self.equalities = equalities
    }
  }

  static let byAll = [
    Row("members", "members"), Row("DISPLAYNAME", "displayName"),
    Row("id", "id"),
    Row("meta.created", "meta.created"), Row("emails.value", "emails.value"),
    Row("\(core):name.familyName", "name.familyName"),
    Row("URN:ietf:params:scim:schemas:CORE:2.0:User:id", "id"),
    Row("\(enterprise):department", "\(enterprise):department"),
    Row("\(enterprise):manager.value", "\(enterprise):manager.value"),
    Row(
      #"emails[type eq "Work"]"#, "emails", filter: #"emails.type eq "work""#, equalities: [#"type="Work""#]),
    Row(
      #"Emails[TYPE EQ "work"].Value"#, "emails.value", filter: #"emails.type eq "work""#, equalities: [#"type="work""#]
    ),
    Row(
      #"\#(core):emails[type eq "home"].value"#, "emails.value", filter: #"emails.type eq "home""#,
      equalities: [#"type="home""#]),
    Row(
      #"phoneNumbers[type eq "mobile" and (primary eq true and display eq "M")].value"#, "phoneNumbers.value",
      filter: #"(phoneNumbers.type eq "mobile" and phoneNumbers.primary eq true and phoneNumbers.display eq "m")"#,
      equalities: [#"type="mobile""#, "primary=true", #"display="M""#]),
    Row(
      #"emails[type eq "a" and primary eq false].value"#, "emails.value",
      filter: #"(emails.type eq "a" and emails.primary ne true)"#, equalities: [#"type="a""#, "primary=false"]),
    Row(
      #"emails[type eq "a" or type eq "b"].value"#, "emails.value",
      filter: #"(emails.type eq "a" or emails.type eq "b")"#),
    Row(#"emails[value sw "zz"].display"#, "emails.display", filter: #"emails.value sw "zz""#),
    Row(#"emails[type eq "a" and value ne "b"]"#, "emails", filter: #"(emails.type eq "a" and emails.value ne "b")"#),
    Row(#"emails[type eq "a" and type eq "b"]"#, "emails", filter: #"(emails.type eq "a" and emails.type eq "b")"#),
    Row("emails[not (type eq \"a\")]", "emails", filter: #"emails.type ne "a""#),
    Row("emails[type pr]", "emails", filter: "emails.type pr"),
    Row("emails[type eq null].value", "emails.value", filter: "emails.type eq null"),
    Row(#"groups[value eq "Ab"]"#, "groups", filter: #"groups.value eq "Ab""#, equalities: [#"value="Ab""#]),
    Row(#"groups[$ref ew "/1"].$ref"#, "groups.$ref", filter: #"groups.$ref ew "/1""#),
  ]

  @Test(arguments: byAll.dropFirst(), Profile.allCases)
  func `is understood`(row: Row, profile: Profile) throws {
    try expect(row, FilterFixtures.user, profile)
  }

  @Test func `members of a group`() throws {
    try expect(Self.byAll[0], FilterFixtures.group, .strict)
    try expect(
      Row(#"members[value eq "A"]"#, "members", filter: #"members.value eq "A""#, equalities: [#"value="A""#]),
      FilterFixtures.group, .strict)
  }

  static let leniently = [
    Row("manager", "\(enterprise):manager"), Row("Department", "\(enterprise):department"),
    Row(" name.familyName ", "name.familyName"), Row("emails[ type pr ]", "emails", filter: "emails.type pr"),
    Row("manager.value", "\(enterprise):manager.value"), Row("\(enterprise).costCenter", "\(enterprise):costCenter"),
    Row(
      #"manager[value eq "b"]"#, "\(enterprise):manager", filter: #"\#(enterprise):manager.value eq "b""#,
      equalities: [#"value="b""#]),
    Row(
      #"name[givenName eq "A"].familyName"#, "name.familyName", filter: #"name.givenName eq "a""#,
      equalities: [#"givenName="A""#]),
    Row(#"emails[type eq"home"]"#, "emails", filter: #"emails.type eq "home""#, equalities: [#"type="home""#]),
    Row("emails[type eq Home]", "emails", filter: #"emails.type eq "home""#, equalities: [#"type="Home""#]),
    Row(
      #"roles[primary eq "True"].value"#, "roles.value", filter: "roles.primary eq true", equalities: ["primary=true"]),
  ]

  @Test(arguments: leniently) func `is understood leniently and refused strictly`(row: Row) throws {
    try expect(row, FilterFixtures.user, .interop)
    try expect(row, FilterFixtures.user, .entra)
    #expect(throws: SCIMError.self) { try PatchPath.parse(row.text, type: FilterFixtures.user, profile: .strict) }
  }

  static let onWidget = [
    Row("tags", "tags"), Row(#"tags[value eq "X"]"#, "tags", filter: #"tags eq "x""#),
    Row(#"tags[value eq "X"].value"#, "tags", filter: #"tags eq "x""#),
    Row("sizes[value gt 2.5]", "sizes", filter: "sizes gt 2"),
    Row(
      #"parts[count eq 2.0 and weight eq 1.5 and made eq "2020-01-01T00:00:00Z"]"#, "parts",
      filter: "(parts.count eq 2 and parts.weight eq 1.5d and parts.made eq @1577836800000)",
      equalities: ["count=2", "weight=1.5", #"made="2020-01-01T00:00:00Z""#]),
    Row("parts[count eq 2.5].value", "parts.value", filter: "none"),
  ]

  @Test(arguments: onWidget) func `is understood on other data types`(row: Row) throws {
    try expect(row, FilterFixtures.widget, .interop)
  }

  private func expect(_ row: Row, _ type: ResourceType, _ profile: Profile) throws {
    let path = try PatchPath.parse(row.text, type: type, profile: profile)
    #expect(path.reference?.path == row.target)
    #expect(path.sub?.name == path.reference?.sub?.name)
    #expect(path.extensionURN == nil)
    #expect(path.filter?.words == row.filter)
    let equalities = path.equalities?.map {
      "\($0.attribute.name)=\(String(decoding: $0.value.encoded(), as: UTF8.self))"
    }
    #expect(equalities == row.equalities)
  }

  @Test(
    arguments: [enterprise, "URN:ietf:params:scim:schemas:extension:enterprise:2.0:USER"],
    Profile.allCases)
  func `an extension's URN is the whole extension`(text: String, profile: Profile) throws {
    let path = try PatchPath.parse(text, type: FilterFixtures.user, profile: profile)
    #expect(path.extensionURN == Self.enterprise)
    #expect(path.reference == nil && path.filter == nil && path.sub == nil && path.equalities == nil)
  }

  @Test func `of two URNs the longer one is meant`() throws {
    let deep = try PatchPath.parse("urn:x:widget:ext:deep", type: FilterFixtures.widget, profile: .strict)
    #expect(deep.extensionURN == "urn:x:Widget:ext:deep")
    let ext = try PatchPath.parse("urn:x:widget:ext:title", type: FilterFixtures.widget, profile: .strict)
    #expect(ext.reference?.path == "urn:x:Widget:ext:title")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let kind: SCIMError.Kind
    let position: Int
    var testDescription: String { text }

    init(_ text: String, _ kind: SCIMError.Kind, _ position: Int) {
      self.text = text
      self.kind = kind
      self.position = position
    }
  }

  static let refused = [
    Refusal("", .invalidPath, 1), Refusal("  ", .invalidPath, 3), Refusal("noSuchAttribute", .invalidPath, 1),
    Refusal("name.noSuchPart", .invalidPath, 1), Refusal("title.part", .invalidPath, 1),
    Refusal("name..givenName", .invalidPath, 1),
    Refusal(".title", .invalidPath, 1), Refusal("title.", .invalidPath, 1), Refusal("/title", .invalidPath, 1),
    Refusal("title x", .invalidPath, 7), Refusal(#"title eq "x""#, .invalidPath, 7), Refusal("title]", .invalidPath, 6),
    Refusal("urn:acme:scim:schemas:none:1.0:User:badge", .invalidPath, 1), Refusal(core, .invalidPath, 1),
    Refusal(#"emails[type eq "work"]value"#, .invalidPath, 23), Refusal(#"emails[type eq "work"]."#, .invalidPath, 24),
    Refusal(#"emails[type eq "work"].noSuch"#, .invalidPath, 24),
    Refusal(#"emails[type eq "work"].value.x"#, .invalidPath, 24),
    Refusal(#"emails[type eq "work"].value x"#, .invalidPath, 30),
    Refusal(#"emails[type eq "work"][type pr]"#, .invalidPath, 23),
    Refusal(#"noSuch[type eq "work"]"#, .invalidPath, 1),
    Refusal(#"title[value eq "x"]"#, .invalidPath, 1), Refusal(#"emails.value[type eq "x"]"#, .invalidPath, 1),
    Refusal(#"emails[type zz "work"].value"#, .invalidFilter, 13),
    Refusal(#"emails[noSuchPart eq "work"]"#, .invalidFilter, 8),
    Refusal("emails[type eq]", .invalidFilter, 15), Refusal("emails[]", .invalidFilter, 8),
    Refusal("emails[", .invalidFilter, 8),
    Refusal(#"emails[type eq "work""#, .invalidFilter, 22),
    Refusal(#"emails[type eq "work].value"#, .invalidFilter, 16),
    Refusal("emails[primary gt true]", .invalidFilter, 8), Refusal(#"emails[emails[type pr]]"#, .invalidFilter, 14),
    Refusal(#"groups[zz pr]"#, .invalidFilter, 8), Refusal(#"emails[type eq "ä" zz]"#, .invalidFilter, 20),
  ]

  @Test(arguments: refused, [Profile.interop, .strict])
  func `is refused with kind and position`(row: Refusal, profile: Profile) throws {
    let error = try #require(throws: SCIMError.self) {
      try PatchPath.parse(row.text, type: FilterFixtures.user, profile: profile)
    }
    #expect(error.kind == row.kind, "\(error.detail)")
    #expect(error.detail.contains("at character \(row.position): "), "\(error.detail)")
  }

  @Test(
    arguments: [
      ("departmnt", " (did you mean 'department'?)."),
      ("badge", "; define it in an extension, with 'roster type add' and"),
    ])
  func `an attribute that an extension lacks is named with what was meant`(name: String, end: String) throws {
    let user = try #require(BuiltInSchemas.registry.type(named: "User"))
    let path = "urn:ietf:params:scim:schemas:extension:Enterprise:2.0:User:" + name
    let error = try #require(throws: SCIMError.self) { try PatchPath.parse(path, type: user, profile: .interop) }
    #expect(error.detail.contains("User has no attribute '") && error.detail.contains("'" + end), "\(error.detail)")
  }

  @Test func `long paths are refused`() {
    for (text, kind) in [
      (String(repeating: "x", count: 8_193), SCIMError.Kind.invalidPath),
      (String(repeating: "x.", count: 4_000), .invalidPath),
      ("emails[" + String(repeating: "(", count: 5_000), .invalidFilter),
      ("emails[" + Array(repeating: "type pr", count: 201).joined(separator: " or ") + "]", .invalidFilter),
    ] {
      let error = #expect(throws: SCIMError.self) {
        try PatchPath.parse(text, type: FilterFixtures.user, profile: .interop)
      }
      #expect(error?.kind == kind)
    }
  }
}
