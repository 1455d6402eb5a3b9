import HTTPMessage
import SCIMCore

/// The Error message of RFC 7644 section 3.12 as an HTTP answer.
enum ErrorMessage {
  static let schema = "urn:ietf:params:scim:api:messages:2.0:Error"

  /// The answer to what a request was refused with.
  ///
  /// - Parameters:
  ///   - requestID: shown for a fault of the server's own, whose detail stays in the log.
  ///   - hasBearer: true where the request came with a bearer key, of which RFC 6750 section 3.1 says that it is not
  ///     valid; of a request without one it says nothing.
  static func response(
    to error: SCIMError, media: MediaType, allow: [String] = [], requestID: String? = nil, hasBearer: Bool = false
  ) -> Response {
    let detail = detail(of: error, requestID: requestID)
    var headers: [(name: String, value: String)] = [("Content-Type", media.rawValue)]
    switch error.kind {
    case .unauthorized:
      headers.append(("WWW-Authenticate", hasBearer ? "Bearer error=\"invalid_token\"" : "Bearer"))
    case .methodNotAllowed: headers.append(("Allow", allow.joined(separator: ", ")))
    case .tooManyRequests, .unavailable: headers.append(("Retry-After", "1"))
    default: break
    }
    return Response(
      status: error.status, headers: headers,
      body: body(status: error.status, scimType: error.scimType, detail: detail))
  }

  /// What a client is told; of a fault of the server itself no more than the request's id.
  static func detail(of error: SCIMError, requestID: String?) -> String {
    guard error.kind == .internalError else { return error.detail }
    return "The server could not answer this request."
      + (requestID.map { $0.isEmpty ? "" : " Its id in the log is \($0)." } ?? "")
  }

  /// The bytes of an Error message.
  static func body(status: Int, scimType: String?, detail: String) -> [UInt8] {
    json(status: status, scimType: scimType, detail: detail).encoded()
  }

  /// The Error message as JSON, for Bulk answers.
  static func json(status: Int, scimType: String?, detail: String) -> JSON {
    var object = JSONObject()
    object["schemas"] = [.string(schema)]
    object["status"] = .string(String(status))
    if let scimType { object["scimType"] = .string(scimType) }
    object["detail"] = .string(detail)
    return .object(object)
  }
}
