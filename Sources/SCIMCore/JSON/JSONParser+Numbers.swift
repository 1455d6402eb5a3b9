import Foundation

extension JSONParser {
  /// Reads a number; the index is at its minus sign or first digit.
  mutating func number() throws(JSONError) -> JSON {
    let start = index
    var at = start
    let negative = bytes[at] == UInt8(ascii: "-")
    if negative { at += 1 }

    // The digits as one integer, as long as they fit, and the power of ten they are scaled by.
    var digits = Digits()
    let integerStart = at
    digits.take(from: bytes, at: &at)
    guard at > integerStart else { throw malformed(at) }
    if bytes[integerStart] == UInt8(ascii: "0"), at > integerStart + 1 { throw JSONError(.invalidNumber, at: start) }

    var isInteger = true
    var power = 0
    if at < count, bytes[at] == UInt8(ascii: ".") {
      isInteger = false
      at += 1
      let fractionStart = at
      digits.take(from: bytes, at: &at)
      guard at > fractionStart else { throw malformed(at) }
      power = fractionStart - at
    }
    if at < count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      at += 1
      let exponent = try exponent(&at)
      power = exponent.addingReportingOverflow(power).partialValue
    }
    index = at

    if isInteger {
      guard let value = digits.integer(negative: negative) else { throw JSONError(.numberOutOfRange, at: start) }
      return .integer(value)
    }
    let text = bytes[start..<at]
    guard
      let value = digits.exactDouble(power: power).map({ negative ? -$0 : $0 })
        ?? Double(String(decoding: text, as: UTF8.self))
    else { throw JSONError(.invalidNumber, at: start) }
    guard value.isFinite, value != 0 || digits.areZero, digits.areKept(by: value, writtenAs: text) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return .double(value)
  }

  /// Reads the exponent behind its letter; beyond any double it stays at a bound.
  private func exponent(_ at: inout Int) throws(JSONError) -> Int {
    var negative = false
    if at < count, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
      negative = bytes[at] == UInt8(ascii: "-")
      at += 1
    }
    let start = at
    var value = 0
    while at < count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[at] {
      if value < 1_000_000_000 { value = value * 10 + Int(bytes[at] - UInt8(ascii: "0")) }
      at += 1
    }
    guard at > start else { throw malformed(at) }
    return negative ? -value : value
  }

  private func malformed(_ at: Int) -> JSONError {
    at < count ? JSONError(.invalidNumber, at: at) : JSONError(.unexpectedEnd, at: count)
  }

  /// The decimal digits of a number without its point.
  private struct Digits {
    var value: UInt64 = 0
    var overflows = false
    /// How many there are from the first to the last that is not 0.
    var significant = 0
    private var zeros = 0

    var areZero: Bool { value == 0 && !overflows }

    mutating func take(from bytes: UnsafeRawBufferPointer, at: inout Int) {
      while at < bytes.count {
        let digit = bytes[at] &- UInt8(ascii: "0")
        guard digit < 10 else { return }
        at += 1
        if digit != 0 {
          significant += zeros + 1
          zeros = 0
        } else if significant > 0 {
          zeros += 1
        }
        if overflows { continue }
        let (tens, tooMany) = value.multipliedReportingOverflow(by: 10)
        let (sum, tooMuch) = tens.addingReportingOverflow(UInt64(digit))
        if tooMany || tooMuch { overflows = true } else { value = sum }
      }
    }

    /// True where a double says all of the digits, as it does of any 15 and of some 16 and 17: a number that loses some
    /// is refused as a whole number is that does not fit.
    func areKept(by value: Double, writtenAs text: some Sequence<UInt8>) -> Bool {
      guard significant > 15 else { return true }
      guard significant <= 17 else { return false }
      // The digits of the mantissa, up to the last that is not 0.
      func mantissa(_ text: some Sequence<UInt8>) -> [UInt8] {
        let digits = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { $0 &- UInt8(ascii: "0") < 10 }
        return Array(digits.drop { $0 == UInt8(ascii: "0") }.prefix(significant))
      }
      return mantissa(String(format: "%.*e", significant - 1, value).utf8) == mantissa(text)
    }

    func integer(negative: Bool) -> Int64? {
      if overflows { return nil }
      return negative ? Int64(exactly: -Int128(value)) : Int64(exactly: value)
    }

    /// The correctly rounded value where one multiplication or division of exact doubles gives it.
    func exactDouble(power: Int) -> Double? {
      guard !overflows, value <= 1 << 53, -22...22 ~= power else { return nil }
      let scale = Self.powers[Int(power.magnitude)]
      return power < 0 ? Double(value) / scale : Double(value) * scale
    }

    private static let powers: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
      1e20, 1e21, 1e22,
    ]
  }
}
