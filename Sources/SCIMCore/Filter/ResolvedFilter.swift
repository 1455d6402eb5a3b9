/// A filter whose every name is resolved against one resource type and whose every value has the attribute's type.
///
/// The one form that the evaluator and the store take: what could not be resolved never gets here.
public indirect enum ResolvedFilter: Sendable {
  case and([ResolvedFilter])
  case or([ResolvedFilter])
  case not(ResolvedFilter)
  /// `attribute op value`. A multi-valued attribute matches where one of its values does; `ne` is the complement of
  /// `eq`, so it matches where no value is equal, and where there is none.
  case compare(AttributeReference, ComparisonOperator, FilterOperand)
  /// `attribute pr`: there is a value that is not empty (RFC 7644 section 3.4.2.2). An empty text is empty.
  case present(AttributeReference)
  /// `attribute[filter]`: one and the same element fulfils the inner filter. Inside, each reference has this attribute
  /// and a sub-attribute (or none, where the attribute is simple).
  case element(AttributeReference, ResolvedFilter)
  /// Matches all (true) or nothing (false): what is left of a condition whose answer is known without looking.
  case constant(Bool)
}

/// The comparison operators of RFC 7644 table 3; `pr` stands apart since it takes no value.
public enum ComparisonOperator: String, Sendable, CaseIterable {
  case eq, ne, co, sw, ew, gt, ge, lt, le
}

/// The value of a comparison after conversion to the attribute's type.
public enum FilterOperand: Sendable, Equatable {
  /// Text compared by code points: folded (`Folding.fold`) where the attribute ignores letter case, else NFC.
  case text(String)
  case boolean(Bool)
  case integer(Int64)
  case decimal(Double)
  case instant(Timestamp)
  /// `attr eq null`: the attribute is unassigned; only with eq and ne.
  case null
}
