import HTTPMessage
import SCIMCore

/// The base of the URIs in an answer.
enum BaseURL {
  /// The configured base; else what a trusted proxy forwards; else the request's Host.
  static func of(_ request: Request, configuration: ServiceConfiguration) -> String {
    if let fixed = configuration.baseURL { return fixed }
    var scheme = "http"
    var authority = request.authority
    var prefix = ""
    if configuration.trustsProxy {
      if let value = first(request.headers["x-forwarded-proto"]), value == "http" || value == "https" {
        scheme = value
      }
      if let value = first(request.headers["x-forwarded-host"]), Authority.isValid(value) { authority = value }
      if let value = first(request.headers["x-forwarded-prefix"]), isPrefix(value) {
        prefix = String(value.reversed().drop { $0 == "/" }.reversed())
      }
    }
    return scheme + "://" + (authority.isEmpty ? "localhost" : authority) + prefix + Address.basePath
  }

  /// True where the base depends on nothing but the request's Host.
  static func followsHost(_ configuration: ServiceConfiguration) -> Bool {
    configuration.baseURL == nil && !configuration.trustsProxy
  }

  /// The first element of a list that proxies append to.
  private static func first(_ value: String?) -> String? {
    guard let value else { return nil }
    let first = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let trimmed = first.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// A path of plain segments: none is empty, `.` or `..`, which would lead a client elsewhere.
  private static func isPrefix(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "/") else { return false }
    var segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    // Slashes at the end are not taken over.
    while segments.count > 1, segments.last?.isEmpty == true { segments.removeLast() }
    return text == "/"
      || segments.allSatisfy { segment in
        !segment.isEmpty && segment != "." && segment != ".."
          && segment.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
              UInt8(ascii: "~"):
              true
            default: false
            }
          }
      }
  }
}
