/// What waits, in a line for each organisation, of which one after the other is served: a long line holds up nobody
/// else's.
///
/// Within its line each is served in the order in which it came. Adding and taking cost the same however many wait. Not
/// for several threads at a time. Work of no organisation, such as the command line's, has a line of its own.
///
///     var queue = FairQueue<String>()
///     queue.append("a1", of: a)
///     queue.append("a2", of: a)
///     queue.append("b1", of: b)
///     while let next = queue.takeFirst() { print(next.element) }  // a1, b1, a2
public struct FairQueue<Element> {
  private var lines: [OrganizationID?: Line<Element>] = [:]
  /// Those with something in their lines, in the order of their turns.
  private var turns = Line<OrganizationID?>()

  public init() {}

  public var isEmpty: Bool { lines.isEmpty }

  /// How many wait in the line of an organisation.
  public func count(of organization: OrganizationID?) -> Int { lines[organization]?.count ?? 0 }

  /// Puts an element at the end of its organisation's line.
  public mutating func append(_ element: Element, of organization: OrganizationID?) {
    if lines[organization] == nil { turns.append(organization) }
    lines[organization, default: Line()].append(element)
  }

  /// Puts an element that was taken in front of all others of its organisation, whose turn is next.
  public mutating func putBack(_ element: Element, of organization: OrganizationID?) {
    if let place = turns.place(where: { $0 == organization }) { _ = turns.remove(at: place) }
    turns.prepend(organization)
    lines[organization, default: Line()].prepend(element)
  }

  /// Takes the first element of the line whose turn it is, which then waits for its next turn behind all others.
  ///
  /// - Parameter isAllowed: told the organisation and the first element of its line; where false the line is passed
  ///   over and keeps its turn.
  /// - Returns: nil where no line has an element that may be taken.
  public mutating func takeFirst(
    where isAllowed: (OrganizationID?, Element) -> Bool = { _, _ in true }
  ) -> (organization: OrganizationID?, element: Element)? {
    let place = turns.place { organization in
      lines[organization]?.first.map { isAllowed(organization, $0) } ?? false
    }
    guard let place, let organization = turns.remove(at: place) else { return nil }
    return take(of: organization)
  }

  /// Drops those of an organisation's line for which the condition holds.
  public mutating func removeAll(of organization: OrganizationID?, where condition: (Element) -> Bool) {
    guard var line = lines[organization] else { return }
    line.removeAll(where: condition)
    lines[organization] = line.count > 0 ? line : nil
    guard line.count == 0, let turn = turns.place(where: { $0 == organization }) else { return }
    _ = turns.remove(at: turn)
  }

  private mutating func take(of organization: OrganizationID?) -> (organization: OrganizationID?, element: Element)? {
    guard let element = lines[organization, default: Line()].removeFirst() else { return nil }
    if lines[organization]?.count ?? 0 > 0 { turns.append(organization) } else { lines[organization] = nil }
    return (organization, element)
  }
}

/// First in, first out.
private struct Line<Element> {
  /// What has been taken is nil until the array is moved up.
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }

  var first: Element? { head < elements.count ? elements[head] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func prepend(_ element: Element) {
    if head > 0 {
      head -= 1
      elements[head] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  mutating func removeFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func removeAll(where condition: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map { !condition($0) } ?? false }
    head = 0
  }

  /// Where the first is for which the condition holds.
  func place(where condition: (Element) -> Bool) -> Int? {
    var place = head
    while place < elements.count {
      if let element = elements[place], condition(element) { return place }
      place += 1
    }
    return nil
  }

  /// Takes what is there; those in front of it, mostly none, stay in their order.
  mutating func remove(at place: Int) -> Element? {
    let element = elements[place]
    var place = place
    while place > head {
      elements[place] = elements[place - 1]
      place -= 1
    }
    elements[head] = element
    return removeFirst()
  }
}
