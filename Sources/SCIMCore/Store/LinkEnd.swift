/// The resource at the other end of a link: what those that are linked to it show of it.
///
/// One may stand in many elements at once: it is shared, and never changes.
public final class LinkEnd: Sendable, Equatable {
  /// The type name.
  public let type: String
  public let id: String
  /// The display as the database has it.
  public let display: String?
  let texts: Texts?

  /// - Parameter isShared: true where many elements will show it: what they write is made once then, which costs more than
  ///   to write it for one.
  public init(type: String, id: String, display: String?, isShared: Bool = false) {
    self.type = type
    self.id = id
    self.display = display
    texts = isShared ? Texts(type: type, id: id, display: display) : nil
  }

  public static func == (a: LinkEnd, b: LinkEnd) -> Bool {
    a === b || a.type == b.type && a.id == b.id && a.display == b.display
  }

  /// What elements write of it, as JSON, in one piece of memory.
  struct Texts: Sendable {
    private let bytes: [UInt8]
    private let segmentStart: Int
    private let typeStart: Int
    private let displayStart: Int

    fileprivate init(type: String, id: String, display: String?) {
      var sink = ByteSink(capacity: 256)
      sink.appendString(id)
      segmentStart = sink.count
      sink.append(UInt8(ascii: "/"))
      sink.appendSegment(id)
      sink.append(UInt8(ascii: "\""))
      typeStart = sink.count
      sink.append(",\"type\":")
      sink.appendString(type)
      displayStart = sink.count
      if let display {
        sink.append(",\"display\":")
        sink.appendString(display)
      }
      bytes = Array(sink.bytes)
    }

    /// The id as a string.
    func appendID(to sink: inout ByteSink) { append(0..<segmentStart, to: &sink) }

    /// The end of the resource's address, from the slash in front of the id to the quote behind it.
    func appendSegment(to sink: inout ByteSink) { append(segmentStart..<typeStart, to: &sink) }

    /// The member `type`, with the comma in front of it.
    func appendType(to sink: inout ByteSink) { append(typeStart..<displayStart, to: &sink) }

    /// The member `display`, with the comma in front of it, where there is one.
    func appendDisplay(to sink: inout ByteSink) { append(displayStart..<bytes.count, to: &sink) }

    private func append(_ range: Range<Int>, to sink: inout ByteSink) {
      bytes.withUnsafeBufferPointer { sink.append(UnsafeBufferPointer(rebasing: $0[range])) }
    }
  }
}
