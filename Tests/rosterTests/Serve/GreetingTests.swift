import Testing

@testable import roster

@Suite struct GreetingTests {
  @Test func scriptsGetTheBaseURLOnALineOfItsOwn() throws {
    var configuration = try ServeConfigurationTests.configuration([:])
    #expect(
      ServeCommand.greeting(configuration, port: 9, start: .init(), isTerminal: false)
        == "SCIM base URL: http://127.0.0.1:9/scim/v2\n")
    configuration.server.host = "::1"
    #expect(
      ServeCommand.greeting(configuration, port: 9, start: .init(), isTerminal: false)
        == "SCIM base URL: http://[::1]:9/scim/v2\n")
    configuration.baseURL = "https://scim.example/scim/v2"
    #expect(
      ServeCommand.greeting(configuration, port: 9, start: .init(), isTerminal: true)
        == """
        SCIM base URL: https://scim.example/scim/v2
        Listening on:  http://[::1]:9/scim/v2

        Stop with Ctrl-C.

        """)
  }

  @Test func anEmptyDatabaseSaysHowToBegin() throws {
    let configuration = try ServeConfigurationTests.configuration(["ROSTER_DB": "data/my.db"])
    let text = ServeCommand.greeting(configuration, port: 9, start: .init(hasOrganizations: false), isTerminal: false)
    #expect(text.contains("roster org create my-company.example --db 'data/my.db'\n"))
    #expect(text.contains("roster key create my-company.example --role admin --label test --db 'data/my.db'\n"))
  }

  @Test func peopleWithADemoTenantGetTheKeyAndThreeRequests() throws {
    let text = ServeCommand.greeting(
      try ServeConfigurationTests.configuration([:]), port: 9, start: .init(hasDemoKey: true), isTerminal: false)
    #expect(text.contains("123123"))
    #expect(text.split(separator: "\n").filter { $0.contains("curl -H 'Authorization: Bearer 123123'") }.count == 3)
  }
}
