import Glibc

/// Tells after a crash which execution it was; does nothing that a signal handler must not do.
enum CrashSite {
  // Written by the one thread of the program and read in its signal handler.
  nonisolated(unsafe) static var execution = 0

  static func report() {
    var digits: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10)
    withUnsafeMutableBytes(of: &digits) { bytes in
      var number = execution
      var index = bytes.count - 2
      repeat {
        bytes[index] = UInt8(ascii: "0") + UInt8(number % 10)
        number /= 10
        index -= 1
      } while number > 0 && index >= 0
      _ = write(2, "crashed at execution ", 21)
      _ = write(2, bytes.baseAddress.map { $0 + index + 1 }, bytes.count - index - 1)
    }
  }
}
