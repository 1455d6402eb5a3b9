/// What can be said of an operation whatever the resource is.
extension AttributeChange {
  /// Refuses a value that the attribute cannot take, and the removal of what is required; the errors are those that the
  /// operation itself would end in.
  func judge(_ value: JSON?) throws(SCIMError) {
    let isWhole = target.sub == nil && target.filter == nil
    guard kind != .remove else {
      if isWhole, definition.isRequired, value ?? .null == .null {
        throw SCIMError(.mutability, "'\(target.name)' is required and cannot be removed.", attribute: target.name)
      }
      guard isWhole, definition.isMultiValued, let value, value != .null else { return }
      try refuseValueOfRemove()
      _ = try normalized(value)
      return
    }
    if let sub = target.sub {
      guard let value else { return }
      _ = try ValueNormalizer.normalize(value, as: sub, path: target.name, profile: profile, unknown: unknown)
    } else if !definition.isMultiValued {
      let normalized = try value.flatMap { (value) throws(SCIMError) in
        try ValueNormalizer.normalize(value, as: definition, path: target.name, profile: profile, unknown: unknown)
      }
      // One attribute of a complex one may be set to nothing without the others.
      guard definition.isRequired, definition.type != .complex, normalized.map(ResourceValidator.isBlank) ?? true else {
        return
      }
      throw SCIMError(.invalidValue, "'\(target.name)' is required and cannot be empty.", attribute: target.name)
    } else if target.filter == nil {
      _ = try normalized(value)
    } else if let sent = try element(of: value) {
      _ = try ValueNormalizer.normalizeElement(
        sent, as: definition, path: target.name, profile: profile, unknown: unknown)
    }
  }

  /// The strict profile takes RFC 7644 section 3.5.2.2 by the letter, where a remove has no value.
  func refuseValueOfRemove() throws(SCIMError) {
    guard !profile.isLenient else { return }
    throw SCIMError(
      .invalidValue, "'remove' takes no value; name the elements by a filter in the path.", attribute: target.name)
  }
}
