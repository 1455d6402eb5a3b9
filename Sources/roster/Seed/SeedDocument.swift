import SCIMCore

/// What a seed file says, checked. The format is described in `docs/seed-format.md`.
struct SeedDocument: Sendable {
  var organizations: [SeedOrganization]
}

/// One organisation of a seed file.
struct SeedOrganization: Sendable {
  var name: String
  var settings: SeedSettings
  var keys: [SeedKey]
  /// The resource types and extensions of its own.
  var types: [TypeDescription]
  /// In the order in which they are to be created: what others refer to comes first.
  var resources: [SeedResource]
  /// Where it stands in the file.
  var path: SeedPath
  /// What is kept as it is sent and perhaps not meant so.
  var notes: [SeedFault] = []
}

/// A key whose secret the file gives.
struct SeedKey: Sendable {
  var secret: String
  var label: String
  var role: KeyRole
  var profile: Profile
  /// Where it stands in the file.
  var path: SeedPath
}

/// One resource as it would be sent in a POST, and where it stands in the file.
struct SeedResource: Sendable {
  var type: ResourceType
  /// The id that the file gives; nil where the server makes one.
  var id: String?
  var body: JSONObject
  var path: SeedPath
}
