import TestSupport

/// The same numbers from the same seed.
struct FuzzRandom: RandomNumberGenerator {
  private var random: Random

  /// The numbers of one execution of a run.
  init(seed: UInt64, execution: Int) {
    var first = Random(seed: seed &* 0xD129_0D39_A7A4_3E5D &+ UInt64(truncatingIfNeeded: execution))
    random = Random(seed: first.next())
  }

  mutating func next() -> UInt64 { random.next() }

  /// A number below a bound that is above 0.
  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % bound }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
