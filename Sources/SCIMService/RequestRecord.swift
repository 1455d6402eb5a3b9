/// What is told of one answered request, for a log that can explain it later: nothing that a secret or a person could be
/// known by.
public struct RequestRecord: Sendable {
  /// Why a request had no valid key; the answer does not tell.
  public enum KeyRefusal: String, Sendable {
    /// No Authorization field.
    case missing
    /// An Authorization field without a bearer key.
    case malformed
    case unknown, expired, revoked
  }

  /// What the request is called, here and in `X-Request-Id` of its answer.
  public var id: String
  /// Empty where the request could not be read.
  public var method: String
  /// The shape of the address, such as `/Users/{id}`; `-` where the request did not come that far.
  public var route: String
  public var status: Int
  /// What it was refused with (RFC 7644 table 9); nil for none.
  public var scimType: String?
  /// The attribute that it was refused for.
  public var attribute: String?
  /// The id of the resource that the address names or that was created; nil where it is no plain word.
  public var resource: String?
  /// The organisation's name; nil where no key names one.
  public var organization: String?
  /// The public id of the key, also of one that is not valid any more; nil where there is none.
  public var key: String?
  /// Why there was no valid key; nil where there was one, or none was needed.
  public var keyRefusal: KeyRefusal?
  /// The client's address.
  public var client: String
  /// Bytes of the request's body, decoded, and of the answer's, before it is compressed.
  public var bytesIn: Int
  public var bytesOut: Int
  /// From when the request was there as a whole until its answer was handed over, on a clock that nobody sets. Waiting
  /// for the writer and its commit is part of it, the network is not.
  public var microseconds: Int64
}

/// What whoever runs the server is to know: a fault of the server itself, or what it passes over; never holds secrets or
/// personal values.
public struct FaultRecord: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  public enum Kind: String, Sendable {
    /// The server could not do what it was asked for.
    case fault
    /// It did, without a part that no schema defines.
    case ignored
  }

  public var kind: Kind
  /// What the request is called that met it; nil for none.
  public var id: String?
  public var method: String?
  public var route: String?
  /// What the engine said, or what is passed over.
  public var message: String

  public init(
    _ kind: Kind = .fault, id: String? = nil, method: String? = nil, route: String? = nil, message: String
  ) {
    self.kind = kind
    self.id = id
    self.method = method
    self.route = route
    self.message = message
  }

  public init(stringLiteral message: String) { self.init(message: message) }

  public var description: String { [id, method, route, message].compactMap { $0 }.joined(separator: " ") }
}
