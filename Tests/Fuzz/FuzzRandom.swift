/// SplitMix64: the same numbers from the same seed.
struct FuzzRandom: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers of one execution of a run.
  init(seed: UInt64, execution: Int) {
    state = seed &* 0xD129_0D39_A7A4_3E5D &+ UInt64(truncatingIfNeeded: execution)
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number below a bound that is above 0.
  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % bound }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
