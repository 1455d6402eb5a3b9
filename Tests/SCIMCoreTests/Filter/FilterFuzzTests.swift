import SCIMCore
import Testing

/// Properties of random filters and random bytes; seeded, so that a failure repeats.
@Suite struct FilterFuzzTests {
  @Test func `what is printed parses to the same filter`() throws {
    var generator = FilterGenerator(seed: 1)
    for _ in 0..<600 {
      let filter = generator.anyFilter()
      let text = filter.description
      guard text.utf8.count <= FilterLimits.bytes else { continue }
      for profile in [Profile.interop, .strict] {
        let parsed = Result { try FilterParser.parse(text, profile: profile) }
        guard case .failure(let error as SCIMError) = parsed else {
          #expect(try parsed.get() == filter, "\(text)")
          continue
        }
        #expect(error.detail.contains("more than"), "\(text): \(error.detail)")
      }
    }
  }

  /// Random bytes, runs of what filters are made of, and filters with bytes changed, doubled, cut and swapped.
  @Test func `no input crashes, and what is taken means one thing`() throws {
    var generator = FilterGenerator(seed: 2)
    let pieces = [
      "(", ")", "[", "]", "\"", "'", "\\", ".", " ", "  ", "not", "and", "or", "eq", "pr", "co", "userName", "emails",
      "value",
      "\"x\"", "'y'", "true", "null", "-1.5", "\\u00e9", "\\ud83d", "😀", "\u{0}", "urn:x:", ":", "$ref", "é",
    ]
    var taken = 0
    for round in 0..<3_000 {
      let text: String
      switch round % 3 {
      case 0:
        let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        text = String(decoding: bytes, as: UTF8.self)
      case 1:
        text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in generator.pick(pieces) }
          .joined(separator: generator.chance(oneIn: 2) ? " " : "")
      default: text = mutated(generator.anyFilter(depth: 2).description, &generator)
      }
      for profile in [Profile.interop, .strict] {
        do throws(SCIMError) {
          let filter = try FilterParser.parse(text, profile: profile)
          taken += 1
          let again = try FilterParser.parse(filter.description, profile: .strict)
          #expect(again == filter, "\(text)")
          // Strict is a part of lenient.
          if profile == .strict { #expect(try FilterParser.parse(text, profile: .interop) == filter, "\(text)") }
          _ = try? FilterResolver.resolve(filter, in: FilterFixtures.user, profile: profile)
        } catch {
          #expect(error.kind == .invalidFilter)
        }
        _ = try? PatchPath.parse(text, type: FilterFixtures.user, profile: profile)
        _ = AttributeName.resolve(text, in: FilterFixtures.user, profile: profile)
      }
    }
    #expect(taken > 200, "the inputs are too broken to say anything")
  }

  private func mutated(_ text: String, _ generator: inout FilterGenerator) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.insert(contentsOf: Array(bytes[index...].prefix(7)), at: index)
      case 2: bytes.removeSubrange(index..<min(index + 3, bytes.count))
      default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &generator))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: ["User", "Group", "Widget"])
  func `legal filters resolve, and simplifying changes no answer`(name: String) throws {
    let type = ["User": FilterFixtures.user, "Group": FilterFixtures.group][name] ?? FilterFixtures.widget
    var generator = FilterGenerator(seed: 3)
    let documents = (0..<20).map { _ in generator.document(for: type) }
    var answers: [Bool: Int] = [:]
    for _ in 0..<150 {
      let filter = generator.filter(for: type)
      let strict = try FilterResolver.resolve(filter, in: type, profile: .strict)
      let lenient = try FilterResolver.resolve(filter, in: type, profile: .interop)
      #expect(strict.words == lenient.words)
      let negated = try FilterResolver.resolve(.not(filter), in: type, profile: .strict)
      for document in documents {
        let answer = FilterEvaluator.matches(strict, resource: document)
        answers[answer, default: 0] += 1
        #expect(FilterEvaluator.matches(.not(strict).simplified(), resource: document) == !answer)
        #expect(FilterEvaluator.matches(negated, resource: document) == !answer, "\(filter)")
      }
    }
    #expect(answers[true, default: 0] > 300 && answers[false, default: 0] > 300)
  }
}
