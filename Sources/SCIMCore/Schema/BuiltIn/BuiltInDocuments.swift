// swift-format-ignore-file
// Made by schemas/embed.sh from the documents in schemas/. Change those, not this.

extension BuiltInSchemas {
  /// The documents by their path below schemas/.
  static let texts: [(name: String, text: String)] = [
    ("User.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:ietf:params:scim:schemas:core:2.0:User",
  "name": "User",
  "description": "User Account",
  "attributes": [{
    "name": "userName",
    "type": "string",
    "multiValued": false,
    "description": "The name by which the user is known to this service, unique within the organisation whatever its letter case.",
    "required": true,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "server"
  }, {
    "name": "name",
    "type": "complex",
    "multiValued": false,
    "description": "The parts of the user's name.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "formatted",
      "type": "string",
      "multiValued": false,
      "description": "The whole name with titles and suffixes, ready to be shown.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "familyName",
      "type": "string",
      "multiValued": false,
      "description": "The family name, or last name in most Western languages.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "givenName",
      "type": "string",
      "multiValued": false,
      "description": "The given name, or first name in most Western languages.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "middleName",
      "type": "string",
      "multiValued": false,
      "description": "The middle name or names.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "honorificPrefix",
      "type": "string",
      "multiValued": false,
      "description": "Titles in front of the name, such as Ms. or Dr.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "honorificSuffix",
      "type": "string",
      "multiValued": false,
      "description": "What follows the name, such as III or PhD.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "displayName",
    "type": "string",
    "multiValued": false,
    "description": "The name under which the user is shown to others.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "nickName",
    "type": "string",
    "multiValued": false,
    "description": "What the user is called casually, such as Bob for Robert.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "profileUrl",
    "type": "reference",
    "multiValued": false,
    "description": "The address of a page about the user.",
    "required": false,
    "caseExact": true,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none",
    "referenceTypes": ["external"]
  }, {
    "name": "title",
    "type": "string",
    "multiValued": false,
    "description": "The user's job title, such as Vice President.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "userType",
    "type": "string",
    "multiValued": false,
    "description": "How the user stands to the organisation, such as Employee or Contractor.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "preferredLanguage",
    "type": "string",
    "multiValued": false,
    "description": "The languages the user prefers, in the form of an Accept-Language header.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "locale",
    "type": "string",
    "multiValued": false,
    "description": "The language tag by which dates, numbers and currencies are shown to the user, such as en-US.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "timezone",
    "type": "string",
    "multiValued": false,
    "description": "The user's time zone by its name in the IANA database, such as Europe/Berlin.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "active",
    "type": "boolean",
    "multiValued": false,
    "description": "Whether the user may use the service.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "password",
    "type": "string",
    "multiValued": false,
    "description": "The user's password in clear text as it is set; it is kept as a hash and never returned.",
    "required": false,
    "caseExact": false,
    "mutability": "writeOnly",
    "returned": "never",
    "uniqueness": "none"
  }, {
    "name": "emails",
    "type": "complex",
    "multiValued": true,
    "description": "The user's e-mail addresses.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The e-mail address itself.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "A name for people to read beside the e-mail address.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "What the e-mail address is used for.",
      "required": false,
      "canonicalValues": ["work", "home", "other"],
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred e-mail address; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "phoneNumbers",
    "type": "complex",
    "multiValued": true,
    "description": "The user's telephone numbers, best in the form of RFC 3966, such as tel:+1-201-555-0123.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The telephone number itself.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "A name for people to read beside the telephone number.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "What the telephone number is used for.",
      "required": false,
      "canonicalValues": ["work", "home", "mobile", "fax", "pager", "other"],
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred telephone number; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "ims",
    "type": "complex",
    "multiValued": true,
    "description": "The user's instant messaging addresses.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The instant messaging address itself.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "A name for people to read beside the instant messaging address.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "What the instant messaging address is used for.",
      "required": false,
      "canonicalValues": ["aim", "gtalk", "icq", "xmpp", "msn", "skype", "qq", "yahoo"],
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred instant messaging address; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "photos",
    "type": "complex",
    "multiValued": true,
    "description": "Addresses of pictures of the user.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the picture.",
      "required": false,
      "caseExact": true,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["external"]
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "A name for people to read beside the picture.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "What the picture is used for.",
      "required": false,
      "canonicalValues": ["photo", "thumbnail"],
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred picture; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "addresses",
    "type": "complex",
    "multiValued": true,
    "description": "The user's postal addresses.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "formatted",
      "type": "string",
      "multiValued": false,
      "description": "The whole address, ready to be shown or printed; may hold line breaks.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "streetAddress",
      "type": "string",
      "multiValued": false,
      "description": "House number, street, building or post box; may hold line breaks.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "locality",
      "type": "string",
      "multiValued": false,
      "description": "The city or other locality.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "region",
      "type": "string",
      "multiValued": false,
      "description": "The state or region.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "postalCode",
      "type": "string",
      "multiValued": false,
      "description": "The postal code.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "country",
      "type": "string",
      "multiValued": false,
      "description": "The country, best as its two-letter code of ISO 3166-1.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "What the address is used for.",
      "required": false,
      "canonicalValues": ["work", "home", "other"],
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred address; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "groups",
    "type": "complex",
    "multiValued": true,
    "description": "The groups to which the user belongs, directly or through other groups. Changed through the groups' members.",
    "required": false,
    "mutability": "readOnly",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The id of the group.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "$ref",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the group.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["Group"]
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "The name of the group.",
      "required": false,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "Whether the user is a member of this group itself or of a group inside it.",
      "required": false,
      "canonicalValues": ["direct", "indirect"],
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "entitlements",
    "type": "complex",
    "multiValued": true,
    "description": "The things to which the user is entitled.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The id of the entitlement in the catalogue, or a value of the client's own where the catalogue has no such entitlement.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "$ref",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the entitlement in the catalogue, set by the server where there is one.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["uri"]
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "The name of the entitlement; taken from the catalogue where it is listed there.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "The kind of entitlement; for one in the catalogue the name of its resource type.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred entitlement; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "roles",
    "type": "complex",
    "multiValued": true,
    "description": "The roles that the user has.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The id of the role in the catalogue, or a value of the client's own where the catalogue has no such role.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "$ref",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the role in the catalogue, set by the server where there is one.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["Role"]
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "The name of the role; taken from the catalogue where it is listed there.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "The kind of role; for one in the catalogue the name of its resource type.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred role; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "x509Certificates",
    "type": "complex",
    "multiValued": true,
    "description": "The user's X.509 certificates.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "binary",
      "multiValued": false,
      "description": "The certificate: DER, in Base64.",
      "required": false,
      "caseExact": true,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "A name for people to read beside the certificate.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "What the certificate is used for.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "primary",
      "type": "boolean",
      "multiValued": false,
      "description": "Whether this is the preferred certificate; true for one of them at most.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }]
}

"""#),
    ("Group.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:ietf:params:scim:schemas:core:2.0:Group",
  "name": "Group",
  "description": "A group of users and of other groups.",
  "attributes": [{
    "name": "displayName",
    "type": "string",
    "multiValued": false,
    "description": "The name of the group, unique within the organisation whatever its letter case.",
    "required": true,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "server"
  }, {
    "name": "members",
    "type": "complex",
    "multiValued": true,
    "description": "The users and groups in this group.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The id of the member.",
      "required": false,
      "caseExact": true,
      "mutability": "immutable",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "$ref",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the member, set by the server.",
      "required": false,
      "caseExact": true,
      "mutability": "immutable",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["User", "Group"]
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "The resource type of the member, set by the server where it is left out.",
      "required": false,
      "canonicalValues": ["User", "Group"],
      "caseExact": false,
      "mutability": "immutable",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "The name under which the member is shown, set by the server.",
      "required": false,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }]
  }]
}

"""#),
    ("EnterpriseUser.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  "name": "EnterpriseUser",
  "description": "What an employer knows about a user.",
  "attributes": [{
    "name": "employeeNumber",
    "type": "string",
    "multiValued": false,
    "description": "The number or code that the organisation gave the person.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "costCenter",
    "type": "string",
    "multiValued": false,
    "description": "The cost centre to which the person belongs.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "organization",
    "type": "string",
    "multiValued": false,
    "description": "The organisation to which the person belongs.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "division",
    "type": "string",
    "multiValued": false,
    "description": "The division to which the person belongs.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "department",
    "type": "string",
    "multiValued": false,
    "description": "The department to which the person belongs.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "manager",
    "type": "complex",
    "multiValued": false,
    "description": "The person's manager.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The id of the manager's user.",
      "required": false,
      "caseExact": true,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "$ref",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the manager's user.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["User"]
    }, {
      "name": "displayName",
      "type": "string",
      "multiValued": false,
      "description": "The name under which the manager is shown.",
      "required": false,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }]
  }]
}

"""#),
    ("types/User.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  "id": "User",
  "name": "User",
  "endpoint": "/Users",
  "description": "A user of the organisation's applications.",
  "schema": "urn:ietf:params:scim:schemas:core:2.0:User",
  "schemaExtensions": [{
    "schema": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
    "required": false
  }],
  "roster": {
    "links": {
      "groups": {
        "memberOf": "Group.members"
      },
      "roles": {
        "catalog": "urn:okta:scim:schemas:core:1.0:Role"
      },
      "entitlements": {
        "catalog": "urn:okta:scim:schemas:core:1.0:Entitlement"
      }
    },
    "display": ["displayName", "userName"],
    "defaults": {
      "active": true
    }
  }
}

"""#),
    ("types/Group.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  "id": "Group",
  "name": "Group",
  "endpoint": "/Groups",
  "description": "A group of users and of other groups.",
  "schema": "urn:ietf:params:scim:schemas:core:2.0:Group",
  "roster": {
    "links": {
      "members": {
        "members": ["User", "Group"]
      }
    },
    "display": ["displayName"]
  }
}

"""#),
    ("types/Role.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  "id": "Role",
  "name": "Role",
  "endpoint": "/Roles",
  "description": "A role that users can have.",
  "schema": "urn:okta:scim:schemas:core:1.0:Role",
  "schemaExtensions": [{
    "schema": "urn:ietf:params:scim:schemas:core:2.0:Role",
    "required": false
  }]
}

"""#),
    ("Characteristic.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:bestapps:scim:schemas:extension:todoapp:1.0:Characteristic",
  "name": "Characteristic",
  "description": "What a characteristic adds to an entitlement.",
  "attributes": [{
    "name": "is_tall",
    "type": "string",
    "multiValued": false,
    "description": "What the characteristic says about how tall the user is.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }]
}

"""#),
    ("Entitlement.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:okta:scim:schemas:core:1.0:Entitlement",
  "name": "Entitlement",
  "description": "Something that users can be entitled to.",
  "attributes": [{
    "name": "displayName",
    "type": "string",
    "multiValued": false,
    "description": "The name of the entitlement.",
    "required": true,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "type",
    "type": "string",
    "multiValued": false,
    "description": "The kind of entitlement: the name of its resource type, set by the server.",
    "required": false,
    "caseExact": false,
    "mutability": "readOnly",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "description",
    "type": "string",
    "multiValued": false,
    "description": "What the entitlement stands for.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }]
}

"""#),
    ("EntitlementAssignments.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:ietf:params:scim:schemas:core:2.0:Entitlement",
  "name": "EntitlementAssignments",
  "description": "How an entitlement is assigned and how often, as in the IETF's draft on roles and entitlements.",
  "attributes": [{
    "name": "value",
    "type": "string",
    "multiValued": false,
    "description": "The word by which the entitlement is assigned where its id is not used.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "display",
    "type": "string",
    "multiValued": false,
    "description": "A name of the entitlement for people to read.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "type",
    "type": "string",
    "multiValued": false,
    "description": "The kind of entitlement.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "supported",
    "type": "boolean",
    "multiValued": false,
    "description": "Whether the entitlement can be assigned; false refuses new assignments and keeps the ones there are.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "limitedAssignmentsPermitted",
    "type": "boolean",
    "multiValued": false,
    "description": "Whether the number of users who have the entitlement is limited.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "totalAssignmentsPermitted",
    "type": "integer",
    "multiValued": false,
    "description": "How many users may have the entitlement, where that is limited.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "totalAssignmentsUsed",
    "type": "integer",
    "multiValued": false,
    "description": "How many users have the entitlement, counted by the server.",
    "required": false,
    "caseExact": false,
    "mutability": "readOnly",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "containedBy",
    "type": "string",
    "multiValued": true,
    "description": "The entitlements of which this one is a part.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "contains",
    "type": "string",
    "multiValued": true,
    "description": "The entitlements that are parts of this one.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }]
}

"""#),
    ("Role.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:okta:scim:schemas:core:1.0:Role",
  "name": "Role",
  "description": "A role that users can have.",
  "attributes": [{
    "name": "displayName",
    "type": "string",
    "multiValued": false,
    "description": "The name of the role, unique within the organisation whatever its letter case.",
    "required": true,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "server"
  }, {
    "name": "description",
    "type": "string",
    "multiValued": false,
    "description": "What the role stands for.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }]
}

"""#),
    ("RoleAssignments.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:ietf:params:scim:schemas:core:2.0:Role",
  "name": "RoleAssignments",
  "description": "How a role is assigned and how often, as in the IETF's draft on roles and entitlements.",
  "attributes": [{
    "name": "value",
    "type": "string",
    "multiValued": false,
    "description": "The word by which the role is assigned where its id is not used.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "display",
    "type": "string",
    "multiValued": false,
    "description": "A name of the role for people to read.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "type",
    "type": "string",
    "multiValued": false,
    "description": "The kind of role.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "supported",
    "type": "boolean",
    "multiValued": false,
    "description": "Whether the role can be assigned; false refuses new assignments and keeps the ones there are.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "limitedAssignmentsPermitted",
    "type": "boolean",
    "multiValued": false,
    "description": "Whether the number of users who have the role is limited.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "totalAssignmentsPermitted",
    "type": "integer",
    "multiValued": false,
    "description": "How many users may have the role, where that is limited.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "totalAssignmentsUsed",
    "type": "integer",
    "multiValued": false,
    "description": "How many users have the role, counted by the server.",
    "required": false,
    "caseExact": false,
    "mutability": "readOnly",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "containedBy",
    "type": "string",
    "multiValued": true,
    "description": "The roles of which this one is a part.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }, {
    "name": "contains",
    "type": "string",
    "multiValued": true,
    "description": "The roles that are parts of this one.",
    "required": false,
    "caseExact": false,
    "mutability": "readWrite",
    "returned": "default",
    "uniqueness": "none"
  }]
}

"""#),
    ("types/Characteristic.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  "id": "Characteristic",
  "name": "Characteristic",
  "endpoint": "/Characteristics",
  "description": "A characteristic that users can be entitled to.",
  "schema": "urn:okta:scim:schemas:core:1.0:Entitlement",
  "schemaExtensions": [{
    "schema": "urn:bestapps:scim:schemas:extension:todoapp:1.0:Characteristic",
    "required": false
  }, {
    "schema": "urn:ietf:params:scim:schemas:core:2.0:Entitlement",
    "required": false
  }]
}

"""#),
  ]

  /// Those that an organisation has only where it asks for them.
  static let optionalTexts: [(name: String, text: String)] = [
    ("optional/Grants.json", #"""
{
  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  "id": "urn:roster:scim:schemas:extension:grants:1.0:Group",
  "name": "Grants",
  "description": "What a group grants to its members, those of the groups in it included.",
  "attributes": [{
    "name": "roles",
    "type": "complex",
    "multiValued": true,
    "description": "The roles that every member of the group has.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The id of the role in the catalogue.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "$ref",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the role in the catalogue, set by the server.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["Role"]
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "The name of the role; taken from the catalogue.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "The kind of role: the name of its resource type.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }, {
    "name": "entitlements",
    "type": "complex",
    "multiValued": true,
    "description": "The entitlements that every member of the group has.",
    "required": false,
    "mutability": "readWrite",
    "returned": "default",
    "subAttributes": [{
      "name": "value",
      "type": "string",
      "multiValued": false,
      "description": "The id of the entitlement in the catalogue.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "$ref",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the entitlement in the catalogue, set by the server.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": ["uri"]
    }, {
      "name": "display",
      "type": "string",
      "multiValued": false,
      "description": "The name of the entitlement; taken from the catalogue.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }, {
      "name": "type",
      "type": "string",
      "multiValued": false,
      "description": "The kind of entitlement: the name of its resource type.",
      "required": false,
      "caseExact": false,
      "mutability": "readWrite",
      "returned": "default",
      "uniqueness": "none"
    }]
  }]
}

"""#),
  ]

  /// The schemas of the discovery documents themselves.
  static let discoveryTexts: [(name: String, text: String)] = [
    ("discovery/ResourceType.json", #"""
{
  "schemas": [
    "urn:ietf:params:scim:schemas:core:2.0:Schema"
  ],
  "id": "urn:ietf:params:scim:schemas:core:2.0:ResourceType",
  "name": "ResourceType",
  "description": "A type of resources: where they are and which schemas they have.",
  "attributes": [
    {
      "name": "id",
      "type": "string",
      "multiValued": false,
      "description": "The id of the type, which is its name.",
      "required": false,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "name",
      "type": "string",
      "multiValued": false,
      "description": "The name of the type.",
      "required": true,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "displayName",
      "type": "string",
      "multiValued": false,
      "description": "A label for people, where the organisation has given the type one.",
      "required": false,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "description",
      "type": "string",
      "multiValued": false,
      "description": "What the type is.",
      "required": false,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "endpoint",
      "type": "reference",
      "multiValued": false,
      "description": "The address of the type's resources below the base address.",
      "required": true,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": [
        "uri"
      ]
    },
    {
      "name": "schema",
      "type": "reference",
      "multiValued": false,
      "description": "The URN of the type's base schema.",
      "required": true,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": [
        "uri"
      ]
    },
    {
      "name": "schemaExtensions",
      "type": "complex",
      "multiValued": true,
      "description": "The extensions of the type.",
      "required": false,
      "subAttributes": [
        {
          "name": "schema",
          "type": "reference",
          "multiValued": false,
          "description": "The URN of the extension's schema.",
          "required": true,
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none",
          "referenceTypes": [
            "uri"
          ]
        },
        {
          "name": "required",
          "type": "boolean",
          "multiValued": false,
          "description": "True where each resource of the type must have the extension.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }
  ]
}

"""#),
    ("discovery/Schema.json", #"""
{
  "schemas": [
    "urn:ietf:params:scim:schemas:core:2.0:Schema"
  ],
  "id": "urn:ietf:params:scim:schemas:core:2.0:Schema",
  "name": "Schema",
  "description": "A schema: the attributes that resources have.",
  "attributes": [
    {
      "name": "id",
      "type": "string",
      "multiValued": false,
      "description": "The URN of the schema.",
      "required": true,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "name",
      "type": "string",
      "multiValued": false,
      "description": "The name of the schema for people.",
      "required": true,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "description",
      "type": "string",
      "multiValued": false,
      "description": "What the schema is for.",
      "required": false,
      "caseExact": false,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "attributes",
      "type": "complex",
      "multiValued": true,
      "description": "The attributes of the schema.",
      "required": true,
      "subAttributes": [
        {
          "name": "name",
          "type": "string",
          "multiValued": false,
          "description": "The name of the attribute.",
          "required": true,
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "type",
          "type": "string",
          "multiValued": false,
          "description": "The data type of the attribute.",
          "required": true,
          "canonicalValues": [
            "string",
            "complex",
            "boolean",
            "decimal",
            "integer",
            "dateTime",
            "reference",
            "binary"
          ],
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "multiValued",
          "type": "boolean",
          "multiValued": false,
          "description": "True where the attribute has many values.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "description",
          "type": "string",
          "multiValued": false,
          "description": "What the attribute is.",
          "required": false,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "required",
          "type": "boolean",
          "multiValued": false,
          "description": "True where each resource must have the attribute.",
          "required": false,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "canonicalValues",
          "type": "string",
          "multiValued": true,
          "description": "Values that are suggested.",
          "required": false,
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "caseExact",
          "type": "boolean",
          "multiValued": false,
          "description": "True where letter case counts.",
          "required": false,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "mutability",
          "type": "string",
          "multiValued": false,
          "description": "Whether clients may write the attribute.",
          "required": false,
          "canonicalValues": [
            "readOnly",
            "readWrite",
            "immutable",
            "writeOnly"
          ],
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "returned",
          "type": "string",
          "multiValued": false,
          "description": "When the attribute is shown.",
          "required": false,
          "canonicalValues": [
            "always",
            "never",
            "default",
            "request"
          ],
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "uniqueness",
          "type": "string",
          "multiValued": false,
          "description": "Among which resources a value is unique.",
          "required": false,
          "canonicalValues": [
            "none",
            "server",
            "global"
          ],
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "referenceTypes",
          "type": "string",
          "multiValued": true,
          "description": "What a reference may lead to.",
          "required": false,
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "subAttributes",
          "type": "complex",
          "multiValued": true,
          "description": "The sub-attributes of a complex attribute.",
          "required": false,
          "subAttributes": [
            {
              "name": "name",
              "type": "string",
              "multiValued": false,
              "description": "The name of the attribute.",
              "required": true,
              "caseExact": true,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "type",
              "type": "string",
              "multiValued": false,
              "description": "The data type of the attribute.",
              "required": true,
              "canonicalValues": [
                "string",
                "boolean",
                "decimal",
                "integer",
                "dateTime",
                "reference",
                "binary"
              ],
              "caseExact": false,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "multiValued",
              "type": "boolean",
              "multiValued": false,
              "description": "True where the attribute has many values.",
              "required": true,
              "caseExact": false,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "description",
              "type": "string",
              "multiValued": false,
              "description": "What the attribute is.",
              "required": false,
              "caseExact": false,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "required",
              "type": "boolean",
              "multiValued": false,
              "description": "True where each resource must have the attribute.",
              "required": false,
              "caseExact": false,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "canonicalValues",
              "type": "string",
              "multiValued": true,
              "description": "Values that are suggested.",
              "required": false,
              "caseExact": true,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "caseExact",
              "type": "boolean",
              "multiValued": false,
              "description": "True where letter case counts.",
              "required": false,
              "caseExact": false,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "mutability",
              "type": "string",
              "multiValued": false,
              "description": "Whether clients may write the attribute.",
              "required": false,
              "canonicalValues": [
                "readOnly",
                "readWrite",
                "immutable",
                "writeOnly"
              ],
              "caseExact": true,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "returned",
              "type": "string",
              "multiValued": false,
              "description": "When the attribute is shown.",
              "required": false,
              "canonicalValues": [
                "always",
                "never",
                "default",
                "request"
              ],
              "caseExact": true,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "uniqueness",
              "type": "string",
              "multiValued": false,
              "description": "Among which resources a value is unique.",
              "required": false,
              "canonicalValues": [
                "none",
                "server",
                "global"
              ],
              "caseExact": true,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            },
            {
              "name": "referenceTypes",
              "type": "string",
              "multiValued": true,
              "description": "What a reference may lead to.",
              "required": false,
              "caseExact": true,
              "mutability": "readOnly",
              "returned": "default",
              "uniqueness": "none"
            }
          ],
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }
  ]
}

"""#),
    ("discovery/ServiceProviderConfig.json", #"""
{
  "schemas": [
    "urn:ietf:params:scim:schemas:core:2.0:Schema"
  ],
  "id": "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig",
  "name": "Service Provider Configuration",
  "description": "What the service can do.",
  "attributes": [
    {
      "name": "documentationUri",
      "type": "reference",
      "multiValued": false,
      "description": "The address of a manual for people.",
      "required": false,
      "caseExact": true,
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none",
      "referenceTypes": [
        "external"
      ]
    },
    {
      "name": "patch",
      "type": "complex",
      "multiValued": false,
      "description": "Whether resources can be changed by PATCH.",
      "required": true,
      "subAttributes": [
        {
          "name": "supported",
          "type": "boolean",
          "multiValued": false,
          "description": "True where they can.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "bulk",
      "type": "complex",
      "multiValued": false,
      "description": "Whether many operations can be sent in one request.",
      "required": true,
      "subAttributes": [
        {
          "name": "supported",
          "type": "boolean",
          "multiValued": false,
          "description": "True where they can.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "maxOperations",
          "type": "integer",
          "multiValued": false,
          "description": "The most operations of one request.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "maxPayloadSize",
          "type": "integer",
          "multiValued": false,
          "description": "The longest request, in bytes.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "filter",
      "type": "complex",
      "multiValued": false,
      "description": "Whether resources can be filtered.",
      "required": true,
      "subAttributes": [
        {
          "name": "supported",
          "type": "boolean",
          "multiValued": false,
          "description": "True where they can.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "maxResults",
          "type": "integer",
          "multiValued": false,
          "description": "The most resources in one answer.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "changePassword",
      "type": "complex",
      "multiValued": false,
      "description": "Whether passwords can be changed.",
      "required": true,
      "subAttributes": [
        {
          "name": "supported",
          "type": "boolean",
          "multiValued": false,
          "description": "True where they can.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "sort",
      "type": "complex",
      "multiValued": false,
      "description": "Whether resources can be sorted.",
      "required": true,
      "subAttributes": [
        {
          "name": "supported",
          "type": "boolean",
          "multiValued": false,
          "description": "True where they can.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "etag",
      "type": "complex",
      "multiValued": false,
      "description": "Whether resources have entity tags.",
      "required": true,
      "subAttributes": [
        {
          "name": "supported",
          "type": "boolean",
          "multiValued": false,
          "description": "True where they have.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    },
    {
      "name": "authenticationSchemes",
      "type": "complex",
      "multiValued": true,
      "description": "The ways in which a request shows who sends it.",
      "required": true,
      "subAttributes": [
        {
          "name": "type",
          "type": "string",
          "multiValued": false,
          "description": "The kind of the scheme.",
          "required": true,
          "canonicalValues": [
            "oauth",
            "oauth2",
            "oauthbearertoken",
            "httpbasic",
            "httpdigest"
          ],
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "name",
          "type": "string",
          "multiValued": false,
          "description": "The name of the scheme.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "description",
          "type": "string",
          "multiValued": false,
          "description": "What the scheme is.",
          "required": true,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        },
        {
          "name": "specUri",
          "type": "reference",
          "multiValued": false,
          "description": "The address of the scheme's specification.",
          "required": false,
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none",
          "referenceTypes": [
            "external"
          ]
        },
        {
          "name": "documentationUri",
          "type": "reference",
          "multiValued": false,
          "description": "The address of the scheme's manual.",
          "required": false,
          "caseExact": true,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none",
          "referenceTypes": [
            "external"
          ]
        },
        {
          "name": "primary",
          "type": "boolean",
          "multiValued": false,
          "description": "True for the scheme that is preferred.",
          "required": false,
          "caseExact": false,
          "mutability": "readOnly",
          "returned": "default",
          "uniqueness": "none"
        }
      ],
      "mutability": "readOnly",
      "returned": "default",
      "uniqueness": "none"
    }
  ]
}

"""#),
  ]
}
