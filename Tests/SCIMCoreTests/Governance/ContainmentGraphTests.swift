import SCIMCore
import Testing

@Suite struct ContainmentGraphTests {
  private static let role = "urn:okta:scim:schemas:core:1.0:Role"
  private static let entitlement = "urn:okta:scim:schemas:core:1.0:Entitlement"

  private func entry(
    _ id: String, _ schema: String = Self.role, display: String? = nil, value: String? = nil, contains: [String] = [],
    containedBy: [String] = []
  ) -> CatalogEntry {
    CatalogEntry(
      handle: 1, type: "T", schema: schema, id: id, display: display ?? id, value: value, contains: contains,
      containedBy: containedBy)
  }

  private func below(_ id: String, _ entries: [CatalogEntry]) throws -> [String] {
    let graph = ContainmentGraph(entries, names: CatalogNames(entries))
    let index = try #require(entries.firstIndex { $0.id == id })
    return graph.below(index).map { entries[$0].id }
  }

  @Test("Named by id, by name and by value, in any letter case but for ids; from either side; nearest first")
  func names() throws {
    let entries = [
      entry("top", contains: ["b", "THE NAME", "word"]), entry("b", contains: ["deep"]),
      entry("c", display: "The Name"), entry("d", value: "WORD"), entry("deep"), entry("e", containedBy: ["top"]),
      entry("B"),
    ]
    #expect(try below("top", entries) == ["b", "c", "d", "e", "deep"])
    #expect(try below("deep", entries) == [])
  }

  @Test("A circle ends, and holds nobody below itself")
  func circle() throws {
    let entries = [entry("a", contains: ["b"]), entry("b", contains: ["c"]), entry("c", contains: ["a", "c"])]
    #expect(try below("a", entries) == ["b", "c"])
    #expect(try below("c", entries) == ["a", "b"])
  }

  @Test("Those in a circle are told, one that names itself too; those above and below are not")
  func circular() {
    let entries = [
      entry("top", contains: ["a"]), entry("a", contains: ["b"]), entry("b", contains: ["a", "low"]), entry("low"),
      entry("self", containedBy: ["SELF"]),
    ]
    #expect(ContainmentGraph(entries, names: CatalogNames(entries)).circular == [1, 2, 4])
  }

  @Test("What two go by, and what nobody goes by, is nobody's")
  func ambiguous() throws {
    let entries = [
      entry("a", contains: ["same", "nobody"]), entry("b", display: "Same"), entry("c", display: "SAME"),
    ]
    #expect(try below("a", entries) == [])
  }

  @Test("A role means roles first, then entitlements")
  func kinds() throws {
    let entries = [
      entry("a", contains: ["x", "y"]), entry("x", Self.entitlement), entry("x", display: "other"),
      entry("y", Self.entitlement),
    ]
    let graph = ContainmentGraph(entries, names: CatalogNames(entries))
    #expect(graph.below(0) == [2, 3])
    #expect(graph.reached(from: [0]) == [0, 2, 3])
  }

  @Test("A word means one type's entry where types are told apart")
  func types() {
    let entries = ["Seat", "Car"].enumerated().map { index, type in
      CatalogEntry(
        handle: Int64(index), type: type, schema: Self.entitlement, isTyped: true, id: "id-\(type)", display: "Same")
    }
    let names = CatalogNames(entries)
    #expect(names.find("same", schema: Self.entitlement) == nil)
    #expect(names.find("same", schema: Self.entitlement, type: "car") == 1)
    #expect(names.find("id-Seat", schema: Self.entitlement, type: "Car") == nil)
    #expect(names.find("id-Seat", schema: Self.entitlement) == 0)
    #expect(names.find("id-Seat", schema: Self.role) == nil)
  }
}
