extension JSON {
  /// The value indented by two blanks for people to read, without a line break at the end.
  public func pretty() -> String {
    var output: [UInt8] = []
    writePretty(into: &output, indent: 0)
    return String(decoding: output, as: UTF8.self)
  }

  private func writePretty(into output: inout [UInt8], indent: Int) {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSON.appendLine(indent + 1, to: &output)
        element.writePretty(into: &output, indent: indent + 1)
      }
      JSON.appendLine(indent, to: &output)
      output.append(UInt8(ascii: "]"))
    case .object(let object) where !object.isEmpty:
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSON.appendLine(indent + 1, to: &output)
        JSON.appendString(member.key, to: &output)
        JSON.append(": ", to: &output)
        member.value.writePretty(into: &output, indent: indent + 1)
      }
      JSON.appendLine(indent, to: &output)
      output.append(UInt8(ascii: "}"))
    default:
      write(into: &output)
    }
  }

  private static func appendLine(_ indent: Int, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * 2))
  }
}
