import SCIMCore
import SCIMService
import Testing

/// A tenant with two roles, three users and two groups, one in the other: `All` holds `Team`, which holds Ann and Bob.
/// Bob has the role `Clerk` himself, Cid is in no group.
struct GrantTenant {
  static let urn = GroupGrants.urn
  static let userURN = "urn:ietf:params:scim:schemas:core:2.0:User"

  let tenant: Tenant
  var client: Client { tenant.client }
  let clerk: String
  let chief: String
  let ann: Reply
  let bob: Reply
  let cid: Reply
  let team: Reply
  let all: Reply

  init(_ harness: Harness, catalog: Organization.Catalog = .open, profile: Profile = .interop) throws {
    tenant = try Tenant(harness, catalog: catalog, grants: true, profile: profile)
    let client = tenant.client
    func role(_ name: String) throws -> String {
      try client.create(
        "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": .string(name)]
      ).id
    }
    func user(_ name: String, _ roles: [String] = []) throws -> Reply {
      try client.create("/Users", Self.user(name, roles.map { ["value": .string($0)] }))
    }
    clerk = try role("Clerk")
    chief = try role("Chief")
    ann = try user("ann")
    bob = try user("bob", [clerk])
    cid = try user("cid")
    team = try client.create("/Groups", Self.group("Team", members: [ann.id, bob.id]))
    all = try client.create("/Groups", Self.group("All", members: [team.id]))
  }

  static func user(_ name: String, _ roles: [JSON]) -> JSON {
    ["schemas": [.string(userURN)], "userName": .string(name), "roles": .array(roles)]
  }

  static func group(_ name: String, members: [String] = [], roles: [JSON] = []) -> JSON {
    [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group", .string(Self.urn)], "displayName": .string(name),
      "members": .array(members.map { ["value": .string($0)] }), Self.urn: ["roles": .array(roles)],
    ]
  }

  /// Gives a group these roles, by id or name.
  @discardableResult
  func grant(_ roles: [String], by group: Reply) throws -> Reply {
    let reply = try client.send(
      "PATCH /Groups/\(group.id)",
      PatchBody.make([("replace", "\(Self.urn):roles", .array(roles.map { ["value": .string($0)] }))]))
    // The profile of Entra answers without a body.
    #expect(reply.status == 200 || reply.status == 204, "\(reply)")
    return reply
  }

  /// The roles of a user as it is shown: the value, with `+` in front of an inherited one.
  func roles(of user: Reply) throws -> [String] { Self.roles(in: try client.send("GET /Users/\(user.id)")) }

  static func roles(in reply: Reply) -> [String] {
    (reply["roles"]?.arrayValue ?? []).map { element in
      (element["inherited"] == true ? "+" : "") + (element["value"]?.stringValue ?? "?")
    }
  }
}
