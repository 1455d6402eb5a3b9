import HTTPMessage
import SCIMCore

/// The last answers of one loop, for those who ask for the same thing again while nothing changes.
///
/// An answer is good for the same key, address and form, as long as nothing at all has been committed since it was made;
/// so it is never older than a read would be. The number of answers and their size are bounded.
struct AnswerCache {
  /// What an answer depends on besides the state of the store.
  struct Question {
    let path: String
    let key: String
    let baseURL: String
    let media: MediaType

    /// Nil where the answer depends on more: only plain GETs are repeatable.
    init?(_ request: Request, key: APIKey, baseURL: String, media: MediaType) {
      guard request.method == "GET", request.query == nil, request.headers["if-none-match"] == nil,
        request.headers["if-match"] == nil
      else { return nil }
      path = request.path
      self.key = key.id
      self.baseURL = baseURL
      self.media = media
    }
  }

  private final class Entry {
    let question: Question
    let snapshot: UInt64
    let response: Response
    let record: RequestRecord?

    init(question: Question, snapshot: UInt64, response: Response, record: RequestRecord?) {
      self.question = question
      self.snapshot = snapshot
      self.response = response
      self.record = record
    }
  }

  private static let count = 256
  private static let longest = 16 << 10
  private var entries = [Entry?](repeating: nil, count: count)

  /// The answer, and what is recorded of it, if it was given in that snapshot.
  func find(_ question: Question, snapshot: UInt64) -> (response: Response, record: RequestRecord?)? {
    guard let entry = entries[Self.place(of: question)], entry.snapshot == snapshot,
      entry.question.path == question.path, entry.question.key == question.key,
      entry.question.media == question.media, entry.question.baseURL == question.baseURL
    else { return nil }
    return (entry.response, entry.record)
  }

  /// Keeps an answer in the place of another one.
  ///
  /// - Parameter snapshot: the one that was held before the answer was made.
  mutating func add(_ response: Response, record: RequestRecord?, to question: Question, snapshot: UInt64) {
    guard response.status == 200, response.body.count <= Self.longest else { return }
    entries[Self.place(of: question)] = Entry(
      question: question, snapshot: snapshot, response: response, record: record)
  }

  private static func place(of question: Question) -> Int {
    Int(UInt(bitPattern: question.path.hashValue) % UInt(count))
  }
}
