import HTTPMessage
import SCIMCore

/// `GET /{type}/{id}` (RFC 7644 section 3.4.1).
enum Read {
  static func respond(
    _ exchange: Exchange, type: ResourceType, id: String, reader: any TenantReader
  ) throws(SCIMError) -> Response {
    let projection = try exchange.projection(of: type)
    let links = projection.links(for: type)
    guard let stored = try reader.resource(id: id, type: type, links: links) else {
      throw notFound(type, id: id)
    }
    if try Precondition(headers: exchange.request.headers).isKnown(stored.entityTag) {
      return Response(status: 304, headers: [("ETag", stored.entityTag)])
    }
    return try exchange.answer(stored, type: type, status: 200, projection: projection, reader: reader)
  }

  /// The one answer for what does not exist, here or in another organisation.
  static func notFound(_ type: ResourceType, id: String) -> SCIMError {
    SCIMError(.notFound, "There is no \(type.name) with this id.")
  }
}
