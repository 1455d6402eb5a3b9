import SCIMCore

/// Rendered ServiceProviderConfig documents of one loop.
///
/// What it saves: all but a look-up of the one document that monitors and load balancers ask for most. What makes an
/// entry stale: nothing, since all that a document depends on is its key. Bound: `maximum` documents, few of which a
/// deployment needs, since it has few names.
struct ServiceProviderConfigCache {
  /// What a document depends on.
  private struct View: Hashable {
    var baseURL: String
    var content: ServiceProviderConfig
  }

  private struct Question {
    let baseURL: String
    /// Kept, so that no other registry can come to its place in memory.
    let registry: SchemaRegistry
    let announced: Set<Organization.Announcement>
  }

  private var documents: [View: DiscoveryAnswer] = [:]
  /// What was asked for last is mostly what is asked for next.
  private var last: (question: Question, answer: DiscoveryAnswer)?
  /// A client can send any Host: the cache must not grow with what it invents.
  private static let maximum = 16

  mutating func document(
    baseURL: String, registry: SchemaRegistry, announced: Set<Organization.Announcement>,
    _ configuration: ServiceConfiguration
  ) -> DiscoveryAnswer {
    if let last, last.question.registry === registry, last.question.baseURL == baseURL,
      last.question.announced == announced
    {
      return last.answer
    }
    let view = View(
      baseURL: baseURL,
      content: Discovery.serviceProviderConfig(configuration, registry: registry, announced: announced))
    let answer = documents[view] ?? DiscoveryAnswer(view.content.json(baseURL: baseURL))
    if documents[view] == nil {
      if documents.count >= Self.maximum { documents.removeAll() }
      documents[view] = answer
    }
    last = (Question(baseURL: baseURL, registry: registry, announced: announced), answer)
    return answer
  }
}
