import SCIMCore
import SCIMSQL
import Testing

struct ResourceTests {
  @Test func createdIsFoundByItsID() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let made = try temporary.create("User", ["userName": "ada"], in: org)
    #expect(made.version == 1)
    #expect(made.created == made.modified)
    let reader = try temporary.store.makeReader()
    let found = try #require(
      try reader.tenant(org).resource(id: made.id, type: temporary.type("User"), links: .all))
    #expect(
      Fixture.text(found)
        == #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"id":"\#(made.id)","userName":"ada"}"#)
    #expect(found.handle == made.handle)
    #expect(found.created == made.created)
    #expect(found.links.isEmpty)
    #expect(try reader.tenant(org).resource(id: made.id, type: temporary.type("Group"), links: .all) == nil)
    #expect(try reader.tenant(org).resource(id: "none", type: temporary.type("User"), links: .all) == nil)
  }

  @Test func updatedHasANewVersionAndKeys() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let made = try temporary.create("User", ["userName": "ada", "title": "One", "nickName": "A"], in: org)
    let document = Fixture.document(["userName": "ada2", "title": "One"], type: type)
    let updated = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenantTransaction(org).update(made, type: type, document: document, password: .keep)
    }
    #expect(updated.version == 2)
    #expect(updated.modified >= made.modified)
    #expect(updated.created == made.created)
    // The old unique value is free, the new one is taken.
    try temporary.create("User", ["userName": "ADA"], in: org)
    let refused = #expect(throws: SCIMError.self) { try temporary.create("User", ["userName": "Ada2"], in: org) }
    #expect(refused?.kind == .uniqueness)
    #expect(refused?.detail.contains("userName") == true)
    #expect(refused?.detail.contains("ada2") == false)
  }

  @Test func aRefusedWriteLeavesNothing() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    try temporary.create("User", ["userName": "ada"], in: org)
    let documents = ["bob", "ADA"].map { Fixture.document(["userName": .string($0)], type: type) }
    #expect(throws: SCIMError.self) {
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        for document in documents {
          _ = try transaction.tenantTransaction(org).create(type: type, id: nil, document: document, passwordHash: nil)
        }
      }
    }
    try temporary.create("User", ["userName": "bob"], in: org)
  }

  @Test func deletedIsGoneWithItsValues() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let made = try temporary.create("User", ["userName": "ada", "externalId": "x"], in: org)
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.tenantTransaction(org).delete(made, type: type)
    }
    let reader = try temporary.store.makeReader()
    #expect(try reader.tenant(org).resource(id: made.id, type: type, links: .all) == nil)
    let again = try temporary.create("User", ["userName": "ada", "externalId": "x"], in: org)
    #expect(again.handle > made.handle)
  }

  @Test func aWriterReadsItsOwnWritesAtOnce() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let reader = try temporary.store.makeReader()
    for number in 0..<50 {
      let made = try temporary.create("User", ["userName": .string("u\(number)")], in: org)
      #expect(try reader.tenant(org).resource(id: made.id, type: temporary.type("User"), links: .none) != nil)
    }
  }
}
