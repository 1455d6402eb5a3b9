import SCIMCore
import Synchronization

/// Changes the settings of an organisation together with what is stored that depends on them.
public struct SettingsWriter: Sendable {
  /// What every organisation has.
  private let base: SchemaRegistry

  public init(base: SchemaRegistry) {
    self.base = base
  }

  /// The change of what is stored of the organisation when it is made, so that it takes no other one back. What becomes
  /// unique is held against what is stored.
  ///
  /// - Parameter force: takes away what groups grant where grants are turned off. Not together with what is unique: that
  ///   can be refused when grants are gone already.
  public func run(_ settings: OrganizationChange, force: Bool = false) -> DefinitionRun {
    let grants = GrantSwitch(base: base)
    let writer = DefinitionWriter(base: base)
    var run = DefinitionRun(writer: writer) { (reader) throws(SCIMError) in
      let present = try reader.registry().settings
      return DefinitionChange(
        groupNames: settings.groupNames == present.groupNames ? nil : settings.groupNames,
        externalIDs: settings.externalIDs == present.externalIDs ? nil : settings.externalIDs)
    }
    run.check = { (reader) throws(SCIMError) in
      guard !force || (settings.groupNames == nil && settings.externalIDs == nil) else { throw Self.forcedUniqueness }
      if let isOn = settings.grants { try grants.check(isOn, in: reader) }
    }
    run.prepare = { (transaction) throws(SCIMError) in
      guard let isOn = settings.grants else { return true }
      return try grants.prepare(isOn, force: force, in: transaction)
    }
    run.finish = { (transaction) throws(SCIMError) in _ = try transaction.update(settings) }
    return run
  }

  private static let forcedUniqueness = SCIMError(
    .invalidValue, "What groups grant cannot be removed together with a change of what is unique.")

  /// Makes the change for the command line (`DefinitionRun.applyAndWait`).
  ///
  /// - Returns: the organisation as it is then.
  public func applyAndWait(
    _ settings: OrganizationChange, to tenant: Tenant, force: Bool = false, pause: () -> Void
  ) throws(SCIMError) -> Organization {
    // It concerns no schema, and is in the way of no change that does.
    if settings.grants == nil, settings.groupNames == nil, settings.externalIDs == nil {
      return try tenant.writeAndWait { (transaction) throws(SCIMError) in try transaction.update(settings) }
    }
    let changed = Mutex<Organization?>(nil)
    var run = run(settings, force: force)
    run.finish = { (transaction) throws(SCIMError) in
      let organization = try transaction.update(settings)
      changed.withLock { $0 = organization }
    }
    try run.applyAndWait(to: tenant, pause: pause)
    guard let organization = changed.withLock({ $0 }) else {
      throw SCIMError(.internalError, "the settings were not written")
    }
    return organization
  }
}
