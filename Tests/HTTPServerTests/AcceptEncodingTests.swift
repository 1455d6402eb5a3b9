import Testing

@testable import HTTPServer

@Suite("Accept-Encoding")
struct AcceptEncodingTests {
  @Test(
    "gzip or not",
    arguments: [
      ("gzip", true), ("GZip", true), ("x-gzip", true), ("br, gzip", true), ("gzip;q=1.0", true),
      ("gzip ; q=0.5", true),
      ("*", true), ("br;q=1, *;q=0.1", true), ("gzip;q=0.5, identity;q=0.5", true), ("identity;q=0, gzip", true),
      ("", false), ("br", false), ("identity", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false),
      ("gzip;q=0, *", false), ("gzip;q=0.5, identity", false), ("gzipped", false), ("gzip;q=2", false),
      ("gzip;q=x", false),
      ("gzip;q=0.5x", false), ("gzip;q=", false), (", ,", false),
    ])
  func prefersGzip(_ field: String, _ wanted: Bool) {
    #expect(AcceptEncoding.prefersGzip(field) == wanted, "\(field)")
  }
}
