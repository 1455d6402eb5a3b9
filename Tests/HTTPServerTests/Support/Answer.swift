/// One answer as a client reads it.
struct Answer: Equatable {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The whole answers in `bytes`; nil where the bytes are no answers, or the last one is not whole. `heads`: which
  /// answers are to HEAD requests.
  static func all(in bytes: [UInt8], heads: Set<Int> = []) -> [Answer]? {
    var rest = bytes[...]
    var answers: [Answer] = []
    while !rest.isEmpty {
      guard let end = headEnd(rest) else { return nil }
      var lines = String(decoding: rest[..<(end - 4)], as: UTF8.self).components("\r\n")
      rest = rest[end...]
      let words = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
      var headers: [String: String] = [:]
      for line in lines {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = line[..<colon].lowercased()
        guard headers[name] == nil else { return nil }
        headers[name] = String(line[line.index(colon, offsetBy: 2)...])
      }
      var length = 0
      if status >= 200, status != 204, status != 304 {
        guard let stated = headers["content-length"].flatMap({ Int($0) }) else { return nil }
        length = heads.contains(answers.count) ? 0 : stated
      }
      guard rest.count >= length else { return nil }
      answers.append(Answer(status: status, headers: headers, body: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    return answers
  }

  private static func headEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for i in bytes.startIndex...(bytes.endIndex - 4) where bytes[i..<(i + 4)].elementsEqual([13, 10, 13, 10]) {
      return i + 4
    }
    return nil
  }
}

extension String {
  /// The parts between the separators.
  fileprivate func components(_ separator: String) -> [String] {
    var parts: [String] = []
    var part: [UInt8] = []
    var bytes = Array(utf8)[...]
    let separator = Array(separator.utf8)
    while !bytes.isEmpty {
      if bytes.starts(with: separator) {
        parts.append(String(decoding: part, as: UTF8.self))
        part = []
        bytes = bytes.dropFirst(separator.count)
      } else {
        part.append(bytes.removeFirst())
      }
    }
    return parts + [String(decoding: part, as: UTF8.self)]
  }
}
