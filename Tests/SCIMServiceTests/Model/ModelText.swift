import SCIMCore

/// Writes operations as requests; `ids` has what stands for the number of a resource.
struct ModelText {
  static let roleAssignments = "urn:ietf:params:scim:schemas:core:2.0:Role"
  static let entitlementAssignments = "urn:ietf:params:scim:schemas:core:2.0:Entitlement"
  static let roleBase = "urn:okta:scim:schemas:core:1.0:Role"
  static let entitlementBase = "urn:okta:scim:schemas:core:1.0:Entitlement"
  static let grants = "urn:roster:scim:schemas:extension:grants:1.0:Group"
  static let user = "urn:ietf:params:scim:schemas:core:2.0:User"
  static let group = "urn:ietf:params:scim:schemas:core:2.0:Group"

  /// What is sent: a request, or a change that the command line makes.
  enum Sending {
    case request(String, JSON?)
    case command(String)
  }

  var ids: (Number) -> String
  /// The base of the types that the endpoints of the catalogue belong to.
  var base: (_ endpoint: String) -> Base

  func text(_ word: Word) -> String {
    switch word {
    case .id(let number): ids(number)
    case .name(let name): name
    }
  }

  func path(_ place: Place) -> String { "\(place.endpoint)/\(ids(place.number))" }

  func sending(_ operation: Operation) -> Sending {
    switch operation {
    case .create(let place, let content): .request("POST \(place.endpoint)", body(content, at: place.endpoint))
    case .replace(let place, let content): .request("PUT \(path(place))", body(content, at: place.endpoint))
    case .patch(let place, let changes):
      .request("PATCH \(path(place))", patch(changes, at: place.endpoint))
    case .delete(let place): .request("DELETE \(path(place))", nil)
    case .bulk(let operations, let failOnErrors): .request("POST /Bulk", bulk(operations, failOnErrors))
    case .defineType(let name, let base, .request):
      .request(
        "POST /ResourceTypes", ["name": .string(name), "endpoint": .string("/\(name)s"), "schema": Self.schema(base)])
    case .defineType(let name, let base, .command):
      .command(
        "roster type add "
          + String(decoding: JSON.object(Self.description(of: name, base: base)).encoded(), as: UTF8.self))
    case .retireType(let name, let force):
      .request("DELETE /ResourceTypes/\(name)\(force ? "?force=true" : "")", nil)
    case .restoreType(let name): .command("roster type restore \(name)")
    case .setCatalog(let isClosed): .command("roster org set --catalog \(isClosed ? "closed" : "open")")
    case .setGrants(let isOn, let force):
      .command("roster org set --grants \(isOn ? "on" : "off")\(force ? " --force" : "")")
    case .search(let search): .request(self.search(search), nil)
    }
  }

  /// The file of `roster type add`.
  static func description(of name: TypeName, base: Base) -> JSONObject {
    let attributes: JSON = [["name": "note", "type": "string"]]
    return JSONObject([
      .init(key: "name", value: .string(name)), .init(key: "endpoint", value: .string("/\(name)s")),
      .init(key: "schema", value: schema(base)),
      .init(
        key: "extension",
        value: ["schema": .string("urn:acme:scim:schemas:extension:model:1.0:\(name)"), "attributes": attributes]),
    ])
  }

  private static func schema(_ base: Base) -> JSON {
    switch base {
    case .user: .string(user)
    case .group: .string(group)
    case .role: .string(roleBase)
    case .entitlement: .string(entitlementBase)
    }
  }

  func assignments(_ endpoint: String) -> String {
    base(endpoint) == .role ? Self.roleAssignments : Self.entitlementAssignments
  }

  // MARK: Bodies

  private func body(_ content: Content, at endpoint: String) -> JSON {
    var object = JSONObject()
    object["schemas"] = [Self.schema(base(endpoint))]
    switch base(endpoint) {
    case .user:
      object["userName"] = .string(content.name)
      if let isActive = content.isActive { object["active"] = .bool(isActive) }
      for (attribute, sent) in content.held.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        object[attribute.rawValue] = list(sent)
      }
    case .group:
      object["displayName"] = .string(content.name)
      if !content.members.isEmpty { object["members"] = members(content.members) }
      var grants = JSONObject()
      for (attribute, sent) in content.held.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        grants[attribute.rawValue] = list(sent)
      }
      if !grants.isEmpty { object[Self.grants] = .object(grants) }
    case .role, .entitlement:
      object["displayName"] = .string(content.name)
      let settings = self.settings(content.settings)
      if !settings.isEmpty { object[assignments(endpoint)] = .object(settings) }
    }
    return .object(object)
  }

  func settings(_ settings: Settings) -> JSONObject {
    var object = JSONObject()
    if let value = settings.value { object["value"] = .string(value) }
    if let isSupported = settings.isSupported { object["supported"] = .bool(isSupported) }
    if let isLimited = settings.isLimited { object["limitedAssignmentsPermitted"] = .bool(isLimited) }
    if let permitted = settings.permitted { object["totalAssignmentsPermitted"] = .integer(Int64(permitted)) }
    if !settings.contains.isEmpty { object["contains"] = words(settings.contains) }
    if !settings.containedBy.isEmpty { object["containedBy"] = words(settings.containedBy) }
    return object
  }

  private func words(_ words: [Word]) -> JSON { .array(words.map { .string(text($0)) }) }

  private func members(_ numbers: [Number]) -> JSON { .array(numbers.map { ["value": .string(ids($0))] }) }

  private func list(_ sent: [Sent]) -> JSON { .array(sent.map(element)) }

  private func element(_ sent: Sent) -> JSON {
    var object = JSONObject([.init(key: "value", value: .string(text(sent.word)))])
    if let type = sent.type { object["type"] = .string(type) }
    if sent.isInherited { object["inherited"] = true }
    return .object(object)
  }

  private func patch(_ changes: [Change], at endpoint: String) -> JSON {
    PatchBody.make(changes.map { operation($0, at: endpoint) })
  }

  private func operation(_ change: Change, at endpoint: String) -> (op: String, path: String?, value: JSON?) {
    func path(_ attribute: Attribute, _ condition: Condition? = nil, _ part: String = "") -> String {
      (endpoint == "/Groups" ? "\(Self.grants):" : "") + attribute.rawValue
        + (condition.map { "[\(filter($0))]" } ?? "") + part
    }
    func setting(_ name: String, _ value: JSON?) -> (op: String, path: String?, value: JSON?) {
      (value == nil ? "remove" : "replace", "\(assignments(endpoint)):\(name)", value)
    }
    switch change {
    case .rename(let name): return ("replace", base(endpoint) == .user ? "userName" : "displayName", .string(name))
    case .setActive(let isActive): return ("replace", "active", .bool(isActive))
    case .assign(let verb, let attribute, let sent, hasPath: true): return (verb.rawValue, path(attribute), list(sent))
    case .assign(let verb, let attribute, let sent, hasPath: false):
      let object: JSON = .object(JSONObject([.init(key: attribute.rawValue, value: list(sent))]))
      return (
        verb.rawValue, nil,
        endpoint == "/Groups" ? .object(JSONObject([.init(key: Self.grants, value: object)])) : object
      )
    case .clear(let attribute): return ("remove", path(attribute), nil)
    case .take(let attribute, let sent): return ("remove", path(attribute), list(sent))
    case .takeWhere(let attribute, let condition): return ("remove", path(attribute, condition), nil)
    case .setWhere(let verb, let attribute, let condition, let sent):
      return (verb.rawValue, path(attribute, condition), element(sent))
    case .setValueWhere(let verb, let attribute, let condition, let word):
      return (verb.rawValue, path(attribute, condition, ".value"), .string(text(word)))
    case .setDisplayWhere(let verb, let attribute, let condition, let display):
      return (verb.rawValue, path(attribute, condition, ".display"), .string(display))
    case .members(let verb, let numbers, hasPath: true): return (verb.rawValue, "members", members(numbers))
    case .members(let verb, let numbers, hasPath: false): return (verb.rawValue, nil, ["members": members(numbers)])
    case .clearMembers: return ("remove", "members", nil)
    case .takeMembers(let numbers): return ("remove", "members", members(numbers))
    case .takeMember(let number): return ("remove", "members[value eq \"\(ids(number))\"]", nil)
    case .setting(.value(let value)): return setting("value", value.map { .string($0) })
    case .setting(.isSupported(let value)): return setting("supported", value.map { .bool($0) })
    case .setting(.isLimited(let value)): return setting("limitedAssignmentsPermitted", value.map { .bool($0) })
    case .setting(.permitted(let value)):
      return setting("totalAssignmentsPermitted", value.map { .integer(Int64($0)) })
    case .words(let verb, let side, let words):
      return (verb.rawValue, "\(assignments(endpoint)):\(side.rawValue)", self.words(words))
    case .clearWords(let side): return ("remove", "\(assignments(endpoint)):\(side.rawValue)", nil)
    }
  }

  private func bulk(_ operations: [Operation], _ failOnErrors: Int?) -> JSON {
    var made: Set<Number> = []
    for case .create(let place, _) in operations { made.insert(place.number) }
    let inner = ModelText(ids: { made.contains($0) ? "bulkId:b\($0)" : ids($0) }, base: base)
    var body = JSONObject()
    body["schemas"] = ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"]
    if let failOnErrors { body["failOnErrors"] = .integer(Int64(failOnErrors)) }
    body["Operations"] = .array(
      operations.map { operation in
        guard case .request(let line, let data) = inner.sending(operation) else { return [:] }
        let parts = line.split(separator: " ").map(String.init)
        var object = JSONObject()
        object["method"] = .string(parts[0])
        object["path"] = .string(parts[1])
        if case .create(let place, _) = operation { object["bulkId"] = .string("b\(place.number)") }
        object["data"] = data
        return .object(object)
      })
    return .object(body)
  }

  // MARK: Filters

  func filter(_ condition: Condition, prefix: String = "") -> String {
    switch condition {
    case .value(let word): "\(prefix)value eq \"\(text(word))\""
    case .type(let type): "\(prefix)type eq \"\(type)\""
    case .display(let display): "\(prefix)display eq \"\(display)\""
    case .inherited(let isInherited): "\(prefix)inherited eq \(isInherited)"
    case .both(let left, let right): "(\(filter(left, prefix: prefix)) and \(filter(right, prefix: prefix)))"
    case .either(let left, let right): "(\(filter(left, prefix: prefix)) or \(filter(right, prefix: prefix)))"
    case .not(let inner): "not (\(filter(inner, prefix: prefix)))"
    }
  }

  private func search(_ search: Search) -> String {
    let (endpoint, filter) =
      switch search {
      case .holders(let endpoint, let attribute, let condition):
        (
          endpoint,
          "\(endpoint == "/Groups" ? "\(Self.grants):" : "")\(attribute.rawValue)[\(self.filter(condition))]"
        )
      case .holdersByPresence(let attribute, let isNegated):
        ("/Users", isNegated ? "not (\(attribute.rawValue) pr)" : "\(attribute.rawValue) pr")
      case .usersOf(let group, isIndirectOnly: true):
        ("/Users", "groups[value eq \"\(ids(group))\" and type eq \"indirect\"]")
      case .usersOf(let group, isIndirectOnly: false): ("/Users", "groups.value eq \"\(ids(group))\"")
      case .groupsOf(let member): ("/Groups", "members.value eq \"\(ids(member))\"")
      case .entries(let endpoint, let condition): (endpoint, self.condition(condition, assignments(endpoint)))
      }
    return "GET \(endpoint)?attributes=id&count=1000&filter=\(filter)"
  }

  private func condition(_ condition: Search.EntryCondition, _ urn: String) -> String {
    switch condition {
    case .used(let comparison, let number): "\(urn):totalAssignmentsUsed \(comparison) \(number)"
    case .words(let side, let word): "\(urn):\(side.rawValue) eq \"\(text(word))\""
    case .name(let name): "displayName eq \"\(name)\""
    case .limited: "\(urn):limitedAssignmentsPermitted eq true"
    }
  }
}
