import SCIMCore
import Synchronization

/// Names in the log the schemas that clients send and a type does not have, since what stands in them is passed over: each
/// once for an organisation and type, until the server is started anew.
///
/// A client could invent any number of them, so that of one organisation only the first are told, and all are forgotten
/// where many organisations have some.
final class IgnoredSchemas: Sendable {
  private static let maximumOfOrganization = 32
  private static let maximumOrganizations = 4096

  private let told = Mutex<[OrganizationID: Set<String>]>([:])

  func note(_ urns: [String], of type: ResourceType, from organization: Organization, log: (String) -> Void) {
    for urn in urns where isNew(type.name + " " + urn, organization.id) {
      log(
        "\(organization.name) sends attributes of a schema that \(type.name) does not have, and they are ignored: \(urn)"
      )
    }
  }

  private func isNew(_ name: String, _ organization: OrganizationID) -> Bool {
    told.withLock { told in
      if told[organization] == nil, told.count >= Self.maximumOrganizations { told.removeAll() }
      guard told[organization, default: []].count < Self.maximumOfOrganization else { return false }
      return told[organization, default: []].insert(name).inserted
    }
  }
}
