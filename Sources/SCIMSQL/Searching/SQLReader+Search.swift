import SCIMCore

extension SQLReader {
  public func search(_ query: SearchQuery, in organization: OrganizationID) throws(SCIMError) -> SearchPage {
    throw SCIMError(.notImplemented, "Searching is not implemented.")
  }
}
