import Testing

@testable import roster

@Suite struct GreetingTests {
  @Test func scriptsGetTheBaseURLOnALineOfItsOwn() throws {
    var configuration = try ServeConfigurationTests.configuration([:])
    #expect(
      ServeCommand.greeting(configuration, port: 9, hasDemoKey: false, isTerminal: false)
        == "SCIM base URL: http://127.0.0.1:9/scim/v2\n")
    configuration.server.host = "::1"
    #expect(
      ServeCommand.greeting(configuration, port: 9, hasDemoKey: false, isTerminal: false)
        == "SCIM base URL: http://[::1]:9/scim/v2\n")
    configuration.baseURL = "https://scim.example/scim/v2"
    #expect(
      ServeCommand.greeting(configuration, port: 9, hasDemoKey: false, isTerminal: true)
        == "SCIM base URL: https://scim.example/scim/v2\n\nStop with Ctrl-C.\n")
  }

  @Test func peopleWithADemoTenantGetTheKeyAndThreeRequests() throws {
    let text = ServeCommand.greeting(
      try ServeConfigurationTests.configuration([:]), port: 9, hasDemoKey: true, isTerminal: false)
    #expect(text.contains("123123"))
    #expect(text.split(separator: "\n").filter { $0.contains("curl -H 'Authorization: Bearer 123123'") }.count == 3)
  }
}
