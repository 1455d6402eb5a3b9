import HTTPMessage
import SCIMCore

/// What is known of a request on its way, for the record of it; made only where requests are recorded.
final class RequestNote {
  let started = Stopwatch()
  var route = "-"
  var organization: String?
  var key: String?
  var keyRefusal: RequestRecord.KeyRefusal?
  var error: SCIMError?

  func record(of response: Response, to request: Request, client: String) -> RequestRecord {
    RequestRecord(
      id: request.id, method: request.method, route: route, status: response.status, scimType: error?.scimType,
      attribute: error?.attribute, resource: nil, organization: organization, key: key, keyRefusal: keyRefusal,
      client: client, bytesIn: request.body.count, bytesOut: response.body.count,
      microseconds: started.microseconds)
  }
}

extension Exchange {
  /// The record of an answer, with what the request was refused with.
  func record(of response: Response, error: SCIMError? = nil) -> RequestRecord {
    RequestRecord(
      id: request.id, method: request.method, route: route.label, status: response.status, scimType: error?.scimType,
      attribute: error?.attribute, resource: resourceID(in: response), organization: organization.name, key: key.id,
      keyRefusal: nil, client: ClientName.of(request, trustsProxy: configuration.trustsProxy),
      bytesIn: request.body.count, bytesOut: response.body.count, microseconds: started?.microseconds ?? 0)
  }

  /// The id of the resource that the address names, or that was created.
  private func resourceID(in response: Response) -> String? {
    let id: Substring
    switch route {
    case .resource(_, let named): id = named[...]
    case .collection where response.status == 201:
      guard let location = response.headers.first(where: { $0.name == "Location" })?.value,
        let slash = location.lastIndex(of: "/")
      else { return nil }
      id = location[location.index(after: slash)...]
    default: return nil
    }
    // What a client writes there can be anything, a person's address too.
    let isPlain =
      !id.isEmpty && id.utf8.count <= 64
      && id.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
    return isPlain ? String(id) : nil
  }
}

/// Where a request comes from, for the log.
enum ClientName {
  /// The peer's address; behind a trusted proxy the one that the proxy names, which is the last of its list: those in
  /// front of it are what the client says.
  static func of(_ request: Request, trustsProxy: Bool) -> String {
    guard trustsProxy, let list = request.headers.list("x-forwarded-for"),
      let last = list.split(separator: ",").last
    else { return request.peer }
    let name = last.filter { $0 != " " && $0 != "\t" }
    let isAddress =
      !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x3A, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"): true
        default: false
        }
      }
    return isAddress ? name : request.peer
  }
}
