import SCIMCore

/// A stored resource for people to look at.
struct ResourceView {
  let stored: StoredResource
  private let document: JSONObject

  init(_ stored: StoredResource) throws(CommandFailure) {
    guard let document = try? JSON(parsing: stored.document).objectValue else {
      throw CommandFailure(message: "the stored document of \(stored.type) \(stored.id) is broken; see 'roster check'")
    }
    self.stored = stored
    self.document = document
  }

  var id: String { stored.id }

  /// A top-level attribute as text; empty where there is none.
  func text(_ attribute: String) -> String {
    switch document[attribute] {
    case .string(let text)?: text
    case .bool(let flag)?: flag ? "yes" : "no"
    case .integer(let number)?: String(number)
    default: ""
    }
  }

  /// The elements of a link attribute by their display: linked ones, then others, then those that come from groups.
  func displays(_ attribute: String) -> String {
    func names(isInherited: Bool) -> [String] {
      stored.links.filter { $0.attribute == attribute && $0.isInherited == isInherited }.map { $0.display ?? $0.id }
    }
    let plain = (document[attribute]?.arrayValue ?? []).map {
      ($0["display"] ?? $0["value"])?.stringValue ?? "?"
    }
    let all = names(isInherited: false) + plain + names(isInherited: true)
    // A row is for looking at: of many, the first few and a number tell enough.
    return all.prefix(4).joined(separator: ", ") + (all.count > 4 ? " and \(all.count - 4) more" : "")
  }

  /// The document with its links and `meta`; without what depends on the address of a server.
  var whole: JSONObject {
    var whole = document
    for link in stored.links {
      var element = JSONObject([.init(key: "value", value: .string(link.id))])
      if let display = link.display { element["display"] = .string(display) }
      element["type"] = .string(link.attribute == "groups" ? (link.isDirect ? "direct" : "indirect") : link.type)
      for member in link.extra.members { element[member.key] = member.value }
      if link.isInherited { element["inherited"] = true }
      Self.append(.object(element), to: link.attribute, of: &whole)
    }
    whole["meta"] = [
      "resourceType": .string(stored.type), "created": .string(stored.created.text),
      "lastModified": .string(stored.modified.text), "version": .string(stored.entityTag),
    ]
    return whole
  }

  /// Adds an element to the attribute of that path: on top, or inside its extension.
  private static func append(_ element: JSON, to path: String, of object: inout JSONObject) {
    guard let colon = path.lastIndex(of: ":") else {
      object[path] = .array((object[path]?.arrayValue ?? []) + [element])
      return
    }
    let urn = String(path[..<colon])
    var content = object[urn]?.objectValue ?? JSONObject()
    append(element, to: String(path[path.index(after: colon)...]), of: &content)
    object[urn] = .object(content)
  }
}
