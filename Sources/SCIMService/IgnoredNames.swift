import SCIMCore
import Synchronization

/// Names in the log the attributes and schemas that clients send and a type does not have, since what stands in them is
/// passed over: each once for an organisation and type, until the server is started anew.
///
/// A client could invent any number of them, so that of one organisation only the first are told, and all are forgotten
/// where many organisations have some. What stands in them is told to nobody.
final class IgnoredNames: Sendable {
  static let maximumOfOrganization = 32
  private static let maximumOrganizations = 4096

  private let told = Mutex<[OrganizationID: Set<String>]>([:])

  /// - Parameter names: those of one request, few and short (`UnknownNames`).
  func note(_ names: [String], of type: ResourceType, from organization: Organization, log: (String) -> Void) {
    let (new, isLast) = new(names, of: type, organization.id)
    guard !new.isEmpty else { return }
    log(
      "\(organization.name) sends attributes or schemas that \(type.name) does not have, and they are ignored: "
        + new.joined(separator: ", ")
        + (isLast ? ". No more of this organisation are named until the server is started anew" : ""))
  }

  private func new(
    _ names: [String], of type: ResourceType, _ organization: OrganizationID
  ) -> (names: [String], isLast: Bool) {
    told.withLock { told in
      if told[organization] == nil, told.count >= Self.maximumOrganizations { told.removeAll() }
      var known = told[organization, default: []]
      let new = names.filter { known.count < Self.maximumOfOrganization && known.insert(type.name + " " + $0).inserted }
      guard !new.isEmpty else { return ([], false) }
      told[organization] = known
      return (new, known.count == Self.maximumOfOrganization)
    }
  }
}
