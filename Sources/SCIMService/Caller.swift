import SCIMCore

/// Whose request it is, and what of the store it may reach: one organisation.
struct Caller: Sendable {
  let key: APIKey
  let organization: Organization
  let tenant: Tenant
  let workers: Workers

  init(key: APIKey, organization: Organization, of service: Service) {
    self.key = key
    self.organization = organization
    tenant = service.store.tenant(organization.id)
    workers = Workers(of: organization.id, offload: service.offload)
  }
}
