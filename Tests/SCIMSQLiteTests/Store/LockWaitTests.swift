import Dispatch
import Foundation
import SCIMSQL
import SCIMSQLite
import Testing

/// Two connections that write, as a server and a command do.
@Suite("Waiting for locks of others")
struct LockWaitTests {
  private static func connect(_ path: String, waits milliseconds: Int) throws -> any SQLConnection {
    try SQLiteDriver(path: path, options: SQLiteOptions(busyTimeoutMilliseconds: milliseconds)).connect(.writer)
  }

  @Test("A lock that is not given up in time is told as busy, and the next try may succeed")
  func busy() throws {
    let temporary = try TemporaryStore()
    let holder = try Self.connect(temporary.path, waits: 5000)
    let waiter = try Self.connect(temporary.path, waits: 20)
    try holder.execute("BEGIN IMMEDIATE")
    for _ in 0..<2 {
      let error = try #require(throws: SQLError.self) { try waiter.execute("BEGIN IMMEDIATE") }
      #expect(error.kind == .busy)
    }
    try holder.execute("ROLLBACK")
    try waiter.execute("BEGIN IMMEDIATE")
    try waiter.execute("ROLLBACK")
    holder.close()
    waiter.close()
  }

  @Test("A lock is taken once it is free, also after a checkpoint that may not wait")
  func freed() throws {
    let temporary = try TemporaryStore()
    let path = temporary.path
    let waiter = try Self.connect(path, waits: 60_000)
    let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = Thread {
      let holder = try? Self.connect(path, waits: 5000)
      try? holder?.execute("BEGIN IMMEDIATE")
      isHeld.signal()
      mayEnd.wait()
      try? holder?.execute("ROLLBACK")
      holder?.close()
    }
    thread.start()
    isHeld.wait()
    #expect(throws: SQLError.self) { try waiter.checkpoint(.restart) }
    mayEnd.signal()
    try waiter.execute("BEGIN IMMEDIATE")
    try waiter.execute("ROLLBACK")
    waiter.close()
  }
}
