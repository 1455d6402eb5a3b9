import Testing

@testable import SCIMService

struct LinkBalanceTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let steps: @Sendable (inout LinkBalance) -> Void
    let isChanged: Bool
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(name: "nothing", steps: { _ in }, isChanged: false),
    Row(name: "came", steps: { $0.add([1]) }, isChanged: true),
    Row(name: "went", steps: { $0.remove([1]) }, isChanged: true),
    Row(
      name: "came and went",
      steps: {
        $0.add([1, 2]); $0.remove([2]); $0.remove([1])
      }, isChanged: false),
    Row(
      name: "went and came",
      steps: {
        $0.remove([1]); $0.add([1])
      }, isChanged: false),
    Row(
      name: "one for another",
      steps: {
        $0.remove([1]); $0.add([2])
      }, isChanged: true),
    Row(
      name: "back and forth and gone",
      steps: {
        $0.remove([1]); $0.add([1]); $0.remove([1])
      }, isChanged: true),
    Row(name: "all of none", steps: { $0.removeAll(count: 0) }, isChanged: false),
    Row(
      name: "all that came",
      steps: {
        $0.add([1]); $0.removeAll(count: 1)
      }, isChanged: false),
    Row(
      name: "all and others",
      steps: {
        $0.add([1]); $0.removeAll(count: 2)
      }, isChanged: true),
    Row(
      name: "one went, then all of none",
      steps: {
        $0.remove([1]); $0.removeAll(count: 0)
      }, isChanged: true),
  ]

  @Test(arguments: rows) func comesTo(_ row: Row) {
    var balance = LinkBalance()
    row.steps(&balance)
    #expect(balance.isChanged == row.isChanged)
  }
}
