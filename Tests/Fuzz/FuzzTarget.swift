import SCIMCompat
import SCIMCore

/// One thing that is fed with random input. `run` gives true where the input was accepted, and throws `Finding` where a
/// property does not hold; a crash shows itself.
enum FuzzTarget: String, CaseIterable {
  case filter, path, patch, resource, json

  /// What must hold did not.
  struct Finding: Error {
    var text: String
    init(_ text: String) { self.text = text }
  }

  /// The input of one execution.
  func input(_ corpus: FuzzCorpus, _ random: inout FuzzRandom) -> [UInt8] {
    switch self {
    case .filter:
      if random.below(2) == 0 { return Array(RandomSyntax.filter(&random).utf8) }
      return Mutation.bytes(random.pick(corpus.filters), with: corpus.filters, &random)
    case .path:
      if random.below(2) == 0 { return Array(RandomSyntax.path(&random).utf8) }
      return Mutation.bytes(random.pick(corpus.paths), with: corpus.filters, &random)
    case .patch: return mutated(random.pick(corpus.patches), corpus, &random)
    case .resource: return mutated(random.pick(corpus.resources), corpus, &random)
    case .json: return Mutation.bytes(random.pick(corpus.texts), with: corpus.texts, &random)
    }
  }

  /// Mostly changed as a value, so that the parser lets it through; now and then as bytes.
  private func mutated(_ value: JSON, _ corpus: FuzzCorpus, _ random: inout FuzzRandom) -> [UInt8] {
    var value = value
    for _ in 0..<random.below(4) { value = Mutation.value(value, corpus: corpus, &random) }
    let bytes = value.encoded()
    return random.below(8) == 0 ? Mutation.bytes(bytes, with: corpus.texts, &random) : bytes
  }

  func run(_ input: [UInt8], _ subject: FuzzSubject, profile: Profile) throws -> Bool {
    switch self {
    case .filter: try filter(String(decoding: input, as: UTF8.self), subject, profile)
    case .path: path(String(decoding: input, as: UTF8.self), subject, profile)
    case .patch: try patch(input, subject, profile)
    case .resource: try resource(input, subject, profile)
    case .json: try json(input) != nil
    }
  }

  // MARK: What must hold

  /// What is accepted is printed as a text that every profile reads as the same filter, and printed again the same.
  private func filter(_ text: String, _ subject: FuzzSubject, _ profile: Profile) throws -> Bool {
    let filter: Filter
    do throws(SCIMError) { filter = try FilterParser.parse(text, profile: profile) } catch {
      guard error.kind == .invalidFilter else { throw Finding("\(error.kind) instead of invalidFilter") }
      return false
    }
    let printed = filter.description
    if printed.utf8.count <= FilterLimits.bytes {
      guard let again = try? FilterParser.parse(printed, profile: .strict) else {
        throw Finding("its print is refused: \(printed)")
      }
      guard again == filter, again.description.utf8.elementsEqual(printed.utf8) else {
        throw Finding("its print means something else: \(printed)")
      }
    }
    guard let resolved = try? FilterResolver.resolve(filter, in: subject.type, profile: profile) else { return false }
    let matches = FilterEvaluator.matches(resolved, resource: subject.document)
    guard FilterEvaluator.matches(.not(resolved).simplified(), resource: subject.document) != matches else {
      throw Finding("it and its complement both hold, or neither")
    }
    return true
  }

  /// What strict takes, lenient takes as well.
  private func path(_ text: String, _ subject: FuzzSubject, _ profile: Profile) -> Bool {
    _ = AttributeName.resolve(text, in: subject.type, profile: profile)
    return (try? PatchPath.parse(text, type: subject.type, profile: profile)) != nil
  }

  /// What is accepted leaves a document in stored form that a POST of the same profile would store in the same way.
  private func patch(_ input: [UInt8], _ subject: FuzzSubject, _ profile: Profile) throws -> Bool {
    guard let body = try json(input) else { return false }
    guard let sent = try? PatchRequest.parse(body, profile: profile) else { return false }
    let operations = Compat.patch(sent, type: subject.type, profile: profile)
    guard
      let outcome = try? Patcher.apply(
        operations, to: subject.stored, type: subject.type, profile: profile, id: subject.id)
    else { return false }
    let document = outcome.document
    guard document == ResourceDocument.ordered(document, type: subject.type) else {
      throw Finding("the document is out of order")
    }
    guard outcome.isDocumentChanged == (document != subject.stored) else { throw Finding("change is misreported") }
    guard document["password"] == nil else { throw Finding("the document holds a password") }
    guard try json(JSON.object(document).encoded()) == .object(document) else {
      throw Finding("print and value differ")
    }
    var resource = outcome.resource(for: subject.type)
    resource.password = nil
    guard let again = try? ResourceNormalizer.normalize(.object(document), type: subject.type, profile: profile),
      again.document == resource.document
    else { throw Finding("the document is not in stored form") }
    _ = DocumentIndex.keys(of: resource.document, type: subject.type)
    return true
  }

  /// What is accepted is, once normalised, taken as it is by the same profile: a reference that is no URI stays as it is,
  /// and `strict` refuses it.
  private func resource(_ input: [UInt8], _ subject: FuzzSubject, _ profile: Profile) throws -> Bool {
    guard let body = try json(input) else { return false }
    let mended = Compat.resource(body, type: subject.type, profile: profile)
    guard let first = try? ResourceNormalizer.normalize(mended, type: subject.type, profile: profile) else {
      return false
    }
    guard let again = try? ResourceNormalizer.normalize(.object(first.document), type: subject.type, profile: profile),
      again.document == first.document
    else { throw Finding("the document is not in stored form") }
    _ = DocumentIndex.keys(of: first.document, type: subject.type)
    _ = DocumentIndex.uniqueKeys(of: first.document, type: subject.type)
    return (try? ResourceValidator.validate(document: first.document, links: first.links, type: subject.type)) != nil
  }

  /// What is accepted is printed as a text that is read as the same value, and printed again the same.
  private func json(_ input: [UInt8]) throws -> JSON? {
    guard let value = try? JSON(parsing: input) else { return nil }
    let printed = value.encoded()
    guard let again = try? JSON(parsing: printed) else { throw Finding("its print is refused") }
    guard again == value, again.encoded() == printed else { throw Finding("its print means something else") }
    return value
  }
}
