import Testing

@testable import roster

@Suite struct ProgressBarTests {
  @Test func showsShareRateAndTimeLeft() {
    #expect(
      ProgressBar.line(label: "Users", done: 500, total: 1000, elapsed: .seconds(5), width: 60)
        == "Users [###########...........] 50% 500/1000 100/s, 5 s left")
    #expect(
      ProgressBar.line(label: "Users", done: 1000, total: 1000, elapsed: .seconds(5), width: 40)
        == "Users [################] 100% 1000/1000")
  }

  @Test func aNarrowTerminalGetsTheNumbersAlone() {
    #expect(ProgressBar.line(label: "Users", done: 0, total: 10, elapsed: .zero, width: 20) == "Users 0% 0/10 0/s")
  }
}
