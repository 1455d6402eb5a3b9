import CSodium

/// Unpredictable bytes from the operating system.
public enum RandomBytes {
  /// Gives `count` random bytes.
  public static func make(count: Int) -> [UInt8] {
    Sodium.start
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let base = buffer.baseAddress, count > 0 { randombytes_buf(base, count) }
      initialized = count
    }
  }
}
