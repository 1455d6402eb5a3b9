import SCIMCore
import Testing

@testable import SCIMSQL

/// The short way to few resources says what the long way says, or nothing.
struct LookUpTests {
  private let temporary: TemporaryStore
  private let org: OrganizationID
  private let type: ResourceType

  init() throws {
    temporary = try TemporaryStore()
    org = try temporary.organization()
    type = try temporary.type("User")
    for number in 0..<6 {
      let mails: [JSON] = [
        ["type": "work", "value": .string("Mail\(number / 2)@example.com")],
        ["type": "home", "value": .string("mail\(number / 2)@example.com")],
        ["type": "other", "value": "all@example.com"],
      ]
      try temporary.create(
        "User",
        [
          "userName": .string("u\(number)"), "title": .string("t\(number % 2)"), "emails": .array(mails),
          "externalId": .string("E\(number)"),
        ], in: org)
    }
  }

  private func reader() throws -> SQLReader {
    let reader = try temporary.store.reader()
    try reader.enter()
    return reader
  }

  private func query(_ filter: String, offset: Int = 0, count: Int = 10) throws -> SearchQuery {
    SearchQuery(
      parts: [.init(type: type, filter: try ResolvedFilter(parsing: filter, type: type, profile: .interop))],
      window: .index(offset: offset, count: count))
  }

  static let few: [(filter: String, total: Int)] = [
    (#"userName eq "U3""#, 1), (#"userName eq "none""#, 0), (#"externalId eq "E5""#, 1), (#"externalId eq "e5""#, 0),
    (#"emails.value eq "mail1@example.com""#, 2), (#"emails eq "mail1@example.com""#, 2),
    (#"emails[type eq "work" and value eq "MAIL2@example.com"]"#, 2),
    (#"emails[type eq "other" and value eq "mail2@example.com"]"#, 0),
    (#"emails[value eq "mail2@example.com" and (type eq "home" or type eq "other")]"#, 2),
    (#"emails.value eq "mail0@example.com" and title eq "t1""#, 1),
    (#"userName eq "u0" and not (title pr)"#, 0), (#"userName eq "u0" and title co "T""#, 1),
    (#"nickName eq "nobody""#, 0),
    (#"emails[type ne "work" and value eq "mail2@example.com"]"#, 2),
    (#"emails[value eq "mail2@example.com" and type eq "home" and value eq "all@example.com"]"#, 0),
    (#"emails[value eq "mail2@example.com" and type ne "home" and type ne "work"]"#, 0),
    (#"emails[value eq "mail2@example.com" and primary eq false]"#, 2),
    (#"emails.value eq "mail0@example.com" and title ne "T1""#, 1), (#"userName eq "u0" and title eq "T0""#, 1),
    (#"userName eq "u0" and emails.type eq "home" and emails.type ne "none""#, 1),
    (#"externalId eq "E5" and nickName eq "x""#, 0), (#"externalId eq "E5" and nickName ne "x""#, 1),
    (#"emails[type eq "work" and value eq "mail0@example.com"] and title eq "t1""#, 1),
    (#"userName eq "u4" and emails[type eq "home" and value eq "mail2@example.com"]"#, 1),
    (#"userName eq "u4" and title eq "t0" and userName eq "u5""#, 0),
    (#"userName eq "u4""# + String(repeating: #" and title eq "t0""#, count: 12), 1),
  ]

  @Test("What few have is found", arguments: few) func found(_ row: (filter: String, total: Int)) throws {
    let page = try #require(
      try reader().lookUp(query(row.filter), limit: 4, in: org), "\(row.filter)")
    #expect(page.total == row.total)
    #expect(page.resources.count == row.total)
  }

  @Test(
    "What many have, or no single value picks, is left to the long way",
    arguments: [
      #"emails.value eq "all@example.com""#, #"title eq "t1" or title eq "t0""#, #"userName sw "u1""#,
      #"not (userName eq "u1")"#, #"id pr"#, #"groups.value eq "x""#, #"userName eq "u1" and groups pr"#,
      #"id eq "x" and title co "t""#,
      #"emails[type eq "other"]"#,
    ])
  func left(filter: String) throws {
    let page = try reader().lookUp(query(filter), limit: 4, in: org)
    #expect(page?.total == nil)
  }

  @Test func pagesAreCutFromAllThatMatch() throws {
    let reader = try reader()
    let filter = #"title eq "t1""#
    let whole = try reader.tenant(org).search(query(filter)).resources.map(\.id)
    #expect(whole.count == 3)
    for offset in 0...4 {
      let page = try #require(try reader.lookUp(query(filter, offset: offset, count: 2), limit: 4, in: org))
      #expect(page.total == 3)
      #expect(page.resources.map(\.id) == Array(whole.dropFirst(offset).prefix(2)))
    }
  }
}
