/// The keys of the demo tenants in `seed/`, which everybody can read.
enum DemoKeys {
  static let workshop = "123123"
  static let all = [workshop, "acme-demo-key"]
}
