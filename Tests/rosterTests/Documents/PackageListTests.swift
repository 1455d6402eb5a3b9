import Foundation
import Testing

/// `.ci/packages` installs what a bare Debian lacks besides the toolchain itself.
@Suite struct PackageListTests {
  private static func lines(_ command: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The packages in the script, and all that comes with them or is in every Debian.
  private static func installed() throws -> Set<String> {
    let script = try String(contentsOf: DocumentBlock.root.appendingPathComponent(".ci/packages"), encoding: .utf8)
    let wanted = try #require(script.firstMatch(of: #/(?m)^wanted="(.+)"$/#)?.1)
    var depends: [String: [String]] = [:]
    var open = wanted.split(separator: " ").map(String.init)
    for line in try lines(#"dpkg-query -W -f '${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\n'"#) {
      let fields = line.components(separatedBy: "\t")
      guard fields.count == 3 else { continue }
      if fields[1] == "yes" { open.append(fields[0]) }
      depends[fields[0]] = fields[2].split(whereSeparator: { $0 == "," || $0 == "|" }).compactMap { one in
        one.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == "(" }).first.map(String.init)
      }
    }
    var known: Set<String> = []
    while let next = open.popLast() {
      if known.insert(next).inserted { open += depends[next] ?? [] }
    }
    return known
  }

  @Test func itHasTheLibrariesThatTheToolchainRunsWith() throws {
    // Elsewhere than on Debian the script says what to do.
    guard try !Self.lines("command -v dpkg-query").isEmpty else { return }
    let programs = ["swift-driver", "swift-build", "swift-package", "swift-test", "swift-frontend", "clang", "ld.lld"]
    let swift = try #require(try Self.lines("readlink -f \"$(command -v swift)\"").first)
    let folder = URL(fileURLWithPath: swift).deletingLastPathComponent()
    let toolchain = folder.deletingLastPathComponent().deletingLastPathComponent().path
    let paths = programs.map { folder.appendingPathComponent($0).path }.joined(separator: " ")
    let libraries = try Self.lines("for one in \(paths); do ldd \"$one\"; done").compactMap { line -> String? in
      let words = line.split(separator: " ").map(String.init)
      return words.count > 2 && words[1] == "=>" && words[2].hasPrefix("/") ? words[2] : nil
    }
    let own = Set(libraries.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }).filter {
      $0.hasPrefix(toolchain)
    }
    #expect(!own.isEmpty)
    let installed = try Self.installed()
    let needed = Set(libraries.filter { !$0.hasPrefix(toolchain) }.map { URL(fileURLWithPath: $0).lastPathComponent })
    #expect(needed.contains("libc.so.6"))
    for library in needed.sorted() {
      let packages = try Self.lines("dpkg-query -S '*/\(library)'").compactMap {
        $0.split(separator: ":").first.map(String.init)
      }
      #expect(packages.contains { installed.contains($0) }, "\(library) is in \(packages)")
    }
  }
}
