import Foundation

/// Reads Schema and ResourceType documents into a registry, after checking each on its own and all against each other.
public enum SchemaLoader {
  /// Loads documents, on top of those of a registry where one is given: a document adds its schema or type, or takes
  /// the place of the one with the same URN or name.
  ///
  /// A document is a ResourceType where its `schemas` say so or, without `schemas`, where it has an `endpoint`.
  /// - Throws: `SchemaError` with every mistake found.
  public static func load(
    _ documents: [SchemaDocument], extending base: SchemaRegistry? = nil
  ) throws(SchemaError) -> SchemaRegistry {
    let problems = ProblemList()
    var schemas: [RegistryBuilder.Schema] = []
    var types: [ResourceTypeDraft] = []
    for document in documents {
      guard let reader = read(document, problems) else { continue }
      switch kind(of: reader) {
      case .schema:
        if let schema = SchemaParser(reader: reader).parse() {
          schemas.append(RegistryBuilder.Schema(file: document.name, definition: schema))
        }
      case .resourceType:
        if let type = ResourceTypeParser(reader: reader).parse() { types.append(type) }
      case nil: break
      }
    }
    // A reference to a document that could not be read would be reported as unknown: tell the cause alone.
    try problems.throwIfAny()
    if let base {
      schemas = merge(base.schemas.map { .init(file: "schema \($0.id)", definition: $0) }, schemas) { $0.definition.id }
      types = merge(base.types.map { ResourceTypeDraft($0) }, types) { $0.name }
    }
    let registry = RegistryBuilder(schemas: schemas, types: types, problems: problems).build()
    try problems.throwIfAny()
    return registry
  }

  /// Loads every `.json` file of a directory and of its `types` folder, on top of the built-in documents.
  ///
  /// Messages name the files by their path below the directory.
  /// - Throws: `SchemaError` with every mistake found; also where the directory cannot be read or holds no such file.
  public static func load(
    directory: URL, extending base: SchemaRegistry? = BuiltInSchemas.registry
  ) throws(SchemaError) -> SchemaRegistry {
    try load(documents(in: directory), extending: base)
  }

  /// The `.json` files of a directory and of its `types` folder, in the order of their names.
  /// - Throws: `SchemaError` where the directory or a file cannot be read, or there is no such file.
  public static func documents(in directory: URL) throws(SchemaError) -> [SchemaDocument] {
    var names = try jsonFiles(in: directory)
    let folder = directory.appendingPathComponent("types", isDirectory: true)
    if FileManager.default.fileExists(atPath: folder.path) {
      names += try jsonFiles(in: folder).map { "types/" + $0 }
    }
    if names.isEmpty { throw failure(directory.path, "contains no .json file") }
    var documents: [SchemaDocument] = []
    for name in names {
      do {
        documents.append(SchemaDocument(name: name, data: try Data(contentsOf: directory.appendingPathComponent(name))))
      } catch {
        throw failure(name, "cannot be read")
      }
    }
    return documents
  }

  private enum Kind { case schema, resourceType }

  private static func jsonFiles(in directory: URL) throws(SchemaError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
    } catch {
      throw failure(directory.path, "cannot be read as a directory")
    }
  }

  private static func failure(_ file: String, _ message: String) -> SchemaError {
    SchemaError([SchemaError.Problem(file: file, place: "", message: message)])
  }

  private static func read(_ document: SchemaDocument, _ problems: ProblemList) -> MemberReader? {
    do throws(JSONError) {
      let json = try JSON(parsing: document.data)
      if let object = json.objectValue {
        return MemberReader(file: document.name, object: object, problems: problems)
      }
      problems.add("must be one JSON object", in: document.name)
    } catch {
      let (line, column) = error.position(in: document.data)
      problems.add(error.reason(in: document.data), in: document.name, at: "line \(line), column \(column)")
    }
    return nil
  }

  private static func kind(of reader: MemberReader) -> Kind? {
    guard reader.object["schemas"] != nil else { return reader.object["endpoint"] == nil ? .schema : .resourceType }
    switch reader.texts("schemas") {
    case [SchemaURN.schema]: return .schema
    case [SchemaURN.resourceType]: return .resourceType
    default:
      reader.note("must be [\"\(SchemaURN.schema)\"] or [\"\(SchemaURN.resourceType)\"]", at: "schemas")
      return nil
    }
  }

  /// The base with each element replaced by those of the same name (in any letter case), and the new ones behind it.
  private static func merge<Element>(
    _ base: [Element], _ added: [Element], name: (Element) -> String
  ) -> [Element] {
    var added = added
    var merged: [Element] = []
    for element in base {
      let key = ASCII.lowercase(name(element))
      let replacements = added.filter { ASCII.lowercase(name($0)) == key }
      added.removeAll { ASCII.lowercase(name($0)) == key }
      merged += replacements.isEmpty ? [element] : replacements
    }
    return merged + added
  }
}
