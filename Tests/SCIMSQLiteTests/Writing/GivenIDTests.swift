import SCIMCore
import SCIMSQL
import SCIMSQLite
import Testing

/// Ids that the server has not made (RFC 7643 section 3.1).
struct GivenIDTests {
  private let temporary: TemporaryStore
  private let org: OrganizationID

  init() throws {
    temporary = try TemporaryStore()
    org = try temporary.organization()
  }

  private func delete(_ resource: StoredResource) throws {
    let (org, type) = (org, try temporary.type(resource.type))
    let isDone = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenantTransaction(org).delete(resource, type: type)
    }
    #expect(isDone)
  }

  private func refusal(_ type: String, _ document: JSON, id: String) -> SCIMError? {
    #expect(throws: SCIMError.self) { try temporary.create(type, document, id: id, in: org) }
  }

  @Test func anIDIsUniqueOverAllTypesOfAnOrganisation() throws {
    try temporary.create("User", ["userName": "sales"], id: "sales", in: org)
    for (type, document) in [
      ("Group", ["displayName": "Sales"]), ("Role", ["displayName": "Sales"]), ("User", ["userName": "other"]),
    ] as [(String, JSON)] {
      #expect(refusal(type, document, id: "sales")?.kind == .uniqueness, "\(type)")
    }
    try temporary.create("Group", ["displayName": "Sales"], id: "Sales", in: org)
    try temporary.create("Group", ["displayName": "Sales"], id: "sales", in: temporary.organization("other"))
  }

  @Test func anIDIsNotIssuedAgainAfterADeletion() throws {
    let made = try temporary.create("User", ["userName": "ann"], id: "ann", in: org)
    let server = try temporary.create("User", ["userName": "bob"], in: org)
    try delete(made)
    try delete(server)
    for id in ["ann", server.id] {
      #expect(refusal("User", ["userName": "ann"], id: id)?.kind == .uniqueness)
      #expect(refusal("Group", ["displayName": "ann"], id: id)?.kind == .uniqueness)
    }
    let org = org
    let answers = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      [
        try transaction.tenantTransaction(org).wasDeleted(id: "ann"),
        try transaction.tenantTransaction(org).wasDeleted(id: "nobody"),
      ]
    }
    #expect(answers == [true, false])
    try temporary.create("User", ["userName": "ann"], id: "ann", in: temporary.organization("other"))
    // The names are free again, and the server's own ids are new.
    try temporary.create("User", ["userName": "ann"], in: org)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test(arguments: ["bulkId", "BULKID:1", "x-bulkid-y"]) func anIDHoldsNoTextThatBulkReads(_ id: String) {
    #expect(refusal("User", ["userName": "ann"], id: id)?.kind == .invalidValue)
  }

  @Test func anOrganisationThatIsDeletedLeavesNoIDs() throws {
    let made = try temporary.create("User", ["userName": "ann"], id: "ann", in: org)
    try temporary.create("User", ["userName": "bob"], id: "bob", in: org)
    try delete(made)
    let org = org
    try temporary.store.writeInStepsAndWait(from: (), pause: {}) {
      (transaction, _) throws(SCIMError) -> WriteStep<Void, Void> in
      try transaction.deleteOrganization(org) ? .done(()) : .further(())
    }
    let connection = try SQLiteDriver(path: temporary.path).connect(.writer)
    let statement = try connection.prepare("SELECT count(*) FROM deleted_id")
    #expect(try statement.step())
    #expect(statement.integer(0) == 0)
    statement.reset()
    connection.close()
  }
}
