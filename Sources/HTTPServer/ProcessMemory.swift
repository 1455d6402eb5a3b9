import CSystem

/// How the process holds its memory.
public enum ProcessMemory {
  /// The most bytes of address space that the process may have; nil for no limit.
  public static var addressSpaceLimit: UInt64? {
    let limit = csystem_address_space_limit()
    return limit == .max ? nil : limit
  }

  /// Has the allocator give memory back to the system where it would keep it for the longest answer that was ever made;
  /// to be called once, before threads are started.
  public static func tune() { csystem_tune_memory() }
}
