import HTTPMessage
import SCIMCore

/// `GET /{type}/{id}` (RFC 7644 section 3.4.1).
enum Read {
  static func operation(_ exchange: Exchange, type: ResourceType, id: String) throws(SCIMError) -> Operation {
    let projection = try exchange.projection(of: type)
    let links = projection.links(for: type)
    // A member list can be long: it is read and written out on a worker, so that it holds up nobody.
    if type.hasMembers(in: links) {
      return .worker { (reader) throws(SCIMError) in
        try respond(exchange, type: type, id: id, projection: projection, links: links, reader: reader)
      }
    }
    return .here { (reader) throws(SCIMError) in
      try respond(exchange, type: type, id: id, projection: projection, links: links, reader: reader)
    }
  }

  private static func respond(
    _ exchange: Exchange, type: ResourceType, id: String, projection: Projection, links: LinkSelection,
    reader: any StoreReader
  ) throws(SCIMError) -> Response {
    guard let stored = try reader.resource(id: id, type: type, links: links, in: exchange.organization.id) else {
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

extension ResourceType {
  /// True where the selection loads a member list.
  func hasMembers(in selection: LinkSelection) -> Bool {
    links.contains { link in
      guard case .members = link.kind else { return false }
      return selection.includes(link.attribute)
    }
  }
}
