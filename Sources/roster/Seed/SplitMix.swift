/// A small random number generator whose numbers follow from its seed alone (SplitMix64, public domain, by
/// Sebastiano Vigna), so that generated tenants can be made again. Not for secrets.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to `bound`, which must be above 0.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
