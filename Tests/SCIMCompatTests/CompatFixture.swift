import Foundation
import SCIMCompat
import SCIMCore
import Testing

/// What the tests of the rewrites share. In texts, `CORE:` and `@ent` stand for the long URNs.
enum CompatFixture {
  static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

  static func user() throws -> ResourceType {
    try #require(BuiltInSchemas.registry.type(named: "User"))
  }

  static func json(_ text: String) throws -> JSON {
    let long =
      text
      .replacingOccurrences(of: "CORE:", with: "urn:ietf:params:scim:schemas:core:2.0:")
      .replacingOccurrences(of: "@ent", with: enterprise)
    return try JSON(parsing: Array(long.utf8))
  }

  static func operation(_ text: String) throws -> PatchOperation {
    let object = try json(text)
    let word = try #require(object["op"]?.stringValue)
    return PatchOperation(
      try #require(PatchOperation.Kind(rawValue: word)), path: object["path"]?.stringValue, value: object["value"])
  }

  /// Expects that an operation is mended so, and in the strict profile left alone.
  static func expect(
    _ sent: String, becomes mended: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let type = try user()
    let operation = try Self.operation(sent)
    #expect(
      Compat.patch([operation], type: type, profile: .interop) == [try Self.operation(mended)],
      sourceLocation: sourceLocation)
    #expect(
      Compat.patch([operation], type: type, profile: .entra) == [try Self.operation(mended)],
      sourceLocation: sourceLocation)
    #expect(Compat.patch([operation], type: type, profile: .strict) == [operation], sourceLocation: sourceLocation)
  }

  /// Expects that the body of a POST or PUT is mended so, and in the strict profile left alone.
  static func expect(
    body sent: String, becomes mended: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let type = try user()
    let body = try json(sent)
    #expect(
      Compat.resource(body, type: type, profile: .interop) == (try json(mended)), sourceLocation: sourceLocation)
    #expect(Compat.resource(body, type: type, profile: .strict) == body, sourceLocation: sourceLocation)
  }
}
