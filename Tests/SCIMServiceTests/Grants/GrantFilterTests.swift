import SCIMCore
import SCIMService
import Testing

/// Filters over what groups grant, by every way of asking, and what reads of it cost.
@Suite("Filters over grants")
struct GrantFilterTests {
  /// Filters with the users that match: c stands for the id of Clerk, which Bob has himself and Team grants, h for that
  /// of Chief, which All grants, so that Ann and Bob have it.
  static let filters = [
    (#"roles.value eq "c""#, "ann bob"), (#"roles eq "h""#, "ann bob"), (#"roles.value eq "x""#, ""),
    (#"roles[value eq "c" and inherited eq true]"#, "ann"), (#"roles[value eq "c" and inherited eq false]"#, "bob"),
    (#"roles[value eq "c" and inherited ne true]"#, "bob"), (#"roles[value eq "h" and not (inherited eq true)]"#, ""),
    ("roles pr", "ann bob"), ("not (roles pr)", "cid"), ("roles.inherited pr", "ann bob"),
    ("roles.inherited eq true", "ann bob"), ("roles.inherited eq false", "bob"), ("roles.inherited ne true", "cid"),
    (#"roles.value ne "c""#, "cid"), (#"not (roles.value eq "h")"#, "cid"), (#"roles.display co "HIE""#, "ann bob"),
    (#"roles[type eq "Role" and display sw "cl"]"#, "ann bob"), (#"roles.type eq "Role""#, "ann bob"),
    (#"userName eq "bob" and roles.value eq "h""#, "bob"), (#"userName sw "a" and roles[inherited eq true]"#, "ann"),
    (#"roles.value eq "c" and not (roles[value eq "c" and inherited eq true])"#, "bob"),
    (#"roles.value eq "c" or userName eq "cid""#, "ann bob cid"), (#"roles.$ref ew "/Roles/c""#, "ann bob"),
    (#"roles[primary eq true]"#, ""), (#"roles[value eq "c" and primary eq false]"#, "ann bob"),
    (#"entitlements pr"#, ""),
  ]

  @Test("On users, at the root and by .search", arguments: filters)
  func users(_ filter: String, _ expected: String) throws {
    let rig = try GrantTenant(Harness())
    try rig.grant([rig.clerk], by: rig.team)
    try rig.grant([rig.chief], by: rig.all)
    let text = filter.replacing(#""c""#, with: #""\#(rig.clerk)""#).replacing(#""h""#, with: #""\#(rig.chief)""#)
      .replacing(#"/c""#, with: #"/\#(rig.clerk)""#)
    let names = expected.split(separator: " ").map(String.init)
    let search: JSON = ["schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "filter": .string(text)]
    let users = "(\(text)) and meta.resourceType eq \"User\""
    let root: JSON = ["schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "filter": .string(users)]
    for reply in [
      try rig.client.send("GET /Users?filter=\(text)"), try rig.client.send("POST /Users/.search", search),
      try rig.client.send("GET /?filter=\(users)"), try rig.client.send("POST /.search", root),
    ] {
      #expect(reply.resources.compactMap { $0["userName"]?.stringValue } == names, "\(reply)")
      #expect(reply.total == Int64(names.count), "\(reply)")
    }
    // By cursor, each once.
    var walked: [String] = []
    var cursor: String? = ""
    while let at = cursor {
      let page = try rig.client.send("GET /Users?filter=\(text)&count=1&cursor=\(at)")
      walked += page.resources.compactMap { $0["userName"]?.stringValue }
      cursor = page["nextCursor"]?.stringValue
    }
    #expect(walked == names)
  }

  @Test("On groups, by what they grant; sorting by it is refused as by roles of users")
  func groups() throws {
    let rig = try GrantTenant(Harness())
    try rig.grant([rig.clerk], by: rig.team)
    let path = "\(GroupGrants.urn):roles"
    for (filter, expected) in [
      ("\(path).value eq \"\(rig.clerk)\"", ["Team"]), ("\(path)[display eq \"clerk\" and type eq \"role\"]", ["Team"]),
      ("\(path) pr", ["Team"]), ("not (\(path) pr)", ["All"]), ("schemas eq \"\(GroupGrants.urn)\"", ["Team"]),
      ("schemas ne \"\(GroupGrants.urn)\"", ["All"]), ("displayName co \"a\" and schemas co \"grants\"", ["Team"]),
      ("roles.value eq \"\(rig.clerk)\"", ["Team"]),
    ] {
      let reply = try rig.client.send("GET /Groups?filter=\(filter)")
      #expect(reply.resources.compactMap { $0["displayName"]?.stringValue } == expected, "\(reply)")
    }
    for attribute in ["/Groups?sortBy=\(path).value", "/Users?sortBy=roles.value"] {
      expectError(try rig.client.send("GET \(attribute)"), 400, "invalidValue")
    }
  }

  @Test("A page costs no more statements for more users, and a group once")
  func cost() throws {
    let meter = WorkMeter()
    let rig = try GrantTenant(Harness(meter: meter))
    for number in 0..<40 {
      let user = try rig.client.create("/Users", GrantTenant.user("u\(number)", []))
      expect(
        try rig.client.send(
          "PATCH /Groups/\(rig.team.id)?attributes=displayName",
          PatchBody.make([("add", "members", [["value": .string(user.id)]])])), 200)
    }
    func page() throws -> Int {
      // Another commit, so that nothing is remembered.
      let change = PatchBody.replace("title", .string(ResourceID.make()))
      expect(try rig.client.send("PATCH /Users/\(rig.cid.id)", change), 200)
      return try meter.work { expect(try rig.client.send("GET /Users?count=40&excludedAttributes=userName"), 200) }
    }
    let before = try page()
    try rig.grant([rig.clerk, rig.chief], by: rig.team)
    let after = try page()
    // One statement for the groups, which are the same for all.
    #expect(after - before < 400, "\(before) \(after)")
  }
}
