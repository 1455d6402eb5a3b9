/// Shows on the error stream how far long work has come; silent where that is no terminal.
struct ProgressBar {
  private let label: String
  private let total: Int
  private let console: Console
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?

  init(_ label: String, total: Int, console: Console = .error) {
    self.label = label
    self.total = max(total, 1)
    self.console = console
    isShown = console.isTerminal
  }

  /// Draws the state, at most ten times a second.
  mutating func update(_ done: Int) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < .milliseconds(100), done < total { return }
    lastDrawn = now
    let line = Self.line(label: label, done: done, total: total, elapsed: now - start, width: console.width)
    console.write("\r\u{1B}[K" + line)
  }

  /// Takes the bar away.
  func finish() {
    if isShown { console.write("\r\u{1B}[K") }
  }

  /// One state of the bar, at most `width - 1` columns wide where that leaves room for the numbers.
  static func line(label: String, done: Int, total: Int, elapsed: Duration, width: Int) -> String {
    let done = min(done, total)
    let percent = done * 100 / total
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
    let left = rate > 0 ? ", \((total - done + rate - 1) / rate) s left" : ""
    let numbers = " \(percent)% \(done)/\(total)" + (done < total ? " \(rate)/s\(left)" : "")
    let room = min(width - 1 - label.count - 3 - numbers.count, 40)
    guard room >= 5 else { return label + numbers }
    let filled = room * done / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
    return "\(label) [\(bar)]\(numbers)"
  }
}
