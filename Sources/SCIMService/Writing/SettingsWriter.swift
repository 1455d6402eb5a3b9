import SCIMCore

/// Changes the settings of an organisation together with what is stored that depends on them.
public struct SettingsWriter: Sendable {
  /// What every organisation has.
  private let base: SchemaRegistry

  public init(base: SchemaRegistry) {
    self.base = base
  }

  /// The change of an organisation to what it is to be. What becomes unique is held against what is stored.
  ///
  /// - Parameter force: takes away what groups grant where grants are turned off.
  public func run(_ organization: Organization, from old: Organization, force: Bool = false) -> DefinitionRun {
    let grants = GrantSwitch(base: base)
    let writer = DefinitionWriter(base: base)
    var run = DefinitionRun(writer: writer) { (_) throws(SCIMError) in
      DefinitionChange(
        groupNames: organization.groupNames == old.groupNames ? nil : organization.groupNames,
        externalIDs: organization.externalIDs == old.externalIDs ? nil : organization.externalIDs)
    }
    run.check = { (reader) throws(SCIMError) in try grants.check(organization, in: reader) }
    run.prepare = { (transaction) throws(SCIMError) in
      try grants.prepare(organization, force: force, in: transaction)
    }
    run.finish = { (transaction) throws(SCIMError) in try transaction.update(organization) }
    return run
  }
}
