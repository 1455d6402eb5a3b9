import SCIMCompat
import SCIMCore
import Testing

@Suite("Compat")
struct CompatTests {
  @Test("leaves a sound request as it is", arguments: Profile.allCases)
  func untouched(profile: Profile) throws {
    let body = try CompatFixture.json(
      #"{"schemas": ["CORE:User", "@ent"], "userName": "u", "roles": [{"value": "r", "primary": true}], "@ent": {"manager": {"value": "m"}}, "more": [1]}"#
    )
    #expect(Compat.resource(body, type: try CompatFixture.user(), profile: profile) == body)
    let operations = [
      PatchOperation(.add, path: "roles", value: [["value": "r"]]), PatchOperation(.remove, path: "title"),
      PatchOperation(.replace, value: body),
    ]
    #expect(Compat.patch(operations, type: try CompatFixture.user(), profile: profile) == operations)
  }

  @Test("passes on a body that is no object", arguments: [JSON.null, "text", [1, 2], 3])
  func noObject(body: JSON) throws {
    #expect(Compat.resource(body, type: try CompatFixture.user(), profile: .interop) == body)
  }
}
