import SCIMCore

/// The statements with a fixed text, prepared once for each connection.
enum FixedStatement: Int, CaseIterable {
  case typeNumber, typeName, attributeNumber, insertType, insertAttribute
  case resource, resourceByNumber, linkTarget, linkEnd
  case members, ownedLinks, linksUnder, grants, ownersOf, linkCount, uniqueOwner, count
  case assignmentCounts
  case typeOfResource, resourcesWithKey, resourceHasKey, elementHasKey, document
  case keyByDigest, revisions, organizations, organizationByName, organization, keysOfOrganization
  case insertResource, idIsUsed, updateResource, setPassword, deleteResource, addToCount
  case insertKey, deleteKey, insertUniqueKey, deleteUniqueKey
  case signatureBlock, insertSignatureBlock, updateSignatureBlock, deleteSignatureBlock, signatures
  case linkByEnds, lastSequence, insertLink, updateLinkExtra, deleteLink, deleteOwnedLinks
  case deleteLinksOfOwner, deleteLinksOfTarget, touchOwnersOfLinks, recordOwnersOfLinks
  case resourcesByID, idsByNumber, insertLinks, deleteLinks, targets, targetsAmong, namedResources, hasKeys
  case linksOfTarget, linksOfOwner, touchResource, insertDeletion, deleteDeletion, deletions
  case insertOutbox, lastOutbox, pruneOutbox
  case definitionsRevision, definitions, putDefinition, deleteDefinition, moveDefinitionsRevision
  case rewriteDocument, setDisplay
  case definitionChange, changeUnderWay, insertDefinitionChange, makeChangeCertain, deleteDefinitionChange,
    definitionChanges
  case moveDefinitionChange
  case insertMisfit, deleteMisfit, deleteMisfits, misfits
  case attributeNumbers, insertAttributes
  case secondNames, insertSecondNames, deleteSecondNames
  case insertStale, deleteStale, insertStaleParts, deleteStaleParts, firstStale, moveStale, staleOrganizations
  case insertOrganization, updateOrganization, insertAPIKey, revokeAPIKey, touchAPIKey, moveKeyRevision, moveRevision
  case insertSecret

  var sql: String {
    switch self {
    case .typeNumber: "SELECT id FROM type WHERE name = ?"
    case .typeName: "SELECT name FROM type WHERE id = ?"
    case .attributeNumber: "SELECT id FROM attribute WHERE type = ? AND path = ?"
    case .insertType: "INSERT INTO type (name) VALUES (?)"
    case .insertAttribute: "INSERT INTO attribute (type, path) VALUES (?, ?)"
    case .attributeNumbers:
      "SELECT j.key, a.id FROM json_each(?2) j CROSS JOIN attribute a ON a.type = ?1 AND a.path = j.value"
    case .insertAttributes: "INSERT OR IGNORE INTO attribute (type, path) SELECT ?1, value FROM json_each(?2)"

    case .resource:
      "SELECT pk, version, created, modified, doc FROM resource WHERE org = ?1 AND type = ?2 AND id = ?3"
    case .resourceByNumber:
      "SELECT type, id, version, created, modified, doc FROM resource WHERE pk = ?2 AND org = ?1"
    case .linkTarget: "SELECT pk, display FROM resource WHERE org = ? AND type = ? AND id = ?"
    case .linkEnd: "SELECT type, id, display FROM resource WHERE pk = ? AND org = ?"
    case .members:
      """
      SELECT t.pk, t.type, t.id, t.display, l.extra FROM link l CROSS JOIN resource t ON t.pk = l.target
      WHERE l.org = ? AND l.owner = ? AND l.attr = ? ORDER BY l.seq
      """
    case .ownedLinks: "SELECT attr, target, extra FROM link WHERE org = ? AND owner = ? ORDER BY attr, seq"
    case .linksUnder: "SELECT attr, target, extra FROM link WHERE org = ? AND owner = ? AND attr = ? ORDER BY seq"
    // Of some owners under some attributes, both as JSON arrays of numbers.
    case .grants:
      """
      SELECT l.owner, l.attr, l.target, t.type, t.id, t.display
      FROM json_each(?2) o CROSS JOIN json_each(?3) a
      CROSS JOIN link l ON l.org = ?1 AND l.owner = o.value AND l.attr = a.value
      CROSS JOIN resource t ON t.pk = l.target
      ORDER BY o.key, a.key, l.seq
      """
    case .ownersOf: "SELECT owner FROM link WHERE org = ? AND target = ? AND attr = ?"
    case .linkCount:
      "SELECT count(*) FROM (SELECT 1 FROM link WHERE org = ? AND owner = ? AND attr = ? LIMIT ?)"
    case .uniqueOwner: "SELECT resource FROM unique_key WHERE org = ? AND attr = ? AND key = ?"
    case .count: "SELECT count FROM resource_count WHERE org = ? AND type = ?"

    case .assignmentCounts: "SELECT attr, count FROM assignment_count WHERE org = ? AND resource = ?"
    case .typeOfResource: "SELECT type FROM resource WHERE pk = ? AND org = ?"
    case .resourcesWithKey:
      "SELECT resource, element FROM key WHERE org = ? AND attr = ? AND key = ? ORDER BY resource LIMIT ?"
    case .resourceHasKey: "SELECT 1 FROM key WHERE org = ? AND attr = ? AND key = ? AND resource = ? LIMIT 1"
    case .elementHasKey: "SELECT 1 FROM key WHERE org = ? AND attr = ? AND key = ? AND resource = ? AND element = ?"
    case .document: "SELECT doc FROM resource WHERE pk = ? AND org = ? AND type = ?"

    case .keyByDigest:
      """
      SELECT k.id, k.org, k.label, k.role, k.profile, k.created, k.expires, k.revoked, k.last_used,
        o.id, o.name, o.catalog, o.created, o.grants, o.group_names, o.external_ids,
        o.announced
      FROM api_key k JOIN organization o ON o.id = k.org WHERE k.digest = ?
      """
    case .revisions:
      """
      SELECT (SELECT value FROM setting WHERE name = 'key_revision'),
        (SELECT value FROM setting WHERE name = 'target_revision'),
        (SELECT value FROM setting WHERE name = 'link_revision')
      """
    // One that is being deleted is none any more.
    case .organizations:
      """
      SELECT id, name, catalog, created, grants, group_names, external_ids, announced FROM organization o
      WHERE NOT EXISTS (SELECT 1 FROM deletion d WHERE d.org = o.id AND d.resource = 0) ORDER BY id
      """
    case .organization:
      """
      SELECT id, name, catalog, created, grants, group_names, external_ids, announced FROM organization o
      WHERE id = ? AND NOT EXISTS (SELECT 1 FROM deletion d WHERE d.org = o.id AND d.resource = 0)
      """
    case .organizationByName:
      """
      SELECT id, name, catalog, created, grants, group_names, external_ids, announced
      FROM organization WHERE name_key = ?
      """
    case .keysOfOrganization:
      """
      SELECT id, org, label, role, profile, created, expires, revoked, last_used
      FROM api_key WHERE org = ? ORDER BY created DESC, id DESC
      """

    case .insertResource:
      """
      INSERT INTO resource (org, type, id, version, created, modified, display, display_key, password, doc)
      VALUES (?1, ?2, ?3, 1, ?4, ?4, ?5, ?6, ?7, ?8)
      """
    // Of what is there, and of what was deleted.
    case .idIsUsed:
      """
      SELECT 1 FROM resource WHERE org = ?1 AND id = ?2
      UNION ALL SELECT 0 FROM deleted_id WHERE org = ?1 AND id = ?2
      """
    case .updateResource:
      """
      UPDATE resource SET version = version + 1, modified = ?4, display = ?5, display_key = ?6, doc = ?7
      WHERE pk = ?1 AND org = ?2 AND version = ?3
      """
    case .setPassword: "UPDATE resource SET password = ?3 WHERE pk = ?1 AND org = ?2"
    case .deleteResource: "DELETE FROM resource WHERE pk = ? AND org = ?"
    case .addToCount:
      """
      INSERT INTO resource_count (org, type, count, changes, deletions) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (org, type) DO UPDATE
      SET count = count + ?3, changes = changes + ?4, deletions = deletions + ?5
      """

    // A row that is there already is one that a change of the schemas left behind.
    case .insertKey:
      "INSERT OR REPLACE INTO key (org, attr, key, resource, element, sort) VALUES (?, ?, ?, ?, ?, ?)"
    case .deleteKey: "DELETE FROM key WHERE org = ? AND attr = ? AND key = ? AND resource = ? AND element = ?"
    case .insertUniqueKey: "INSERT INTO unique_key (org, attr, key, resource) VALUES (?, ?, ?, ?)"
    case .deleteUniqueKey: "DELETE FROM unique_key WHERE org = ? AND attr = ? AND key = ? AND resource = ?"

    case .signatureBlock: "SELECT id, entries FROM signature WHERE org = ? AND type = ? AND block = ?"
    case .insertSignatureBlock: "INSERT INTO signature (org, type, block, entries) VALUES (?, ?, ?, ?)"
    case .updateSignatureBlock: "UPDATE signature SET entries = ?2 WHERE id = ?1"
    case .deleteSignatureBlock: "DELETE FROM signature WHERE id = ?"
    case .signatures: "SELECT block, entries FROM signature WHERE org = ? AND type = ? ORDER BY block"

    case .linkByEnds: "SELECT seq, extra FROM link WHERE org = ? AND target = ? AND attr = ? AND owner = ?"
    case .lastSequence:
      "SELECT seq FROM link WHERE org = ? AND owner = ? AND attr = ? ORDER BY seq DESC LIMIT 1"
    case .insertLink: "INSERT INTO link (org, owner, attr, seq, target, extra) VALUES (?, ?, ?, ?, ?, ?)"
    case .updateLinkExtra: "UPDATE link SET extra = ? WHERE org = ? AND owner = ? AND attr = ? AND seq = ?"
    case .deleteLink: "DELETE FROM link WHERE org = ? AND owner = ? AND attr = ? AND seq = ?"
    case .deleteOwnedLinks: "DELETE FROM link WHERE org = ? AND owner = ? AND attr = ?"
    case .linksOfTarget: "SELECT count(*) FROM (SELECT 1 FROM link WHERE org = ? AND target = ? LIMIT ?)"
    case .linksOfOwner: "SELECT count(*) FROM (SELECT 1 FROM link WHERE org = ? AND owner = ? LIMIT ?)"
    case .deleteLinksOfOwner:
      """
      DELETE FROM link WHERE org = ?1 AND owner = ?2 AND (attr, seq) IN (
        SELECT attr, seq FROM link WHERE org = ?1 AND owner = ?2 LIMIT ?3)
      """
    // The first links to a target in the order of the index, the same in all three; the fourth parameter is the time.
    case .touchOwnersOfLinks:
      """
      UPDATE resource SET version = version + 1, modified = ?4
      WHERE pk IN (SELECT owner FROM link WHERE org = ?1 AND target = ?2 ORDER BY attr, owner LIMIT ?3)
      """
    // Before the rows are changed, whose pages may then be in the log already and slow to read: of the version to come.
    case .recordOwnersOfLinks:
      """
      INSERT INTO outbox (org, type, id, version, kind, at)
      SELECT org, type, id, version + 1, 'updated', ?4 FROM resource
      WHERE pk IN (SELECT owner FROM link WHERE org = ?1 AND target = ?2 ORDER BY attr, owner LIMIT ?3)
      """
    case .deleteLinksOfTarget:
      """
      DELETE FROM link WHERE org = ?1 AND (owner, attr, seq) IN (
        SELECT owner, attr, seq FROM link WHERE org = ?1 AND target = ?2 ORDER BY attr, owner LIMIT ?3)
      """
    case .touchResource: "UPDATE resource SET version = version + 1, modified = ?3 WHERE pk = ?2 AND org = ?1"
    case .insertDeletion: "INSERT OR IGNORE INTO deletion (org, resource) VALUES (?, ?)"
    case .deleteDeletion: "DELETE FROM deletion WHERE org = ? AND resource = ?"
    case .deletions: "SELECT org, resource FROM deletion ORDER BY org, resource"

    // Lists of ids, words and numbers are JSON arrays: one statement for all, whose rows come in the order of the list.
    case .resourcesByID:
      """
      SELECT j.key, r.pk, r.type, r.id, r.display
      FROM json_each(?2) j CROSS JOIN resource r ON r.org = ?1 AND r.id = j.value
      """
    case .idsByNumber:
      "SELECT r.pk, r.id, r.display FROM json_each(?2) j CROSS JOIN resource r ON r.pk = j.value WHERE r.org = ?1"
    // The first and the last of those that have the word for a key: it names one only where they are the same.
    case .namedResources:
      """
      SELECT place, first, (
        SELECT resource FROM key WHERE org = ?1 AND attr = ?2 AND key = word ORDER BY resource DESC LIMIT 1)
      FROM (
        SELECT j.key AS place, j.value AS word, (
          SELECT resource FROM key WHERE org = ?1 AND attr = ?2 AND key = j.value ORDER BY resource LIMIT 1) AS first
        FROM json_each(?3) j)
      WHERE first IS NOT NULL
      """
    // The low 20 bits of each number are the place in the list, the others the target: rows come in the order of the
    // targets, which is that of the other index.
    case .insertLinks:
      """
      INSERT INTO link (org, owner, attr, seq, target)
      SELECT ?1, ?2, ?3, ?4 + (j.value & 1048575), j.value >> 20 FROM json_each(?5) j WHERE true
      ON CONFLICT DO NOTHING RETURNING target
      """
    case .deleteLinks:
      """
      DELETE FROM link WHERE org = ?1 AND owner = ?2 AND attr = ?3 AND seq IN (
        SELECT l.seq FROM json_each(?4) j
        CROSS JOIN link l ON l.org = ?1 AND l.target = j.value AND l.attr = ?3 AND l.owner = ?2)
      RETURNING target
      """
    case .hasKeys: "SELECT 1 FROM key WHERE org = ? AND attr = ? LIMIT 1"
    case .targets: "SELECT target FROM link WHERE org = ? AND owner = ? AND attr = ? ORDER BY seq"
    case .targetsAmong:
      """
      SELECT l.target FROM json_each(?4) j
      CROSS JOIN link l ON l.org = ?1 AND l.target = j.value AND l.attr = ?3 AND l.owner = ?2
      """

    case .insertOutbox: "INSERT INTO outbox (org, type, id, version, kind, at) VALUES (?, ?, ?, ?, ?, ?)"
    case .lastOutbox: "SELECT seq, at FROM outbox ORDER BY seq DESC LIMIT 1"
    case .pruneOutbox:
      "DELETE FROM outbox WHERE seq IN (SELECT seq FROM outbox WHERE seq <= ? ORDER BY seq LIMIT ?)"

    case .definitionsRevision: "SELECT definitions, grants, group_names, external_ids FROM organization WHERE id = ?"
    case .definitions:
      "SELECT kind, name, version, created, modified, doc FROM definition WHERE org = ? ORDER BY place"
    case .putDefinition:
      """
      INSERT INTO definition (org, kind, name, place, version, created, modified, doc)
      VALUES (?1, ?2, ?3, (SELECT coalesce(max(place), 0) + 1 FROM definition WHERE org = ?1), 1, ?4, ?4, ?5)
      ON CONFLICT (org, kind, name) DO UPDATE SET version = version + 1, modified = ?4, doc = ?5
      """
    case .deleteDefinition: "DELETE FROM definition WHERE org = ? AND kind = ? AND name = ?"
    case .moveDefinitionsRevision: "UPDATE organization SET definitions = definitions + 1 WHERE id = ?"
    case .rewriteDocument: "UPDATE resource SET doc = ?3 WHERE pk = ?1 AND org = ?2"
    case .setDisplay: "UPDATE resource SET display = ?3, display_key = ?4 WHERE pk = ?1 AND org = ?2"

    case .definitionChange: "SELECT change FROM definition_change WHERE org = ?"
    case .changeUnderWay: "SELECT number, certain FROM definition_change WHERE org = ?"
    case .insertDefinitionChange: "INSERT INTO definition_change (org, change) VALUES (?, ?)"
    case .makeChangeCertain: "UPDATE definition_change SET certain = 1 WHERE org = ?"
    case .deleteDefinitionChange: "DELETE FROM definition_change WHERE org = ?"
    case .definitionChanges: "SELECT org, number, slices, certain FROM definition_change ORDER BY org"
    case .moveDefinitionChange: "UPDATE definition_change SET slices = slices + 1 WHERE org = ?"
    case .insertMisfit: "INSERT OR IGNORE INTO definition_misfit (org, resource) VALUES (?, ?)"
    case .deleteMisfit: "DELETE FROM definition_misfit WHERE org = ? AND resource = ?"
    case .deleteMisfits:
      """
      DELETE FROM definition_misfit WHERE org = ?1 AND resource IN (
        SELECT resource FROM definition_misfit WHERE org = ?1 ORDER BY resource LIMIT ?2)
      """
    case .misfits:
      """
      SELECT m.resource FROM definition_misfit m JOIN resource r ON r.pk = m.resource AND r.org = m.org
      WHERE m.org = ? AND m.resource > ? ORDER BY m.resource LIMIT ?
      """
    case .secondNames: "SELECT type, path FROM second_name WHERE org = ?"
    case .insertSecondNames: "INSERT INTO second_name (org, type, path) SELECT ?1, ?2, value FROM json_each(?3)"
    case .deleteSecondNames: "DELETE FROM second_name WHERE org = ? AND type = ?"
    case .insertStale: "INSERT OR IGNORE INTO stale_index (org, kind, number) VALUES (?, ?, ?)"
    case .deleteStale: "DELETE FROM stale_index WHERE org = ? AND kind = ? AND number = ?"
    case .insertStaleParts:
      "INSERT OR IGNORE INTO stale_index (org, kind, number) SELECT ?1, ?2, value FROM json_each(?3)"
    case .deleteStaleParts:
      "DELETE FROM stale_index WHERE org = ?1 AND kind = ?2 AND number IN (SELECT value FROM json_each(?3))"
    case .firstStale: "SELECT kind, number, position FROM stale_index WHERE org = ? ORDER BY kind, number LIMIT 1"
    case .moveStale: "UPDATE stale_index SET position = ?4 WHERE org = ?1 AND kind = ?2 AND number = ?3"
    case .staleOrganizations:
      """
      SELECT DISTINCT s.org FROM stale_index s
      WHERE NOT EXISTS (SELECT 1 FROM definition_change c WHERE c.org = s.org) ORDER BY s.org
      """

    case .insertOrganization:
      """
      INSERT INTO organization (name, name_key, catalog, created, grants, definitions) VALUES (?, ?, ?, ?, ?5, ?5)
      """
    case .updateOrganization:
      """
      UPDATE organization SET name = ?1, name_key = ?2, catalog = ?3,
        definitions = definitions + (grants <> ?5 OR group_names <> ?6 OR external_ids <> ?7),
        grants = ?5, group_names = ?6, external_ids = ?7, announced = ?8
      WHERE id = ?4
      """
    case .insertAPIKey:
      """
      INSERT INTO api_key (org, id, digest, label, role, profile, created, expires, revoked, last_used)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    case .revokeAPIKey:
      // A revocation that lies ahead gives way to an earlier one.
      "UPDATE api_key SET revoked = ?1 WHERE org = ?2 AND id = ?3 AND (revoked IS NULL OR revoked > ?1)"
    case .touchAPIKey: "UPDATE api_key SET last_used = ? WHERE org = ? AND id = ?"
    case .insertSecret: "INSERT INTO secret (name, value) VALUES (?, ?)"
    case .moveKeyRevision: "UPDATE setting SET value = value + 1 WHERE name = 'key_revision'"
    case .moveRevision:
      "INSERT INTO setting (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"
    }
  }
}

/// The prepared statements of one connection.
final class StatementCache {
  private let connection: any SQLConnection
  private let watch: EngineWatch
  private var fixed = [Statement?](repeating: nil, count: FixedStatement.allCases.count)
  private var composed: [String: Statement] = [:]
  /// Filters come in any number of shapes: beyond this many, all are dropped and prepared anew as needed.
  private static let maximumComposed = 256
  /// A longer statement, in bytes with its values, is used once.
  private static let maximumKept = 64 << 10

  init(_ connection: any SQLConnection, watch: EngineWatch) {
    self.connection = connection
    self.watch = watch
  }

  func removeAll() {
    fixed = [Statement?](repeating: nil, count: FixedStatement.allCases.count)
    composed.removeAll()
  }
}

extension StatementCache {
  @inline(__always)
  func get(_ statement: FixedStatement) throws(SCIMError) -> Statement {
    if let known = fixed[statement.rawValue] { return known }
    let made = try prepare(statement.sql)
    fixed[statement.rawValue] = made
    return made
  }

  /// The statement of a composed text, with its values bound.
  func get(_ fragment: SQLFragment) throws(SCIMError) -> Statement {
    let statement: Statement
    if fragment.size > Self.maximumKept {
      // The statement keeps what is bound to it, and many are kept.
      let statement = try prepare(fragment.text)
      statement.bind(fragment.values)
      return statement
    }
    if let known = composed[fragment.text] {
      statement = known
    } else {
      if composed.count >= Self.maximumComposed { composed.removeAll() }
      statement = try prepare(fragment.text)
      composed[fragment.text] = statement
    }
    statement.bind(fragment.values)
    return statement
  }

  private func prepare(_ sql: String) throws(SCIMError) -> Statement {
    do throws(SQLError) {
      return Statement(try connection.prepare(sql), watch: watch)
    } catch {
      throw watch.storeError(error)
    }
  }
}
