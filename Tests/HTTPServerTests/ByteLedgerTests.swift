import Synchronization
import Testing

@testable import HTTPServer

@Suite("What is held, in all and for each account")
struct ByteLedgerTests {
  @Test("One account is full at a third, two at a quarter each, and who comes next finds room")
  func shares() {
    let ledger = ByteLedger(limit: 1200)
    let first = ledger.hold(399, for: 1)
    #expect(!ledger.isFull(for: 1))
    first.resize(to: 400)
    #expect(ledger.isFull(for: 1) && !ledger.isFull(for: 2) && !ledger.isFull(for: nil))
    let second = ledger.hold(270, for: 2)
    #expect(ledger.isFull(for: 2) && !ledger.isFull(for: 3))
    withExtendedLifetime((first, second)) {}
  }

  @Test("At the limit all accounts are full, and those without one")
  func limit() {
    let ledger = ByteLedger(limit: 1200)
    let holds = (0..<12).map { ledger.hold(100, for: Int64($0)) }
    #expect(ledger.total == 1200)
    #expect(ledger.isFull(for: 99) && ledger.isFull(for: nil))
    holds[0].resize(to: 99)
    #expect(!ledger.isFull(for: nil) && !ledger.isFull(for: 99) && ledger.isFull(for: 1))
  }

  @Test("A hold that goes takes its bytes with it")
  func release() {
    let ledger = ByteLedger(limit: 100)
    var hold: ByteLedger.Hold? = ledger.hold(100, for: 7)
    #expect(ledger.isFull(for: 7))
    hold?.resize(to: 50)
    #expect(ledger.total == 50)
    hold = nil
    #expect(hold == nil && ledger.total == 0 && ledger.released == 100 && !ledger.isFull(for: 7))
  }

  @Test("Relief is told once for those who were refused, and not where nobody was")
  func relief() {
    let ledger = ByteLedger(limit: 100)
    let told = Counter()
    ledger.onRelief { told.add() }
    let hold = ledger.hold(100, for: 7)
    hold.resize(to: 90)
    #expect(told.count == 0)
    #expect(ledger.isFull(for: 7) && ledger.isFull(for: 7))
    hold.resize(to: 80)
    hold.resize(to: 70)
    #expect(told.count == 1)
    #expect(ledger.isFull(for: 7))
    hold.resize(to: 90)
    #expect(told.count == 1)
    hold.resize(to: 0)
    #expect(told.count == 2)
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }
}
