import Testing

@testable import SCIMCore

/// What the operations of one request may cost.
@Suite("Work budget")
struct WorkBudgetTests {
  /// A user with that many e-mail addresses.
  private static func user(emails: Int) -> JSONObject {
    ResourceDocument.ordered(
      JSONObject([
        .init(key: "userName", value: "kim"),
        .init(key: "emails", value: .array((0..<emails).map { ["value": .string("a\($0)@x.example")] })),
      ]), type: PatchFixture.user)
  }

  private static func kind(_ operations: [PatchOperation], emails: Int) -> SCIMError.Kind? {
    do throws(SCIMError) {
      _ = try Patcher.apply(
        operations, to: user(emails: emails), type: PatchFixture.user, profile: .interop, id: "u1")
      return nil
    } catch {
      return error.kind
    }
  }

  static let longFilter = (0..<100).map { "value co \"q\($0)\"" }.joined(separator: " or ")

  @Test("A filter of many conditions on a long list, again and again, is too many")
  func filters() {
    let operations = (0..<100).map { _ in PatchOperation(.remove, path: "emails[\(Self.longFilter)]") }
    #expect(Self.kind(operations, emails: 1000) == .tooMany)
    #expect(Self.kind(Array(operations.prefix(5)), emails: 1000) == nil)
  }

  @Test("Additions apart from one another, on a long list, are too many")
  func additions() {
    let operations = (0..<50).flatMap { number in
      [
        PatchOperation(.add, path: "emails", value: [["value": .string("b\(number)@x.example")]]),
        PatchOperation(.replace, path: "title", value: "t"),
      ]
    }
    #expect(Self.kind(operations, emails: 20_000) == .tooMany)
    #expect(Self.kind(operations, emails: 100) == nil)
  }

  @Test("Additions to one list that follow one another are one")
  func followingAdditions() throws {
    let operations = (0..<1000).map {
      PatchOperation(.add, path: "emails", value: [["value": .string("b\($0)@x.example")]])
    }
    let outcome = try Patcher.apply(
      operations, to: Self.user(emails: 10_000), type: PatchFixture.user, profile: .interop, id: "u1")
    #expect(outcome.document["emails"]?.arrayValue?.count == 11_000)
  }

  @Test("What cannot be told beforehand may exceed the budget once")
  func once() throws {
    let budget = WorkBudget.write
    try budget.takeOnce { 3 * WorkBudget.writeLimit }
    #expect(throws: SCIMError.self) { try budget.takeOnce { 1 } }
    #expect(throws: SCIMError.self) { try budget.take(1) }
    #expect(throws: SCIMError.self) { try WorkBudget.write.take(.max) }
  }

  @Test("Changing the elements of a long list costs what it takes, with a filter and without")
  func changedElements() {
    for path in ["emails.display", "emails[value pr].display", "emails[value co \"a\"].display"] {
      let operations = (0..<50).map { PatchOperation(.replace, path: path, value: .string("d\($0)")) }
      #expect(Self.kind(operations, emails: 2400) == .tooMany, "\(path)")
      #expect(Self.kind(Array(operations.prefix(5)), emails: 2400) == nil, "\(path)")
      #expect(Self.kind(operations, emails: 100) == nil, "\(path)")
    }
  }

  @Test("A write takes 2,000,000 steps, and not one more")
  func write() throws {
    for pieces in [[2_000_000], [1_999_999, 1], Array(repeating: 1000, count: 2000)] {
      let budget = WorkBudget.write
      for piece in pieces { try budget.take(piece) }
      #expect(budget.left == 0)
      let error = #expect(throws: SCIMError.self) { try budget.take(1) }
      #expect(error?.status == 400 && error?.scimType == "tooMany")
    }
    #expect(throws: SCIMError.self) { try WorkBudget.write.take(2_000_001) }
  }

  @Test("A request that was refused has used its budget up")
  func refusedIsSpent() {
    let budget = WorkBudget.write
    #expect(throws: SCIMError.self) { try budget.take(WorkBudget.writeLimit + 1) }
    #expect(budget.spent == WorkBudget.writeLimit)
  }
}
