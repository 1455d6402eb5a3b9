extension PatchOperation {
  /// The operations with those joined that follow one another and add to the same list: clients send an operation for
  /// each element, and a list is better gone through once than once for each.
  static func joining(
    _ operations: [PatchOperation], type: ResourceType, profile: Profile
  ) -> [PatchOperation] {
    guard operations.count > 1 else { return operations }
    var joined: [PatchOperation] = []
    /// The elements that are being gathered for a path.
    var run: (path: String, elements: [JSON])?
    func close() {
      if let run { joined.append(PatchOperation(.add, path: run.path, value: .array(run.elements))) }
      run = nil
    }
    for operation in operations {
      guard operation.kind == .add, let path = operation.path, let elements = operation.elements else {
        close()
        joined.append(operation)
        continue
      }
      if run?.path == path {
        run?.elements += elements
        continue
      }
      close()
      if isList(path, type: type, profile: profile) {
        run = (path, elements)
      } else {
        joined.append(operation)
      }
    }
    close()
    return joined
  }

  /// The elements that the value adds to a list; nil where it has none.
  private var elements: [JSON]? {
    switch value {
    case .array(let elements)?: elements
    case .object?: value.map { [$0] }
    default: nil
    }
  }

  /// True where the path names a whole list that may be written again and again.
  private static func isList(_ path: String, type: ResourceType, profile: Profile) -> Bool {
    guard !path.utf8.contains(UInt8(ascii: "[")),
      let reference = try? PatchPath.parse(path, type: type, profile: profile).reference
    else { return false }
    return reference.sub == nil && reference.attribute.isMultiValued && reference.attribute.mutability == .readWrite
      && reference.home != .common
  }
}
