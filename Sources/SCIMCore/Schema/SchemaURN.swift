/// The schema URNs that the server itself knows by name.
public enum SchemaURN {
  public static let schema = "urn:ietf:params:scim:schemas:core:2.0:Schema"
  public static let resourceType = "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
  public static let serviceProviderConfig = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
  /// What the URNs of protocol messages begin with (RFC 7644 section 8.2).
  public static let messages = "urn:ietf:params:scim:api:messages:"
}
