import SCIMCore
import Testing

@Suite struct FairQueueTests {
  private let a = OrganizationID(rawValue: 1)
  private let b = OrganizationID(rawValue: 2)
  private let c = OrganizationID(rawValue: 3)

  private func queue(_ elements: [(OrganizationID?, String)]) -> FairQueue<String> {
    var queue = FairQueue<String>()
    for (organization, element) in elements { queue.append(element, of: organization) }
    return queue
  }

  private func drain(_ queue: FairQueue<String>) -> [String] {
    var queue = queue
    var taken: [String] = []
    while let next = queue.takeFirst() { taken.append(next.element) }
    return taken
  }

  @Test func oneOfEachInTurnAndInOrderWithinALine() {
    let queue = queue([(a, "a1"), (a, "a2"), (a, "a3"), (b, "b1"), (nil, "n1"), (b, "b2"), (c, "c1"), (nil, "n2")])
    #expect(drain(queue) == ["a1", "b1", "n1", "c1", "a2", "b2", "n2", "a3"])
  }

  @Test func whatIsPutBackKeepsItsOrderAndComesFirst() {
    var queue = queue([(a, "a1"), (a, "a2"), (b, "b1"), (a, "a3"), (b, "b2")])
    let taken = (0..<4).compactMap { _ in queue.takeFirst() }
    #expect(taken.map(\.element) == ["a1", "b1", "a2", "b2"])
    queue.append("c1", of: c)
    for (organization, element) in taken.dropFirst().reversed() { queue.putBack(element, of: organization) }
    #expect(drain(queue) == ["b1", "a2", "c1", "b2", "a3"])
    #expect(queue.count(of: a) == 2)
  }

  @Test func whoeverComesLaterWaitsForOneOfEachOther() {
    var queue = queue((0..<100).map { (a, "a\($0)") })
    #expect(queue.takeFirst()?.element == "a0")
    queue.append("b0", of: b)
    #expect(queue.takeFirst()?.element == "a1")
    #expect(queue.takeFirst()?.element == "b0")
    #expect(queue.takeFirst()?.element == "a2")
  }

  @Test func aLineThatIsPassedOverKeepsItsTurnAndItsOrder() {
    var queue = queue([(a, "a1"), (b, "b1"), (c, "c1"), (a, "a2"), (c, "c2")])
    let first = queue.takeFirst { organization, _ in organization == c }
    #expect(first?.organization == c)
    #expect(first?.element == "c1")
    #expect(queue.takeFirst { _, element in element.hasSuffix("2") }?.element == "c2")
    #expect(queue.takeFirst { _, _ in false } == nil)
    #expect(drain(queue) == ["a1", "b1", "a2"])
  }

  @Test func countsAndEmptiness() {
    var queue = queue([(a, "a1"), (a, "a2"), (nil, "n1")])
    #expect(queue.count(of: a) == 2)
    #expect(queue.count(of: b) == 0)
    #expect(queue.count(of: nil) == 1)
    for _ in 0..<3 { _ = queue.takeFirst() }
    #expect(queue.isEmpty)
    #expect(queue.count(of: a) == 0)
    #expect(queue.takeFirst() == nil)
  }

  /// Long lines are moved up now and then; nothing is lost or changes its place.
  @Test func longLinesComeOutAsTheyWentIn() {
    var queue = FairQueue<String>()
    var taken: [String] = []
    var next = 0
    for round in 0..<1000 {
      for _ in 0..<(round % 3) {
        queue.append("\(next)", of: a)
        next += 1
      }
      if round % 2 == 0, let first = queue.takeFirst() { taken.append(first.element) }
    }
    taken += drain(queue)
    #expect(taken == (0..<next).map(String.init))
  }
}
