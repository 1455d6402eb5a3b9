// swift-tools-version: 6.0
import PackageDescription

/// Every Swift target of the package is compiled in the Swift 6 language mode; CI adds `-warnings-as-errors`. Overlapping
/// accesses to a class's property are looked for while a debug build runs, and so in all tests, not in a release
/// (docs/decisions/0022-exclusivity-checks.md).
let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

let package = Package(
  name: "roster",
  products: [
    .executable(name: "roster", targets: ["roster"])
  ],
  targets: [
    // C libraries of the system: their headers and objects lie where the compiler looks anyway, so pkg-config is not asked.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
    // A shim for what Swift cannot import from the C library.
    .target(name: "CSystem"),
    // A layer over SQLite's own file access.
    .target(name: "CSQLiteVFS", linkerSettings: [.linkedLibrary("sqlite3")]),

    // The documents of `schemas/`, which the folder links to.
    .target(name: "SCIMCore", resources: [.embedInCode("Schema/BuiltIn/schemas")], swiftSettings: swift),
    .target(name: "SCIMCompat", dependencies: ["SCIMCore"], swiftSettings: swift),
    .target(name: "HTTPMessage", swiftSettings: swift),
    .target(
      name: "SCIMService", dependencies: ["SCIMCore", "SCIMCompat", "HTTPMessage"], swiftSettings: swift),
    .target(
      name: "SCIMSQL", dependencies: ["SCIMCore"],
      resources: [
        .embedInCode("Migrations/0001-initial.sql"), .embedInCode("Migrations/0002-deletions.sql"),
        .embedInCode("Migrations/0003-assignment-count.sql"),
        .embedInCode("Migrations/0004-organization-settings.sql"), .embedInCode("Migrations/0005-deleted-ids.sql"),
        .embedInCode("Migrations/0006-definition-changes.sql"),
      ], swiftSettings: swift),
    .target(name: "SCIMSQLite", dependencies: ["SCIMSQL", "CSQLite", "CSQLiteVFS"], swiftSettings: swift),
    .target(
      name: "HTTPServer", dependencies: ["HTTPMessage", "CZlib", "CSystem"], swiftSettings: swift),
    .target(name: "Secrets", dependencies: ["CSodium"], swiftSettings: swift),
    .executableTarget(
      name: "roster",
      dependencies: [
        "SCIMCore", "SCIMCompat", "SCIMService", "SCIMSQL", "SCIMSQLite", "HTTPMessage", "HTTPServer", "Secrets",
      ],
      swiftSettings: swift),

    // Random input for the parsers; `make fuzz` runs it.
    .executableTarget(
      name: "fuzz", dependencies: ["SCIMCore", "SCIMCompat", "TestSupport"], path: "Tests/Fuzz", swiftSettings: swift),

    // What several test targets use.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swift),
    .target(name: "SQLTestSupport", dependencies: ["SCIMSQL"], path: "Tests/SQLTestSupport", swiftSettings: swift),

    .testTarget(
      name: "SCIMServiceTests",
      dependencies: [
        "roster", "SCIMCore", "SCIMService", "SCIMSQL", "SCIMSQLite", "HTTPMessage", "HTTPServer", "Secrets", "CSQLite",
        "TestSupport", "SQLTestSupport",
      ],
      swiftSettings: swift),
    .testTarget(name: "ArchitectureTests", swiftSettings: swift),
    .testTarget(
      name: "rosterTests", dependencies: ["roster", "SCIMCore", "SCIMSQL", "SCIMSQLite", "SCIMService", "HTTPServer"],
      swiftSettings: swift),
    .testTarget(name: "SecretsTests", dependencies: ["Secrets"], swiftSettings: swift),
    .testTarget(name: "SCIMCoreTests", dependencies: ["SCIMCore", "TestSupport"], swiftSettings: swift),
    .testTarget(
      name: "SCIMSQLiteTests", dependencies: ["SCIMCore", "SCIMSQL", "SCIMSQLite", "TestSupport", "SQLTestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTPMessage", "CSystem", "TestSupport"],
      swiftSettings: swift),
    .testTarget(name: "SCIMCompatTests", dependencies: ["SCIMCompat", "SCIMCore"], swiftSettings: swift),
  ]
)
