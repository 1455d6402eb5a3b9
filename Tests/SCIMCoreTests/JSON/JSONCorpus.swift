/// Documents with our verdict and Foundation's.
enum JSONCorpus {
  static let valid: [DocumentRow] = [
    .init("null", "null", .accepts("null"), .bothAccept),
    .init("booleans", "[true,false]", .accepts("[true,false]"), .bothAccept),
    .init("all white space", " \t\r\n[ 1 , 2 ]\n", .accepts("[1,2]"), .bothAccept),
    .init("empty containers", "[ [ ] , { } ]", .accepts("[[],{}]"), .bothAccept),
    .init("order of members", #"{"b":1,"a":{"d":2,"c":3}}"#, .accepts(#"{"b":1,"a":{"d":2,"c":3}}"#), .bothAccept),
    .init("empty name", #"{"":1}"#, .accepts(#"{"":1}"#), .bothAccept),
    .init(
      "extension URN", #"{"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"x"}}"#,
      .accepts(#"{"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"x"}}"#), .bothAccept),
  ]

  static let numbers: [DocumentRow] = [
    .init("zero", "0", .accepts("0"), .bothAccept),
    .init("minus zero", "-0", .accepts("0"), .bothAccept),
    .init("minus zero with a fraction", "-0.0", .accepts("-0.0"), .bothAccept),
    .init("integral double", "1.0", .accepts("1.0"), .bothAccept),
    .init("integral exponent", "1e2", .accepts("100.0"), .bothAccept),
    .init("signed exponents", "[1E+2,25e-1]", .accepts("[100.0,2.5]"), .bothAccept),
    .init("largest Int64", "9223372036854775807", .accepts("9223372036854775807"), .bothAccept),
    .init("smallest Int64", "-9223372036854775808", .accepts("-9223372036854775808"), .bothAccept),
    .init("17 digits", "0.30000000000000004", .accepts("0.30000000000000004"), .bothAccept),
    .init("17 digits of a tenth", "0.10000000000000001", .accepts("0.1"), .bothAccept),
    .init(
      "between two doubles", "9007199254740993.0", .refuses(.numberOutOfRange, at: 0), .bothAccept,
      why: "Foundation rounds it to an even one"),
    .init("largest double", "1.7976931348623157e308", .accepts("1.7976931348623157e+308"), .bothAccept),
    .init("smallest double", "5e-324", .accepts("5e-324"), .bothAccept),
    .init("zero with any exponent", "[0e999999999999,0.0E-999999999999]", .accepts("[0.0,0.0]"), .bothAccept),
    .init("exponent beyond Int", "1e99999999999999999999", .refuses(.numberOutOfRange, at: 0), .bothRefuse),
    .init(
      "Int64 + 1", "[9223372036854775808]", .refuses(.numberOutOfRange, at: 1), .bothAccept,
      why: "Foundation makes a double or an NSNumber of 64 bits unsigned of it"),
    .init(
      "Int64 - 1", "-9223372036854775809", .refuses(.numberOutOfRange, at: 0), .bothAccept,
      why: "Foundation rounds it to a double"),
    .init(
      "integer of 40 digits", "1234567890123456789012345678901234567890", .refuses(.numberOutOfRange, at: 0),
      .bothAccept, why: "Foundation rounds it to a double"),
    .init(
      "fraction of 18 digits", "0.123456789012345678", .refuses(.numberOutOfRange, at: 0), .bothAccept,
      why: "Foundation rounds it: the last digits are lost"),
    .init("overflow", "1e400", .refuses(.numberOutOfRange, at: 0), .bothRefuse),
    .init(
      "underflow", "1e-400", .refuses(.numberOutOfRange, at: 0), .bothAccept,
      why: "Foundation makes 0 of it: every digit is lost"),
    .init("leading zero", "01", .refuses(.invalidNumber, at: 0), .bothRefuse),
    .init("negative leading zero", "-01", .refuses(.invalidNumber, at: 0), .bothRefuse),
    .init("plus", "+1", .refuses(.invalidNumber, at: 0), .bothRefuse),
    .init("no integer part", ".5", .refuses(.invalidNumber, at: 0), .bothRefuse),
    .init("no fraction", "[1.]", .refuses(.invalidNumber, at: 3), .bothRefuse),
    .init("no exponent", "[1e]", .refuses(.invalidNumber, at: 3), .bothRefuse),
    .init("no exponent behind the sign", "[1e+]", .refuses(.invalidNumber, at: 4), .bothRefuse),
    .init("only a minus", "-", .refuses(.unexpectedEnd, at: 1), .bothRefuse),
    .init("minus and a letter", "-x", .refuses(.invalidNumber, at: 1), .bothRefuse),
    .init("hexadecimal", "0x10", .refuses(.trailingContent, at: 1), .bothRefuse),
    .init("NaN", "NaN", .refuses(.unexpectedByte, at: 0), .bothRefuse),
    .init("Infinity", "[Infinity]", .refuses(.unexpectedByte, at: 1), .bothRefuse),
    .init("minus Infinity", "-Infinity", .refuses(.invalidNumber, at: 1), .bothRefuse),
  ]

  static let strings: [DocumentRow] = [
    .init("empty string", #""""#, .accepts(#""""#), .bothAccept),
    .init("every short escape", #""\"\\\/\b\f\n\r\t""#, .accepts(#""\"\\/\b\f\n\r\t""#), .bothAccept),
    .init("escaped letter", #""\u0041\u00e9\u20AC""#, .accepts(#""Aé€""#), .bothAccept),
    .init("escaped NUL", #""\u0000""#, .accepts(#""\u0000""#), .bothAccept),
    .init("escaped control", #""\u001f\u000B""#, .accepts(#""\u001f\u000b""#), .bothAccept),
    .init("delete is no control to escape", "\"\u{7F}\"", .accepts("\"\u{7F}\""), .bothAccept),
    .init("surrogate pair", #""\ud83d\ude00""#, .accepts("\"\u{1F600}\""), .bothAccept),
    .init("last scalar", #""\uDBFF\uDFFF""#, .accepts("\"\u{10FFFF}\""), .bothAccept),
    .init("raw four bytes", "\"\u{1F600}\"", .accepts("\"\u{1F600}\""), .bothAccept),
    .init("line separator", "\"\u{2028}\"", .accepts("\"\u{2028}\""), .bothAccept),
    .init("decomposed stays so", "\"e\u{301}\"", .accepts("\"e\u{301}\""), .bothAccept),
    .init("lone high surrogate", #""\ud800""#, .refuses(.loneSurrogate, at: 1), .bothRefuse),
    .init("lone low surrogate", #""\udc00""#, .refuses(.loneSurrogate, at: 1), .bothRefuse),
    .init("high and a letter", #""\ud800A""#, .refuses(.loneSurrogate, at: 1), .bothRefuse),
    .init("high and an escaped letter", #""\ud800\u0041""#, .refuses(.loneSurrogate, at: 1), .bothRefuse),
    .init("two highs", #""\ud800\ud800""#, .refuses(.loneSurrogate, at: 1), .bothRefuse),
    .init("unknown escape", #""\x41""#, .refuses(.invalidEscape, at: 1), .bothRefuse),
    .init("short hexadecimal", #""\u12"  "#, .refuses(.invalidEscape, at: 1), .bothRefuse),
    .init("bad hexadecimal", #""\u00g0""#, .refuses(.invalidEscape, at: 1), .bothRefuse),
    .init("capital U", #""\U0041""#, .refuses(.invalidEscape, at: 1), .bothRefuse),
    .init("raw line feed", "\"a\nb\"", .refuses(.controlCharacter, at: 2), .bothRefuse),
    .init("raw tab", "\"\t\"", .refuses(.controlCharacter, at: 1), .bothRefuse),
    .init("raw NUL", "\"ab\u{0}\"", .refuses(.controlCharacter, at: 3), .bothRefuse),
    .init("single quotes", "'a'", .refuses(.unexpectedByte, at: 0), .bothRefuse),
    .init("open string", #""abc"#, .refuses(.unexpectedEnd, at: 4), .bothRefuse),
    .init("open escape", #""abc\"#, .refuses(.unexpectedEnd, at: 5), .bothRefuse),
    .init("overlong two bytes", bytes: quoted(0xC0, 0xAF), .refuses(.invalidUTF8, at: 1), .bothRefuse),
    .init("overlong three bytes", bytes: quoted(0xE0, 0x80, 0xAF), .refuses(.invalidUTF8, at: 1), .bothRefuse),
    .init("overlong four bytes", bytes: quoted(0xF0, 0x80, 0x80, 0xAF), .refuses(.invalidUTF8, at: 1), .bothRefuse),
    .init("encoded surrogate", bytes: quoted(0xED, 0xA0, 0x80), .refuses(.invalidUTF8, at: 1), .bothRefuse),
    .init("beyond U+10FFFF", bytes: quoted(0xF4, 0x90, 0x80, 0x80), .refuses(.invalidUTF8, at: 1), .bothRefuse),
    .init("lone continuation", bytes: quoted(0x61, 0x80), .refuses(.invalidUTF8, at: 2), .bothRefuse),
    .init("cut sequence", bytes: quoted(0xC3, 0xA9, 0xE2, 0x82), .refuses(.invalidUTF8, at: 3), .bothRefuse),
    .init(
      "sequence cut by an escape", bytes: quoted(0xC3, 0x5C, 0x6E, 0xA9), .refuses(.invalidUTF8, at: 1), .bothRefuse),
  ]

  static let structure: [DocumentRow] = [
    .init("nothing", "", .refuses(.empty, at: 0), .bothRefuse),
    .init("only white space", " \n ", .refuses(.empty, at: 0), .bothRefuse),
    .init(
      "trailing comma in an array", "[1,]", .refuses(.unexpectedByte, at: 3), .bothAccept,
      why: "Foundation takes a trailing comma, RFC 8259 section 5 has none"),
    .init(
      "trailing comma in an object", #"{"a":1,}"#, .refuses(.unexpectedByte, at: 7), .bothAccept,
      why: "Foundation takes a trailing comma, RFC 8259 section 4 has none"),
    .init("only a comma", "[,]", .refuses(.unexpectedByte, at: 1), .bothRefuse),
    .init("two commas", "[1,,2]", .refuses(.unexpectedByte, at: 3), .bothRefuse),
    .init("no comma", "[1 2]", .refuses(.unexpectedByte, at: 3), .bothRefuse),
    .init("no colon", #"{"a" 1}"#, .refuses(.unexpectedByte, at: 5), .bothRefuse),
    .init("no value", #"{"a":}"#, .refuses(.unexpectedByte, at: 5), .bothRefuse),
    .init("name without quotes", "{a:1}", .refuses(.unexpectedByte, at: 1), .bothRefuse),
    .init("number as name", "{1:1}", .refuses(.unexpectedByte, at: 1), .bothRefuse),
    .init("wrong bracket", "[1}", .refuses(.unexpectedByte, at: 2), .bothRefuse),
    .init("open array", "[1", .refuses(.unexpectedEnd, at: 2), .bothRefuse),
    .init("open object", #"{"a":1"#, .refuses(.unexpectedEnd, at: 6), .bothRefuse),
    .init("two values", "1 2", .refuses(.trailingContent, at: 2), .bothRefuse),
    .init("bracket too many", "[]]", .refuses(.trailingContent, at: 2), .bothRefuse),
    .init("NUL behind", "[]\u{0}", .refuses(.trailingContent, at: 2), .bothRefuse),
    .init("block comment", "[1/* */]", .refuses(.unexpectedByte, at: 2), .bothRefuse),
    .init("line comment", "// x\n1", .refuses(.unexpectedByte, at: 0), .bothRefuse),
    .init("capital word", "True", .refuses(.unexpectedByte, at: 0), .bothRefuse),
    .init("misspelt word", "[trie]", .refuses(.unexpectedByte, at: 3), .bothRefuse),
    .init("cut word", "nul", .refuses(.unexpectedEnd, at: 3), .bothRefuse),
    .init("long word", "nulll", .refuses(.trailingContent, at: 4), .bothRefuse),
    .init("no-break space", "[\u{A0}1]", .refuses(.unexpectedByte, at: 1), .bothRefuse),
    .init("form feed", "[\u{C}1]", .refuses(.unexpectedByte, at: 1), .bothRefuse),
    .init(
      "name twice", #"{"a":1,"a":2}"#, .refuses(.duplicateName, at: 7), .bothAccept,
      why: "Foundation drops one of the two without a word"),
    .init(
      "name twice, once escaped", #"{"a":1,"\u0061":2}"#, .refuses(.duplicateName, at: 7), .bothAccept,
      why: "Foundation drops one of the two without a word"),
    .init(
      "name twice in another letter case", #"{"userName":1,"b":0,"USERNAME":2}"#, .refuses(.duplicateName, at: 20),
      .bothAccept, why: "SCIM attribute names ignore case, JSON's do not"),
    .init(
      "name twice in an inner object", #"[{"a":{"b":1,"B":2}}]"#, .refuses(.duplicateName, at: 13), .bothAccept,
      why: "SCIM attribute names ignore case, JSON's do not"),
    .init(
      "names that differ in 0x20 but are no letters", #"{"[":1,"{":2,"@":3,"`":4}"#,
      .accepts(#"{"[":1,"{":2,"@":3,"`":4}"#), .bothAccept),
    .init(
      "names equal only canonically", "{\"\u{E9}\":1,\"e\u{301}\":2}", .accepts("{\"\u{E9}\":1,\"e\u{301}\":2}"),
      .bothAccept),
    .init("names that differ in non-ASCII case", #"{"é":1,"É":2}"#, .accepts(#"{"é":1,"É":2}"#), .bothAccept),
  ]

  static let encodings: [DocumentRow] = [
    .init(
      "UTF-8 with a mark", bytes: [0xEF, 0xBB, 0xBF, 0x5B, 0x5D], .refuses(.byteOrderMark, at: 0), .bothAccept,
      why: "Foundation skips a byte order mark"),
    .init("only a mark", bytes: [0xEF, 0xBB, 0xBF], .refuses(.byteOrderMark, at: 0), .bothRefuse),
    .init(
      "UTF-16 with a mark", bytes: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], .refuses(.notUTF8, at: 0), .bothAccept,
      why: "Foundation takes UTF-16, RFC 8259 section 8.1 only UTF-8"),
    .init(
      "UTF-16 without a mark", bytes: [0, 0x5B, 0, 0x5D], .refuses(.notUTF8, at: 0), .bothAccept,
      why: "Foundation takes UTF-16, RFC 8259 section 8.1 only UTF-8"),
    .init(
      "UTF-32 without a mark", bytes: [0x5B, 0, 0, 0, 0x5D, 0, 0, 0], .refuses(.notUTF8, at: 0), .bothAccept,
      why: "Foundation takes UTF-32, RFC 8259 section 8.1 only UTF-8"),
    .init("Latin-1", bytes: quoted(0xE9), .refuses(.invalidUTF8, at: 1), .bothRefuse),
    .init("invalid UTF-8 outside a string", bytes: [0x5B, 0xC3, 0x5D], .refuses(.unexpectedByte, at: 1), .bothRefuse),
  ]

  private static func quoted(_ bytes: UInt8...) -> [UInt8] {
    [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
  }
}
