import SCIMCore
import SCIMSQL
import Secrets

/// `roster key`: the bearer keys that clients of an organisation use.
enum KeyCommand {
  private static let organization = Operand(name: "ORG", help: "The organisation's name.")
  private static let key = Operand(name: "KEY", help: "The key's id (see 'roster key list') or its label.")
  private static let expires = Option.value(
    "expires", "WHEN", "When it ends: a date (2027-01-31), a time (2027-01-31T08:00:00Z), or from now: 90d, 12h, 30m.")

  private static let newEnd = Option.value(
    "expires", "WHEN", "When the new key ends, as in 'key create', or never; the end of the old one if not given.")

  static let command = Command(
    name: "key", summary: "create, list, rotate and revoke the keys of an organisation",
    commands: [
      Command(
        name: "create", summary: "create a key and print its secret, which is not shown again",
        operands: [organization],
        options: [
          .value(
            "role", "ROLE",
            "What it may do: reader (GET and .search), provisioner (also write users and groups), admin (also write"
              + " roles, entitlements and definitions).", default: "provisioner"),
          .value(
            "profile", "PROFILE",
            "How requests are read: interop (accepts what identity providers send), entra, strict (the RFCs to the letter).",
            default: "interop"),
          .value("label", "TEXT", "What the key is for."), expires, .database, .json,
        ], run: create),
      Command(
        name: "list", summary: "list an organisation's keys; never their secrets", operands: [organization],
        options: [.database, .json], run: list),
      Command(
        name: "revoke", summary: "revoke a key: it stops working at once", operands: [organization, key],
        options: [.database, .json],
        run: revoke),
      Command(
        name: "rotate", summary: "create a new key like an old one, which stays valid until it is revoked",
        operands: [organization, key],
        options: [
          .value(
            "revoke-old-after", "TIME", "End the old key after this time: 24h, 7d, 0s. It stays valid if not given."),
          newEnd,
          .database, .json,
        ], run: rotate),
    ])

  @Sendable private static func create(_ invocation: Invocation) throws {
    let role = try invocation.choice("role", of: KeyRole.self) ?? .provisioner
    let profile = try invocation.choice("profile", of: Profile.self) ?? .interop
    let expires = try expiry(invocation)
    try Database.with(invocation) { store, _ in
      let organization = try store.makeReader().requireOrganization(invocation.operands[0])
      let key = APIKey(
        id: KeyID.make(), organization: organization.id, label: invocation.text("label") ?? "", role: role,
        profile: profile, created: .now, expires: expires)
      let secret = APIKeySecret.generate()
      try store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.createKey(key, digest: SecretDigest.sha256(secret))
      }
      try show(key, secret: secret, of: organization, in: store, invocation)
    }
  }

  @Sendable private static func list(_ invocation: Invocation) throws {
    let keys = try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      return try reader.keys(of: reader.requireOrganization(invocation.operands[0]).id)
    }
    let now = Timestamp.now
    var table = Table("ID", "LABEL", "ROLE", "PROFILE", "STATE", "CREATED", "EXPIRES", "LAST USED")
    table.rows = keys.map { key in
      [
        key.id, key.label, key.role.rawValue, key.profile.rawValue, state(key, at: now), key.created.text,
        (key.revoked ?? key.expires)?.text ?? "never", key.lastUsed?.text ?? "never",
      ]
    }
    invocation.print(json: .array(keys.map { json($0, at: now) }), orText: invocation.text(of: table))
  }

  @Sendable private static func revoke(_ invocation: Invocation) throws {
    try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      let organization = try reader.requireOrganization(invocation.operands[0])
      var key = try find(invocation.operands[1], of: organization, reader)
      let now = Timestamp.now
      let id = key.id
      try store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.revokeKey(id: id, in: organization.id, at: now)
      }
      key.revoked = now
      invocation.print(json: json(key, at: now), orText: "Revoked key \(key.id).\n")
    }
  }

  @Sendable private static func rotate(_ invocation: Invocation) throws {
    let isEndless = invocation.text("expires") == "never"
    let expires = isEndless ? nil : try expiry(invocation)
    let grace = try invocation.text("revoke-old-after").map { (text) throws(UsageError) -> Int64 in
      guard let grace = Expiry.milliseconds(text) else {
        throw UsageError(message: "--revoke-old-after must be a number with a unit, such as 24h or 7d, not '\(text)'")
      }
      return grace
    }
    try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      let organization = try reader.requireOrganization(invocation.operands[0])
      let old = try find(invocation.operands[1], of: organization, reader)
      let now = Timestamp.now
      guard old.isValid(at: now) else {
        throw CommandFailure(message: "this key is expired or revoked. Create a new one.")
      }
      let new = APIKey(
        id: KeyID.make(), organization: organization.id, label: old.label, role: old.role, profile: old.profile,
        created: now, expires: isEndless ? nil : expires ?? old.expires)
      let secret = APIKeySecret.generate()
      // The old key ends only once the new one's secret is out: nobody is to be left without either.
      try store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.createKey(new, digest: SecretDigest.sha256(secret))
      }
      var ending = old
      if let grace {
        let end = Timestamp(milliseconds: now.milliseconds + grace)
        ending.revoked = min(end, old.revoked ?? end)
      }
      try show(new, secret: secret, of: organization, replacing: ending, in: store, invocation)
      if let end = ending.revoked, grace != nil {
        try store.writeAndWait { (transaction) throws(SCIMError) in
          try transaction.revokeKey(id: old.id, in: organization.id, at: end)
        }
      }
    }
  }

  private static func expiry(_ invocation: Invocation) throws(UsageError) -> Timestamp? {
    guard let text = invocation.text("expires") else { return nil }
    let now = Timestamp.now
    guard let expires = Expiry.parse(text, from: now) else {
      throw UsageError(
        message:
          "--expires must be a date (2027-01-31), a time (2027-01-31T08:00:00Z), or a number with one of s, m, h, d, w"
          + " for seconds to weeks from now, such as 90d, not '\(text)'")
    }
    guard expires > now else {
      throw UsageError(message: "--expires must lie in the future, and '\(text)' lies in the past or is now")
    }
    return expires
  }

  private static func find(
    _ name: String, of organization: Organization, _ reader: any StoreReader
  ) throws -> APIKey {
    let keys = try reader.keys(of: organization.id)
    if let key = keys.first(where: { $0.id == name }) { return key }
    let labelled = keys.filter { $0.label == name && $0.isValid(at: .now) }
    // One that is ending already has been replaced: the label means its successor.
    let lasting = labelled.filter { $0.revoked == nil }
    let candidates = lasting.isEmpty ? labelled : lasting
    guard let key = candidates.first else {
      throw CommandFailure(message: "\(organization.name) has no valid key '\(name)'; see 'roster key list'")
    }
    guard candidates.count == 1 else {
      let ids = candidates.map(\.id).joined(separator: ", ")
      throw CommandFailure(message: "\(candidates.count) keys have the label '\(name)'; pass an id instead: \(ids)")
    }
    return key
  }

  /// Prints a new key with its secret. A secret that cannot be written is known to nobody, so that the key is revoked
  /// then.
  private static func show(
    _ key: APIKey, secret: String, of organization: Organization, replacing old: APIKey? = nil, in store: SQLStore,
    _ invocation: Invocation
  ) throws {
    guard case .object(var object) = json(key, at: .now) else { return }
    object.members.insert(.init(key: "organization", value: .string(organization.name)), at: 0)
    object.members.insert(.init(key: "key", value: .string(secret)), at: 0)
    let ends = key.expires.map { ", valid until \($0.text)" } ?? ""
    var text = """
      \(secret)

      Key \(key.id) of \(organization.name), role \(key.role.rawValue), profile \(key.profile.rawValue)\(ends).
      Store the secret now: only its digest is kept, and it cannot be shown again.

      """
    if let old {
      object["replaces"] = json(old, at: .now)
      let end = [old.revoked, old.expires].compactMap { $0 }.min()
      text += "The old key \(old.id) "
      text +=
        end.map { "ends at \($0.text).\n" }
        ?? "stays valid. Revoke it when no client uses it: roster key revoke \(organization.name) \(old.id)\n"
    }
    guard !invocation.print(json: .object(object), orText: text) else { return }
    try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.revokeKey(id: key.id, in: organization.id, at: .now)
    }
    throw CommandFailure(message: "the secret could not be written; the new key \(key.id) is revoked")
  }

  static func state(_ key: APIKey, at now: Timestamp) -> String {
    if key.isValid(at: now) { return key.revoked == nil ? "valid" : "ending" }
    return key.revoked.map { $0 <= now } == true ? "revoked" : "expired"
  }

  static func json(_ key: APIKey, at now: Timestamp) -> JSON {
    func time(_ time: Timestamp?) -> JSON { time.map { .string($0.text) } ?? .null }
    return [
      "id": .string(key.id), "label": .string(key.label), "role": .string(key.role.rawValue),
      "profile": .string(key.profile.rawValue), "state": .string(state(key, at: now)), "created": time(key.created),
      "expires": time(key.expires), "revoked": time(key.revoked), "lastUsed": time(key.lastUsed),
    ]
  }
}
