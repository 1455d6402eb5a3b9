/// What operations assign of the catalogue, by name or by id.
///
/// The elements alone do not tell: assigning what is there changes none of them, and yet it may be linked by now.
extension PatchSession {
  mutating func noteAssigned(_ kind: PatchOperation.Kind, to target: PatchTarget, value: JSON?) {
    guard kind != .remove, let value, let link = type.link(for: target.reference), case .catalog = link.kind else {
      return
    }
    var values: [String] = []
    if let sub = target.sub {
      guard sub.name == "value", let text = value.stringValue else { return }
      values = [text]
    } else {
      let list = value.arrayValue == nil ? JSON.array([value]) : value
      // What cannot be read is refused with the operation itself.
      let elements = try? ValueNormalizer.normalize(list, as: target.attribute, path: target.name, profile: profile)
      values = (elements?.arrayValue ?? []).compactMap { $0["value"]?.stringValue }
    }
    assigned[link.attribute, default: []].formUnion(values.map(Folding.fold))
  }
}
