import Testing

/// The project must build anywhere: no file of it may name a place on somebody's machine.
@Suite struct MachinePathTests {
  /// Put together here, so that this file does not hold them.
  static let places = ["work", "home", "root", "opt"].map { "/" + $0 + "/" }

  @Test func noFileNamesAPlaceOnAMachine() throws {
    let files = ProjectFiles.list([
      "Package.swift", "Makefile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".ci", "Sources", "Tests", "seed",
      "schemas", "docs", "Benchmarks",
    ])
    #expect(files.contains("Package.swift"))
    for path in files {
      let text = try ProjectFiles.text(path)
      for place in Self.places {
        #expect(!text.contains(place), "\(path) names \(place)")
      }
    }
  }
}
