import SCIMCore
import Testing

@Suite("PATCH of a document")
struct PatcherTests {
  /// A document, the operations, and the document afterwards.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let before: String
    let operations: String
    let after: String
    var profile = Profile.interop

    init(_ name: String, _ before: String, _ operations: String, _ after: String, profile: Profile = .interop) {
      self.name = name
      self.before = before
      self.operations = operations
      self.after = after
      self.profile = profile
    }

    var testDescription: String { name }
  }

  static let desk = #"{"value": "w@x", "display": "Desk", "type": "work", "primary": true}"#
  static let home = #"{"value": "h@x", "type": "home"}"#

  static let single: [Row] = [
    Row(
      "replace sets", #"{"title": "Junior"}"#, #"[{"op": "replace", "path": "title", "value": "Lead"}]"#,
      #"{"title": "Lead"}"#),
    Row(
      "replace of an absent attribute adds", "{}", #"[{"op": "replace", "path": "title", "value": "Lead"}]"#,
      #"{"title": "Lead"}"#),
    Row(
      "add replaces a single value", #"{"title": "Junior"}"#, #"[{"op": "Add", "path": "title", "value": "Lead"}]"#,
      #"{"title": "Lead"}"#),
    Row(
      "remove unassigns", #"{"title": "Lead", "nickName": "Mo"}"#, #"[{"op": "remove", "path": "title"}]"#,
      #"{"nickName": "Mo"}"#),
    Row(
      "remove of what is not there", #"{"nickName": "Mo"}"#,
      #"[{"op": "remove", "path": "title"}, {"op": "remove", "path": "emails[type eq \"home\"]"}, {"op": "remove", "path": "name.middleName"}, {"op": "remove", "path": "@ent:department"}, {"op": "remove", "path": "@ent"}]"#,
      #"{"nickName": "Mo"}"#),
    Row(
      "null and [] unassign", #"{"title": "Lead", "nickName": "Mo", "emails": [\#(home)]}"#,
      #"[{"op": "replace", "path": "title", "value": null}, {"op": "replace", "path": "emails", "value": []}, {"op": "replace", "value": {"nickName": null}}]"#,
      "{}"),
    Row("an empty text is a value", "{}", #"[{"op": "replace", "path": "title", "value": ""}]"#, #"{"title": ""}"#),
    Row(
      "names in any letter case", "{}", #"[{"op": "replace", "path": "DISPLAYNAME", "value": "x"}]"#,
      #"{"displayName": "x"}"#),
    Row(
      "the later of two wins", "{}",
      #"[{"op": "replace", "path": "title", "value": "a"}, {"op": "remove", "path": "title"}, {"op": "add", "path": "title", "value": "b"}]"#,
      #"{"title": "b"}"#),
    Row(
      "text booleans", #"{"active": true}"#, #"[{"op": "Replace", "path": "active", "value": "False"}]"#,
      #"{"active": false}"#),
    Row(
      "externalId", #"{"externalId": "a"}"#, #"[{"op": "Replace", "value": {"externalId": "B"}}]"#,
      #"{"externalId": "B"}"#),
    Row(
      "stored in schema order", #"{"title": "Lead"}"#,
      #"[{"op": "add", "value": {"active": true, "@ent:department": "Ops", "displayName": "x", "externalId": "e"}}]"#,
      #"{"externalId": "e", "displayName": "x", "title": "Lead", "active": true, "@ent": {"department": "Ops"}}"#),
  ]

  static let complex: [Row] = [
    Row(
      "replace merges", #"{"name": {"familyName": "Berg", "givenName": "Ada"}}"#,
      #"[{"op": "replace", "path": "name", "value": {"familyName": "Stein"}}]"#,
      #"{"name": {"familyName": "Stein", "givenName": "Ada"}}"#),
    Row(
      "add merges, in schema order", #"{"name": {"givenName": "Ada"}}"#,
      #"[{"op": "add", "path": "name", "value": {"familyName": "Stein"}}]"#,
      #"{"name": {"familyName": "Stein", "givenName": "Ada"}}"#),
    Row(
      "null inside a merge removes", #"{"name": {"givenName": "Ada", "middleName": "K"}}"#,
      #"[{"op": "replace", "value": {"name": {"middleName": null}}}]"#, #"{"name": {"givenName": "Ada"}}"#),
    Row(
      "a sub-attribute path sets one", #"{"name": {"givenName": "Ada"}}"#,
      #"[{"op": "replace", "path": "name.familyName", "value": "Berg"}]"#,
      #"{"name": {"familyName": "Berg", "givenName": "Ada"}}"#),
    Row(
      "removing a sub-attribute keeps its siblings", #"{"name": {"givenName": "Ada", "middleName": "K"}}"#,
      #"[{"op": "remove", "path": "name.middleName"}]"#, #"{"name": {"givenName": "Ada"}}"#),
    Row(
      "removing the last sub-attribute removes the attribute", #"{"name": {"middleName": "K"}}"#,
      #"[{"op": "remove", "path": "name.middleName"}]"#, "{}"),
    Row("the whole attribute goes", #"{"name": {"givenName": "Ada"}}"#, #"[{"op": "remove", "path": "name"}]"#, "{}"),
  ]

  static let manager: [Row] = [
    Row(
      "a bare text", "{}", #"[{"op": "Add", "path": "@ent:manager", "value": "b1"}]"#,
      #"{"@ent": {"manager": {"value": "b1"}}}"#),
    Row(
      "a bare text in an extension object", "{}", #"[{"op": "replace", "value": {"@ent": {"manager": "b1"}}}]"#,
      #"{"@ent": {"manager": {"value": "b1"}}}"#),
    Row(
      "without URN", "{}", #"[{"op": "Add", "path": "manager", "value": "b1"}]"#,
      #"{"@ent": {"manager": {"value": "b1"}}}"#),
    Row(
      "another one takes no address along", #"{"@ent": {"manager": {"value": "b1", "$ref": "../Users/b1"}}}"#,
      #"[{"op": "replace", "path": "manager", "value": {"value": "b2"}}]"#, #"{"@ent": {"manager": {"value": "b2"}}}"#),
    Row(
      "another one by its value", #"{"@ent": {"manager": {"value": "b1", "$ref": "../Users/b1"}}}"#,
      #"[{"op": "replace", "path": "manager.value", "value": "b2"}]"#, #"{"@ent": {"manager": {"value": "b2"}}}"#),
    Row(
      "displayName is not stored", "{}",
      #"[{"op": "replace", "path": "manager", "value": {"value": "b1", "displayName": "Boss"}}]"#,
      #"{"@ent": {"manager": {"value": "b1"}}}"#),
    Row(
      "removed", #"{"@ent": {"department": "Ops", "manager": {"value": "b1"}}}"#,
      #"[{"op": "Remove", "path": "@ent:manager"}]"#, #"{"@ent": {"department": "Ops"}}"#),
    Row(
      "set to an empty text", #"{"@ent": {"manager": {"value": "b1"}}}"#,
      #"[{"op": "Replace", "path": "@ent:manager", "value": ""}]"#, "{}"),
    Row(
      "set to an empty value", #"{"@ent": {"manager": {"value": "b1"}}}"#,
      #"[{"op": "Replace", "path": "@ent:manager", "value": {"value": ""}}]"#, "{}"),
    Row(
      "set to a null value", #"{"@ent": {"manager": {"value": "b1", "$ref": "r"}}}"#,
      #"[{"op": "Replace", "path": "@ent:manager", "value": {"value": null}}]"#, "{}"),
    Row(
      "set to null", #"{"@ent": {"manager": {"value": "b1"}}}"#,
      #"[{"op": "Replace", "path": "@ent:manager", "value": null}]"#, "{}"),
    Row(
      "its value set to an empty text", #"{"@ent": {"manager": {"value": "b1", "$ref": "r"}}}"#,
      #"[{"op": "Replace", "path": "manager.value", "value": ""}]"#, "{}"),
    Row(
      "its value removed", #"{"@ent": {"manager": {"value": "b1", "$ref": "r"}}}"#,
      #"[{"op": "remove", "path": "manager.value"}]"#, "{}"),
    Row(
      "emptied inside an extension object", #"{"@ent": {"department": "Ops", "manager": {"value": "b1"}}}"#,
      #"[{"op": "replace", "value": {"@ent": {"manager": {"value": ""}}}}]"#, #"{"@ent": {"department": "Ops"}}"#),
  ]

  static let pathless: [Row] = [
    Row(
      "names", #"{"title": "a", "nickName": "Mo", "active": true}"#,
      #"[{"op": "replace", "value": {"active": false, "TITLE": "b"}}]"#,
      #"{"nickName": "Mo", "title": "b", "active": false}"#),
    Row(
      "dotted names", #"{"name": {"familyName": "Berg", "givenName": "Ada"}}"#,
      #"[{"op": "replace", "value": {"name.givenName": "Eva"}}]"#,
      #"{"name": {"familyName": "Berg", "givenName": "Eva"}}"#),
    Row(
      "unknown names are passed over", "{}",
      #"[{"op": "replace", "value": {"title": "Lead", "shoeSize": "44", "urn:x:y": {"z": 1}, "shoes[type eq \"x\"].y": 1}}]"#,
      #"{"title": "Lead"}"#),
    Row(
      "an extension object keeps the rest of the extension",
      #"{"@ent": {"employeeNumber": "E-1", "department": "Lab"}}"#,
      #"[{"op": "replace", "value": {"title": "CTO", "@ent": {"DEPARTMENT": "R&D", "shoeSize": 1}}}]"#,
      #"{"title": "CTO", "@ent": {"employeeNumber": "E-1", "department": "R&D"}}"#),
    Row(
      "flat qualified names", "{}",
      #"[{"op": "add", "value": {"@ent:division": "North", "@ent:costCenter": "C-9", "CORE:User:title": "x"}}]"#,
      #"{"title": "x", "@ent": {"costCenter": "C-9", "division": "North"}}"#),
    Row(
      "an extension attribute without URN", "{}", #"[{"op": "replace", "value": {"department": "Export"}}]"#,
      #"{"@ent": {"department": "Export"}}"#),
    Row(
      "a null extension goes", #"{"@ent": {"department": "Lab"}}"#, #"[{"op": "replace", "value": {"@ent": null}}]"#,
      "{}"),
    Row(
      "an object under the base URN", "{}", #"[{"op": "replace", "value": {"CORE:User": {"title": "x"}}}]"#,
      #"{"title": "x"}"#),
    Row(
      "a path as name", #"{"emails": [\#(home)]}"#,
      #"[{"op": "replace", "value": {"emails[type eq \"home\"].value": "n@x"}}]"#,
      #"{"emails": [{"value": "n@x", "type": "home"}]}"#),
    Row(
      "add appends to a list", #"{"emails": [\#(desk)]}"#, #"[{"op": "add", "value": {"emails": [\#(home)]}}]"#,
      #"{"emails": [\#(desk), \#(home)]}"#),
    Row(
      "replace swaps a list", #"{"emails": [\#(desk), \#(home)]}"#,
      #"[{"op": "replace", "value": {"emails": [{"type": "other", "value": "o@x"}]}}]"#,
      #"{"emails": [{"value": "o@x", "type": "other"}]}"#),
    Row(
      "what is read-only may be repeated", "{}",
      #"[{"op": "replace", "value": {"id": "u1", "meta": {"resourceType": "User"}, "groups": [{"value": "g1"}], "schemas": ["CORE:User", "urn:x"], "title": "Lead"}}]"#,
      #"{"title": "Lead"}"#),
  ]

  static let extensions: [Row] = [
    Row(
      "a path adds the URN", "{}", #"[{"op": "Add", "path": "@ent:department", "value": "Sales"}]"#,
      #"{"@ent": {"department": "Sales"}}"#),
    Row(
      "a whole extension as path", #"{"@ent": {"costCenter": "C"}}"#,
      #"[{"op": "replace", "path": "@ent", "value": {"department": "Ops"}}]"#,
      #"{"@ent": {"costCenter": "C", "department": "Ops"}}"#),
    Row(
      "removed whole", #"{"title": "x", "@ent": {"department": "Ops", "costCenter": "C"}}"#,
      #"[{"op": "remove", "path": "@ent"}]"#, #"{"title": "x"}"#),
    Row(
      "gone with its last attribute", #"{"@ent": {"department": "Ops"}}"#,
      #"[{"op": "remove", "path": "@ent:department"}]"#, "{}"),
    Row(
      "the core URN before a path", #"{"emails": [\#(home)]}"#,
      #"[{"op": "replace", "path": "CORE:User:name.familyName", "value": "R"}, {"op": "replace", "path": "CORE:User:emails[type eq \"home\"].value", "value": "n@x"}]"#,
      #"{"name": {"familyName": "R"}, "emails": [{"value": "n@x", "type": "home"}]}"#),
    Row(
      "a URN in any letter case", "{}",
      #"[{"op": "add", "path": "urn:ietf:params:scim:schemas:extension:ENTERPRISE:2.0:user:DEPARTMENT", "value": "Ops"}]"#,
      #"{"@ent": {"department": "Ops"}}"#),
  ]

  static let lists: [Row] = [
    Row(
      "adding what is there changes nothing", #"{"emails": [\#(desk)]}"#,
      #"[{"op": "add", "path": "emails", "value": [{"type": "work", "value": "W@x"}]}]"#, #"{"emails": [\#(desk)]}"#),
    Row(
      "adding nothing changes nothing", #"{"emails": [\#(desk)]}"#,
      #"[{"op": "add", "path": "emails", "value": []}, {"op": "add", "path": "emails", "value": null}]"#,
      #"{"emails": [\#(desk)]}"#),
    Row(
      "one object for a list", #"{"emails": [\#(desk)]}"#, #"[{"op": "add", "path": "emails", "value": \#(home)}]"#,
      #"{"emails": [\#(desk), \#(home)]}"#),
    Row(
      "adding one twice", "{}",
      #"[{"op": "add", "path": "emails", "value": [\#(home), {"value": "h@x", "type": "home", "display": "x"}]}]"#,
      #"{"emails": [\#(home)]}"#),
    Row(
      "removing those in the value", #"{"emails": [\#(desk), \#(home)]}"#,
      #"[{"op": "remove", "path": "emails", "value": [{"value": "W@X", "display": "Other"}]}]"#,
      #"{"emails": [\#(home)]}"#),
    Row(
      "removing nobody", #"{"emails": [\#(home)]}"#,
      #"[{"op": "remove", "path": "emails", "value": []}, {"op": "remove", "path": "emails", "value": [{"value": "x"}]}]"#,
      #"{"emails": [\#(home)]}"#),
    Row("removing all", #"{"emails": [\#(home)]}"#, #"[{"op": "remove", "path": "emails"}]"#, "{}"),
    Row(
      "null beside remove is no value", #"{"emails": [\#(home)]}"#,
      #"[{"op": "remove", "path": "emails", "value": null}]"#, "{}"),
  ]

  static let primary: [Row] = [
    Row(
      "a new value leaves the mark", #"{"emails": [\#(desk)]}"#,
      #"[{"op": "add", "path": "emails", "value": [\#(home)]}]"#, #"{"emails": [\#(desk), \#(home)]}"#),
    Row(
      "a new primary takes it", #"{"emails": [{"value": "w@x", "primary": true}]}"#,
      #"[{"op": "add", "path": "emails", "value": [{"value": "a@x", "primary": true}]}]"#,
      #"{"emails": [{"value": "w@x", "primary": false}, {"value": "a@x", "primary": true}]}"#),
    Row(
      "through a filter", #"{"emails": [{"value": "w@x", "primary": true}, {"value": "h@x", "type": "home"}]}"#,
      #"[{"op": "replace", "path": "emails[type eq \"home\"].primary", "value": "True"}]"#,
      #"{"emails": [{"value": "w@x", "primary": false}, {"value": "h@x", "type": "home", "primary": true}]}"#),
    Row(
      "of two in one value the last", "{}",
      #"[{"op": "replace", "path": "emails", "value": [{"value": "a", "primary": true}, {"value": "b", "primary": true}, {"value": "c"}]}]"#,
      #"{"emails": [{"value": "a", "primary": false}, {"value": "b", "primary": true}, {"value": "c"}]}"#),
    Row(
      "of all through one path the last", #"{"emails": [{"value": "a"}, {"value": "b"}]}"#,
      #"[{"op": "replace", "path": "emails.primary", "value": true}]"#,
      #"{"emails": [{"value": "a", "primary": false}, {"value": "b", "primary": true}]}"#),
    Row(
      "taken by a whole element that replaces two",
      #"{"emails": [{"value": "a", "type": "home"}, {"value": "b", "type": "home"}, {"value": "c", "primary": true}]}"#,
      #"[{"op": "replace", "path": "emails[type eq \"home\"]", "value": {"value": "d", "primary": true}}]"#,
      #"{"emails": [{"value": "d", "primary": true}, {"value": "c", "primary": false}]}"#),
    Row(
      "another sub-attribute does not move it", #"{"emails": [{"value": "a", "type": "home", "primary": true}]}"#,
      #"[{"op": "replace", "path": "emails[type eq \"home\"].display", "value": "x"}]"#,
      #"{"emails": [{"value": "a", "display": "x", "type": "home", "primary": true}]}"#),
  ]

  static let valuePaths: [Row] = [
    Row(
      "replace touches the matching one", #"{"emails": [\#(desk), \#(home)]}"#,
      #"[{"op": "replace", "path": "Emails[TYPE EQ \"WORK\"].Value", "value": "n@x"}]"#,
      #"{"emails": [{"value": "n@x", "display": "Desk", "type": "work", "primary": true}, \#(home)]}"#),
    Row(
      "replace changes every match",
      #"{"emails": [{"value": "a", "type": "work"}, {"value": "b", "type": "work"}, \#(home)]}"#,
      #"[{"op": "replace", "path": "emails[type eq \"work\"].display", "value": "O"}]"#,
      #"{"emails": [{"value": "a", "display": "O", "type": "work"}, {"value": "b", "display": "O", "type": "work"}, \#(home)]}"#
    ),
    Row(
      "a whole element is replaced whole", #"{"emails": [\#(desk), \#(home)]}"#,
      #"[{"op": "replace", "path": "emails[type eq \"work\"]", "value": {"type": "work", "value": "n@x"}}]"#,
      #"{"emails": [{"value": "n@x", "type": "work"}, \#(home)]}"#),
    Row(
      "add to a whole element merges", #"{"emails": [\#(desk)]}"#,
      #"[{"op": "add", "path": "emails[type eq \"work\"]", "value": {"value": "n@x"}}]"#,
      #"{"emails": [{"value": "n@x", "display": "Desk", "type": "work", "primary": true}]}"#),
    Row(
      "a whole element replaced by null goes", #"{"emails": [\#(desk), \#(home)]}"#,
      #"[{"op": "replace", "path": "emails[type eq \"work\"]", "value": null}]"#, #"{"emails": [\#(home)]}"#),
    Row(
      "remove takes exactly the matches",
      #"{"emails": [{"value": "1"}, {"value": "2"}, {"value": "3"}, {"value": "4"}, {"value": "5"}]}"#,
      #"[{"op": "remove", "path": "emails[value eq \"1\" or value eq \"2\" or value eq \"4\"]"}]"#,
      #"{"emails": [{"value": "3"}, {"value": "5"}]}"#),
    Row(
      "removing the last leaves no attribute", #"{"emails": [\#(desk)]}"#,
      #"[{"op": "remove", "path": "emails[type eq \"work\"]"}]"#, "{}"),
    Row(
      "removing a sub-attribute keeps the element", #"{"emails": [\#(desk), \#(home)]}"#,
      #"[{"op": "remove", "path": "emails[type eq \"work\"].display"}]"#,
      #"{"emails": [{"value": "w@x", "type": "work", "primary": true}, \#(home)]}"#),
    Row(
      "removing the value leaves no labels behind", #"{"emails": [\#(desk), \#(home)]}"#,
      #"[{"op": "remove", "path": "emails[type eq \"work\"].value"}]"#, #"{"emails": [\#(home)]}"#),
    Row(
      "removing a label leaves an element of labels", #"{"emails": [{"type": "work", "primary": true}]}"#,
      #"[{"op": "remove", "path": "emails[type eq \"work\"].primary"}]"#, #"{"emails": [{"type": "work"}]}"#),
    Row(
      "strict: removing the value leaves the labels", #"{"emails": [\#(home)]}"#,
      #"[{"op": "remove", "path": "emails[type eq \"home\"].value"}]"#, #"{"emails": [{"type": "home"}]}"#,
      profile: .strict),
    Row(
      "no blank before the quote", #"{"emails": [\#(home)]}"#,
      #"[{"op": "remove", "path": "emails[type eq\"home\"]"}]"#, "{}"),
    Row(
      "an operation sees the one before", #"{"emails": [\#(desk)]}"#,
      #"[{"op": "add", "path": "emails", "value": [{"type": "other", "value": "o@x"}]}, {"op": "replace", "path": "emails[type eq \"other\"].value", "value": "p@x"}, {"op": "remove", "path": "emails[type eq \"work\"]"}]"#,
      #"{"emails": [{"value": "p@x", "type": "other"}]}"#),
    Row(
      "a sub-attribute of every element", #"{"emails": [\#(home), {"value": "b"}]}"#,
      #"[{"op": "replace", "path": "emails.display", "value": "x"}]"#,
      #"{"emails": [{"value": "h@x", "display": "x", "type": "home"}, {"value": "b", "display": "x"}]}"#),
    Row(
      "a sub-attribute of no element makes one", "{}", #"[{"op": "replace", "path": "emails.value", "value": "x"}]"#,
      #"{"emails": [{"value": "x"}]}"#),
  ]

  static let creation: [Row] = [
    Row(
      "add makes the element, once", "{}",
      #"[{"op": "Add", "path": "addresses[type eq \"work\"].locality", "value": "Trento"}, {"op": "Add", "path": "addresses[type eq \"work\"].postalCode", "value": "38100"}]"#,
      #"{"addresses": [{"locality": "Trento", "postalCode": "38100", "type": "work"}]}"#),
    Row(
      "replace makes the element", #"{"phoneNumbers": [{"value": "1", "type": "work"}]}"#,
      #"[{"op": "Replace", "path": "phoneNumbers[type eq \"mobile\"].value", "value": "2"}]"#,
      #"{"phoneNumbers": [{"value": "1", "type": "work"}, {"value": "2", "type": "mobile"}]}"#),
    Row(
      "with every equality, booleans too, as written", "{}",
      #"[{"op": "Add", "path": "phoneNumbers[type eq \"Mobile\" and primary eq true].value", "value": "2"}, {"op": "Add", "path": "phoneNumbers[type eq \"mobile\" and primary eq true].display", "value": "M"}]"#,
      #"{"phoneNumbers": [{"value": "2", "display": "M", "type": "Mobile", "primary": true}]}"#),
    Row(
      "a text boolean in the filter", "{}",
      #"[{"op": "Add", "path": "roles[primary eq \"True\"].value", "value": "editor"}]"#,
      #"{"roles": [{"value": "editor", "primary": true}]}"#),
    Row(
      "taking the primary mark", #"{"emails": [{"value": "a", "primary": true}]}"#,
      #"[{"op": "Add", "path": "emails[type eq \"work\" and primary eq true].value", "value": "b"}]"#,
      #"{"emails": [{"value": "a", "primary": false}, {"value": "b", "type": "work", "primary": true}]}"#),
    Row(
      "nothing is made of null", "{}", #"[{"op": "Replace", "path": "emails[type eq \"work\"].value", "value": null}]"#,
      "{}"),
    Row(
      "strict: add makes it too", "{}", #"[{"op": "add", "path": "emails[type eq \"work\"].value", "value": "a"}]"#,
      #"{"emails": [{"value": "a", "type": "work"}]}"#, profile: .strict),
  ]

  static let roles: [Row] = [
    Row(
      "added once", #"{"roles": [{"value": "viewer"}]}"#,
      #"[{"op": "add", "path": "roles", "value": [{"value": "editor"}, {"value": "viewer", "display": "V"}]}]"#,
      #"{"roles": [{"value": "viewer"}, {"value": "editor"}]}"#),
    Row(
      "a linked one is the same by value",
      #"{"roles": [{"value": "r1", "$ref": "../Roles/r1", "display": "A", "type": "Role"}]}"#,
      #"[{"op": "add", "path": "roles", "value": [{"value": "r1"}]}]"#,
      #"{"roles": [{"value": "r1", "$ref": "../Roles/r1", "display": "A", "type": "Role"}]}"#),
    Row(
      "two of one value and two types", #"{"entitlements": [{"value": "x", "type": "License"}]}"#,
      #"[{"op": "add", "path": "entitlements", "value": [{"value": "x", "type": "Profile"}]}]"#,
      #"{"entitlements": [{"value": "x", "type": "License"}, {"value": "x", "type": "Profile"}]}"#),
    Row(
      "replaced whole", #"{"roles": [{"value": "viewer"}, {"value": "editor"}]}"#,
      #"[{"op": "replace", "path": "roles", "value": [{"value": "editor"}]}]"#, #"{"roles": [{"value": "editor"}]}"#),
    Row(
      "another value does not keep the old one's display and address",
      #"{"roles": [{"value": "r1", "$ref": "../Roles/r1", "display": "A", "primary": true}]}"#,
      #"[{"op": "Replace", "path": "roles[primary eq \"True\"].value", "value": "owner"}]"#,
      #"{"roles": [{"value": "owner", "primary": true}]}"#),
    Row(
      "by type and value",
      #"{"entitlements": [{"value": "c", "type": "Characteristic"}, {"value": "d", "type": "Characteristic"}]}"#,
      #"[{"op": "remove", "path": "entitlements[type eq \"Characteristic\" and value eq \"c\"]"}]"#,
      #"{"entitlements": [{"value": "d", "type": "Characteristic"}]}"#),
  ]

  @Test(
    "gives the document that is due",
    arguments: single + complex + manager + pathless + extensions + lists + primary + valuePaths + creation + roles)
  func outcome(row: Row) throws {
    let before = try PatchFixture.document(row.before)
    let after = try PatchFixture.document(row.after)
    let outcome = try PatchFixture.patch(row.before, row.operations, profile: row.profile)
    #expect(outcome.document == after)
    #expect(outcome.isDocumentChanged == (before != after))
    #expect(outcome.password == .keep)
    #expect(outcome.membership.isEmpty)
  }

  @Test("applies Entra's mixed bundle whole")
  func bundle() throws {
    let outcome = try PatchFixture.patch(
      #"{"displayName": "Old", "active": true, "emails": [\#(Self.desk)]}"#,
      """
      [{"op": "Replace", "path": "displayName", "value": "New"}, {"op": "Add", "path": "name.givenName", "value": "Ada"},
       {"op": "Replace", "path": "emails[type eq \\"work\\"].value", "value": "n@x"},
       {"op": "Add", "path": "addresses[type eq \\"work\\"].country", "value": "IT"},
       {"op": "Add", "path": "@ent:employeeNumber", "value": "E-7"}, {"op": "Replace", "path": "active", "value": "False"}]
      """)
    let expected = try PatchFixture.json(
      """
      {"schemas": ["CORE:User", "@ent"], "name": {"givenName": "Ada"}, "displayName": "New", "active": false,
       "emails": [{"value": "n@x", "display": "Desk", "type": "work", "primary": true}],
       "addresses": [{"country": "IT", "type": "work"}], "@ent": {"employeeNumber": "E-7"}}
      """)
    #expect(JSON.object(outcome.document) == expected)
  }

  @Test(
    "keeps the password out of the document",
    arguments: [
      ("by path", #"[{"op": "replace", "path": "password", "value": "s3cret"}]"#, PatchedPassword.set("s3cret")),
      ("by name", #"[{"op": "add", "value": {"Password": "s3cret"}}]"#, .set("s3cret")),
      ("removed", #"[{"op": "remove", "path": "password"}]"#, .clear),
      ("null", #"[{"op": "replace", "path": "password", "value": null}]"#, .clear),
      (
        "the last wins", #"[{"op": "remove", "path": "password"}, {"op": "add", "path": "password", "value": "b"}]"#,
        .set("b")
      ),
    ])
  func password(name: String, operations: String, expected: PatchedPassword) throws {
    let outcome = try PatchFixture.patch(#"{"title": "Lead"}"#, operations)
    #expect(outcome.password == expected)
    #expect(!outcome.isDocumentChanged)
    #expect(try outcome.document == PatchFixture.document(#"{"title": "Lead"}"#))
  }

  @Test("takes long lists, each element once")
  func longLists() throws {
    let elements = (0..<3_000).map { JSON.object(JSONObject([.init(key: "value", value: .string("a\($0)@x"))])) }
    var document = try PatchFixture.document("{}")
    document["emails"] = .array(elements)
    let operations = [
      PatchOperation(.add, path: "emails", value: .array(elements + [["value": "new@x"]])),
      PatchOperation(.remove, path: "emails", value: .array(Array(elements.dropLast()))),
    ]
    let outcome = try Patcher.apply(operations, to: document, type: PatchFixture.user, profile: .interop, id: "u1")
    #expect(outcome.document["emails"] == [["value": "a2999@x"], ["value": "new@x"]])
  }

  @Test("takes the elements of the catalogue apart for the writer")
  func resource() throws {
    let outcome = try PatchFixture.patch(
      #"{"title": "Lead", "groups": [{"value": "g1"}], "roles": [{"value": "a"}]}"#,
      #"[{"op": "add", "path": "roles", "value": [{"value": "b"}]}, {"op": "replace", "path": "password", "value": "p"}]"#
    )
    let resource = outcome.resource(for: PatchFixture.user)
    #expect(try resource.document == PatchFixture.document(#"{"title": "Lead"}"#))
    #expect(
      resource.links.mapValues { $0.compactMap { $0["value"]?.stringValue } } == [
        "roles": ["a", "b"], "entitlements": [],
      ])
    #expect(resource.password == "p")
  }
}
