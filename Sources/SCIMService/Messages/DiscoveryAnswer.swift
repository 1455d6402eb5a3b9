import HTTPMessage
import SCIMCore

/// A discovery document as an answer, with an ETag of its content, so that a client that reads the schemas again and
/// again is told with 304 that it has them (RFC 7644 section 3.14).
struct DiscoveryAnswer {
  let body: [UInt8]
  let entityTag: String

  init(_ body: [UInt8]) {
    self.body = body
    entityTag = "W/\"" + String(Self.digest(body), radix: 16) + "\""
  }

  init(_ document: JSON) {
    self.init(document.encoded())
  }

  /// - Throws: `preconditionFailed` where `If-Match` names other versions.
  func response(to request: Request, media: MediaType) throws(SCIMError) -> Response {
    if try Precondition(headers: request.headers).isKnown(entityTag) {
      return Response(status: 304, headers: [("ETag", entityTag)])
    }
    return Response(status: 200, headers: [("Content-Type", media.rawValue), ("ETag", entityTag)], body: body)
  }

  /// FNV-1a of 64 bits: the documents are few, and nobody gains by making two alike.
  private static func digest(_ bytes: [UInt8]) -> UInt64 {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return digest
  }
}
