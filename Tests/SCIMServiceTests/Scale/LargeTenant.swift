import SCIMCore
import SCIMService
import Testing

/// An organisation with many users `u0`, `u1`, …, whose ids are their names, and a meter on its database.
struct LargeTenant {
  let meter: WorkMeter
  let client: Client
  let users: [String]

  init(users count: Int, configure: (inout ServiceConfiguration) -> Void = { _ in }) throws {
    let meter = WorkMeter()
    self.meter = meter
    let harness = try Harness(meter: meter, configure: configure)
    let tenant = try Tenant(harness)
    client = tenant.client
    let users = (0..<count).map { "u\($0)" }
    self.users = users
    guard let type = BuiltInSchemas.registry.type(named: "User") else {
      throw SCIMError(.internalError, "there are no users")
    }
    let organization = tenant.organization.id
    try harness.store.writeAndWait { (transaction) throws(SCIMError) in
      transaction.budget = .unlimited
      for user in users {
        let document: JSON = [
          "userName": .string(user), "externalId": .string("x-\(user)"),
          "emails": [["value": .string("\(user)@acme.example"), "type": "work"]],
        ]
        _ = try transaction.tenantTransaction(organization).create(
          type: type, id: user, document: ResourceDocument.ordered(document.objectValue ?? JSONObject(), type: type),
          passwordHash: nil)
      }
    }
  }

  /// Makes a group of some users; gives its id.
  func group(_ name: String, of members: ArraySlice<String>) throws -> String {
    try client.create(
      "/Groups?excludedAttributes=members",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": .string(name),
        "members": Self.elements(members),
      ]
    ).id
  }

  static func elements(_ users: some Sequence<String>) -> JSON { .array(users.map { ["value": .string($0)] }) }
}
