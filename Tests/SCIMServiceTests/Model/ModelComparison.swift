import SCIMCore

/// Compares all that the service shows with the model.
struct ModelComparison {
  let model: Model
  let text: ModelText
  /// The numbers of resources by id.
  let numbers: [String: Number]

  /// What a resource is expected to show, and what it shows: lists of texts by name.
  typealias View = [String: [String]]

  /// Why they differ; nil where they do not.
  func difference(_ client: Client) throws -> ModelDifference? {
    let reply = try client.send("GET /?count=1000")
    guard reply.status == 200 else { return ModelDifference(kind: "list", text: "\(reply)") }
    var shown: [Number: View] = [:]
    for resource in reply.resources {
      guard let number = numbers[resource["id"]?.stringValue ?? ""] else {
        return ModelDifference(kind: "unknown", text: "\(resource)")
      }
      shown[number] = view(of: resource)
    }
    var expected: [Number: View] = [:]
    for (number, user) in model.users { expected[number] = view(ofUser: number, user) }
    for (number, group) in model.groups { expected[number] = view(ofGroup: number, group) }
    for (number, entry) in model.entries { expected[number] = view(ofEntry: number, entry) }
    for number in Set(shown.keys).union(expected.keys).sorted() where shown[number] != expected[number] {
      return Self.difference("$\(number)", expected[number], shown[number])
    }
    for kind in model.kinds where kind.base.isOfCatalogue {
      if let difference = try differenceOfCounts(kind, client) { return difference }
    }
    return nil
  }

  /// `totalAssignmentsUsed` of each entry, also where nothing of the extension is stored.
  private func differenceOfCounts(_ kind: Model.Kind, _ client: Client) throws -> ModelDifference? {
    let urn = text.assignments(kind.endpoint)
    let reply = try client.send("GET \(kind.endpoint)?count=1000&attributes=\(urn):totalAssignmentsUsed")
    guard reply.status == 200 else { return ModelDifference(kind: "list", text: "\(reply)") }
    for resource in reply.resources {
      let number = numbers[resource["id"]?.stringValue ?? ""] ?? -1
      let used = resource[urn]?["totalAssignmentsUsed"]?.integerValue
      if used != Int64(model.holders(of: number)) {
        return ModelDifference(
          kind: "count", text: "$\(number) is assigned \(model.holders(of: number)) times, and shows \(used ?? -1)")
      }
    }
    return nil
  }

  private static func difference(_ name: String, _ expected: View?, _ shown: View?) -> ModelDifference {
    guard let expected else { return ModelDifference(kind: "surplus", text: "\(name) is there: \(shown ?? [:])") }
    guard let shown else { return ModelDifference(kind: "missing", text: "\(name) is not there: \(expected)") }
    let names = Set(expected.keys).union(shown.keys).sorted().filter { expected[$0] != shown[$0] }
    let lines = names.map { "\(name) \($0): expected \(expected[$0] ?? []), shown \(shown[$0] ?? [])" }
    return ModelDifference(kind: "shown \(names)", text: lines.joined(separator: "\n"))
  }

  // MARK: Shown

  private func view(of resource: JSON) -> View {
    var view: View = [:]
    func name(_ element: JSON) -> String {
      let value = element["value"]?.stringValue ?? "-"
      return numbers[value].map { "$\($0)" } ?? value
    }
    func list(_ name: String, _ elements: JSON?, _ line: (JSON) -> String) {
      let lines = (elements?.arrayValue ?? []).map(line).sorted()
      if !lines.isEmpty { view[name] = lines }
    }
    func holdings(_ attribute: String, _ elements: JSON?) {
      let all = elements?.arrayValue ?? []
      let own = all.prefix { $0["inherited"] != true }
      // Own ones come first.
      let inherited = all.dropFirst(own.count)
      func line(_ element: JSON) -> String {
        // Of two forms of one word that matches nothing, the pages do not tell which is kept.
        let name = element["$ref"] == nil ? Model.fold(name(element)) : name(element)
        let parts = [name, element["type"]?.stringValue, element["display"]?.stringValue]
        return parts.map { $0 ?? "-" }.joined(separator: " ") + (element["$ref"] == nil ? "" : " linked")
      }
      list(attribute, .array(Array(own)), line)
      list("\(attribute) inherited", .array(Array(inherited))) {
        line($0) + ($0["inherited"] == true ? "" : " out of order")
      }
    }
    view["name"] = [(resource["userName"] ?? resource["displayName"])?.stringValue ?? "-"]
    for attribute in Attribute.allCases {
      holdings(attribute.rawValue, resource[attribute.rawValue])
      holdings(attribute.rawValue, resource[ModelText.grants]?[attribute.rawValue])
    }
    list("members", resource["members"]) { "\(name($0)) \($0["type"]?.stringValue ?? "-")" }
    list("groups", resource["groups"]) { "\(name($0)) \($0["type"]?.stringValue ?? "-")" }
    view["type"] = resource["type"]?.stringValue.map { [$0] }
    view["kind"] = resource["meta"]?["resourceType"]?.stringValue.map { [$0] }
    view["active"] = resource["active"]?.boolValue.map { ["\($0)"] }
    for urn in [ModelText.roleAssignments, ModelText.entitlementAssignments] {
      if let settings = resource[urn]?.objectValue {
        view["settings"] = settings.members.map { "\($0.key) \(String(decoding: $0.value.encoded(), as: UTF8.self))" }
          .sorted()
      }
    }
    return view
  }

  // MARK: Expected

  private func line(_ entry: Number) -> String {
    "$\(entry) \(model.entries[entry]?.kind ?? "-") \(model.entries[entry]?.name ?? "-") linked"
  }

  private func own(_ attribute: Attribute, of holder: Model.Holder, _ view: inout View) {
    let unmatched = holder[attribute].unmatched.map { one in
      let value = text.text(one.word)
      return [numbers[value].map { "$\($0)" } ?? Model.fold(value), one.type, one.display].map { $0 ?? "-" }.joined(
        separator: " ")
    }
    let lines = holder[attribute].linked.map(line) + unmatched
    if !lines.isEmpty { view[attribute.rawValue] = lines.sorted() }
  }

  private func view(ofUser number: Number, _ user: Model.Holder) -> View {
    var view: View = ["name": [user.name], "kind": [user.kind], "active": ["\(user.isActive)"]]
    for attribute in Attribute.allCases {
      own(attribute, of: user, &view)
      let inherited = model.inherited(number, attribute).map(line)
      if !inherited.isEmpty { view["\(attribute.rawValue) inherited"] = inherited.sorted() }
    }
    let direct = model.groups(having: number)
    let groups = model.groupsAbove(number).map { "$\($0) \(direct.contains($0) ? "direct" : "indirect")" }
    if !groups.isEmpty { view["groups"] = groups.sorted() }
    return view
  }

  private func view(ofGroup number: Number, _ group: Model.Holder) -> View {
    var view: View = ["name": [group.name], "kind": [group.kind]]
    for attribute in Attribute.allCases { own(attribute, of: group, &view) }
    let members = group.members.map { "$\($0) \(model.users[$0] == nil ? "Group" : "User")" }
    if !members.isEmpty { view["members"] = members.sorted() }
    return view
  }

  private func view(ofEntry number: Number, _ entry: Model.Entry) -> View {
    var view: View = ["name": [entry.name], "kind": [entry.kind]]
    if model.base(of: number) == .entitlement { view["type"] = [entry.kind] }
    var settings = text.settings(entry.settings)
    if !settings.isEmpty {
      settings["totalAssignmentsUsed"] = .integer(Int64(model.holders(of: number)))
      view["settings"] = settings.members.map { "\($0.key) \(String(decoding: $0.value.encoded(), as: UTF8.self))" }
        .sorted()
    }
    return view
  }
}
