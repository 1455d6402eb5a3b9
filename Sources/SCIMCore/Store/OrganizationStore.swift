/// Organisations and their keys, for the command line and the seed: with `StoreReader.key(digest:)`, by which a request
/// finds its organisation, the only calls that reach across organisations.
public protocol OrganizationDirectory {
  func organizations() throws(SCIMError) -> [Organization]
  func organization(named name: String) throws(SCIMError) -> Organization?
  /// The keys of an organisation, newest first.
  func keys(of organization: OrganizationID) throws(SCIMError) -> [APIKey]
}

/// Changes to organisations and keys, inside a transaction.
public protocol OrganizationWriter: OrganizationDirectory {
  /// Refuses a name that is taken with `uniqueness`.
  func createOrganization(
    name: String, catalog: Organization.Catalog, grants: Bool
  ) throws(SCIMError) -> Organization
  /// Changes the name and the settings. What a change of `grants` means for definitions and stored resources is the
  /// caller's to check.
  func updateOrganization(_ organization: Organization) throws(SCIMError)
  /// Deletes the organisation: it and its keys are there no more after the first call; what belonged to it goes with
  /// the further ones, as much with each as one transaction may take away.
  ///
  /// - Returns: true where nothing is left, false where another call has to follow, in another transaction.
  /// - Throws: `notFound` where there is none.
  func deleteOrganization(_ organization: OrganizationID) throws(SCIMError) -> Bool
  /// Stores a key under the SHA-256 digest of its secret.
  func createKey(_ key: APIKey, digest: [UInt8]) throws(SCIMError)
  func revokeKey(id: String, in organization: OrganizationID, at time: Timestamp) throws(SCIMError)
  func touchKey(id: String, in organization: OrganizationID, at time: Timestamp) throws(SCIMError)

  /// A secret of this installation: the one kept under that name, or else `candidate`, which is kept from now on.
  func installationSecret(named name: String, candidate: [UInt8]) throws(SCIMError) -> [UInt8]
}

extension OrganizationWriter {
  /// One of several transactions that delete an organisation, for `writeInSteps`.
  ///
  /// - Parameter isFirst: false in all but the first. There is nothing left there where the server on the same file,
  ///   which goes on with deletions, has done the rest meanwhile.
  public func deleteOrganization(
    _ organization: OrganizationID, isFirst: Bool
  ) throws(SCIMError) -> WriteStep<Bool, Void> {
    do throws(SCIMError) {
      return try deleteOrganization(organization) ? .done(()) : .further(false)
    } catch  where error.kind == .notFound && !isFirst {
      return .done(())
    }
  }

  /// An organisation whose groups grant nothing.
  public func createOrganization(name: String, catalog: Organization.Catalog) throws(SCIMError) -> Organization {
    try createOrganization(name: name, catalog: catalog, grants: false)
  }
}
