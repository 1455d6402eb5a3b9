import Foundation
import SCIMCore

/// An answer as a client sees it.
struct ClientAnswer: Sendable {
  var status: Int
  /// By name in lower case.
  var headers: [String: String]
  var body: [UInt8]
}

/// A way to reach the service: in memory, or over a socket.
protocol Wire: Sendable {
  func send(method: String, target: String, headers: [(String, String)], body: [UInt8]?) throws -> ClientAnswer
}

/// Runs a case over a wire.
struct ExchangeRunner {
  let wire: any Wire
  /// The base of the SCIM URIs, such as `http://127.0.0.1:8080/scim/v2`.
  let base: String
  /// Keys of an organisation as it is made, one of each profile.
  let keys: [Profile: String]
  /// Keys of one whose groups may grant, for the cases of `grants.json`.
  let grantingKeys: [Profile: String]

  /// Nil where the case holds, else which step fails and why.
  ///
  /// - Parameter grants: runs a case of another file where groups may grant as well.
  func run(_ exchange: ExchangeCase, grants: Bool = false) -> String? {
    let keys = grants || exchange.file == "grants.json" ? grantingKeys : keys
    var names: [String: JSON] = [
      "unique": .string(String(UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(12))),
      "base": .string(base), "token": .string(keys[.interop] ?? ""),
    ]
    for (index, step) in exchange.steps.enumerated() {
      let line = fill(.string(step.request), names).stringValue ?? ""
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let place = "step \(index + 1) (\(line))"
      var payload: [UInt8]?
      if let body = step.body {
        payload = fill(body, names).encoded()
      } else if let raw = step.raw {
        payload = bytes(of: fill(.string(raw), names).stringValue ?? "")
      }
      let answer: ClientAnswer
      do {
        answer = try wire.send(
          method: String(parts[0]), target: target(of: parts.count > 1 ? String(parts[1]) : ""),
          headers: headers(of: step, token: keys[step.profile] ?? "", names: names, hasBody: payload != nil),
          body: payload)
      } catch {
        return "\(place): no answer: \(error)"
      }
      let body = Self.json(answer.body)
      if let wanted = step.expect["status"] {
        let allowed = wanted.arrayValue ?? [wanted]
        if !allowed.contains(.integer(Int64(answer.status))) {
          return
            "\(place): expected status \(Matcher.show(wanted)), got \(answer.status): \(body.map { Matcher.show($0) } ?? "")"
        }
      }
      for member in step.expect["headers"]?.objectValue?.members ?? [] {
        let got = answer.headers[member.key.lowercased()].map { JSON.string($0) }
        if let why = Matcher.mismatch(fill(member.value, names), got, at: "header \(member.key)") {
          return "\(place): \(why)"
        }
      }
      if let wanted = step.expect["body"], let why = Matcher.mismatch(fill(wanted, names), body) {
        return "\(place): \(why)"
      }
      for member in step.save.members {
        let spot = member.value.stringValue ?? ""
        let value =
          spot.hasPrefix("header:")
          ? answer.headers[spot.dropFirst(7).lowercased()].map { JSON.string($0) } : pick(body, spot)
        guard let value else { return "\(place): nothing at \(spot) to save as \(member.key)" }
        names[member.key] = value
      }
    }
    return nil
  }

  private static func json(_ bytes: [UInt8]) -> JSON? {
    guard !bytes.isEmpty else { return nil }
    if let json = try? JSON(parsing: bytes, limits: JSONLimits(depth: 100)) { return json }
    return .string(String(decoding: bytes, as: UTF8.self))
  }

  private func headers(
    of step: ExchangeCase.Step, token: String, names: [String: JSON], hasBody: Bool
  ) -> [(String, String)] {
    var headers = [("Accept", "application/scim+json"), ("Authorization", "Bearer \(token)")]
    if hasBody { headers.append(("Content-Type", "application/scim+json")) }
    for member in step.headers.members {
      headers.removeAll { $0.0.lowercased() == member.key.lowercased() }
      if let value = fill(member.value, names).stringValue { headers.append((member.key, value)) }
    }
    return headers
  }

  private func target(of path: String) -> String {
    var target = path
    if path.hasPrefix("http://") || path.hasPrefix("https://") {
      let rest = path[(path.range(of: "://")?.upperBound ?? path.startIndex)...]
      target = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    } else {
      let rest = base[(base.range(of: "://")?.upperBound ?? base.startIndex)...]
      target = (rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "") + path
    }
    return RequestTarget.encode(target)
  }

  /// A text as bytes; U+E000 becomes half a surrogate pair (see `ExchangeCase`).
  private func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { $0 == "\u{E000}" ? [0xED, 0xA0, 0x80] : Array(String($0).utf8) }
  }

  private func fill(_ value: JSON, _ names: [String: JSON]) -> JSON {
    switch value {
    case .string(let text):
      if text.hasPrefix("${"), text.hasSuffix("}"), let whole = names[String(text.dropFirst(2).dropLast())] {
        return whole
      }
      var result = ""
      var rest = Substring(text)
      while let start = rest.range(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
        let name = String(rest[start.upperBound..<end])
        result += rest[..<start.lowerBound]
        if let known = names[name] {
          result += known.stringValue ?? String(decoding: known.encoded(), as: UTF8.self)
        } else {
          result += rest[start.lowerBound...end]
        }
        rest = rest[rest.index(after: end)...]
      }
      return .string(result + rest)
    case .array(let items): return .array(items.map { fill($0, names) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: fill(.string($0.key), names).stringValue ?? $0.key, value: fill($0.value, names))
          }))
    default: return value
    }
  }

  private func pick(_ document: JSON?, _ path: String) -> JSON? {
    var value = document
    for part in path.split(separator: ".") {
      if case .array(let items)? = value, let index = Int(part) {
        value = items.indices.contains(index) ? items[index] : nil
      } else {
        value = value?[String(part)]
      }
    }
    return value == .null ? nil : value
  }
}
