/// The place of a value in a seed file, from the outermost value inwards.
struct SeedPath: Sendable, Equatable, CustomStringConvertible {
  enum Step: Sendable, Equatable {
    case member(String)
    case element(Int)
  }

  var steps: [Step] = []

  /// For example `organizations[0].resources.User[1].userName`; names that are no plain words stand in quotes.
  var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name):
        let isPlain = name.utf8.allSatisfy { $0 == 0x5F || $0 == 0x24 || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
        text += (text.isEmpty ? "" : ".") + (isPlain ? name : "\"\(name)\"")
      case .element(let index): text += "[\(index)]"
      }
    }
    return text.isEmpty ? "the file" : text
  }

  static func + (path: SeedPath, name: String) -> SeedPath { SeedPath(steps: path.steps + [.member(name)]) }
  static func + (path: SeedPath, index: Int) -> SeedPath { SeedPath(steps: path.steps + [.element(index)]) }
}
