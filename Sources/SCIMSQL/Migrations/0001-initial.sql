-- Names are kept once and referred to by small integers, since every index row repeats them.
CREATE TABLE type (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- The canonical path of an attribute within a type: `name.givenName`, `members`.
CREATE TABLE attribute (
  id INTEGER PRIMARY KEY,
  type INTEGER NOT NULL REFERENCES type (id),
  path TEXT NOT NULL,
  UNIQUE (type, path)
) STRICT;

-- AUTOINCREMENT: the number of a deleted organisation never names another.
CREATE TABLE organization (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  catalog TEXT NOT NULL,
  -- 1 where groups grant roles and entitlements to their members.
  grants INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  -- Moves with every change of its definitions, and with `grants`, which adds some.
  definitions INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE api_key (
  org INTEGER NOT NULL REFERENCES organization (id),
  id TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  label TEXT NOT NULL,
  role TEXT NOT NULL,
  profile TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  revoked INTEGER,
  last_used INTEGER,
  PRIMARY KEY (org, id)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a number is a place in the order of creation, which a cursor may hold on to.
CREATE TABLE resource (
  pk INTEGER PRIMARY KEY AUTOINCREMENT,
  org INTEGER NOT NULL REFERENCES organization (id),
  type INTEGER NOT NULL REFERENCES type (id),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  display TEXT,
  display_key TEXT,
  password TEXT,
  doc TEXT NOT NULL,
  UNIQUE (org, type, id)
) STRICT;
CREATE INDEX resource_order ON resource (org, type, pk);
CREATE INDEX resource_created ON resource (org, type, created);
CREATE INDEX resource_modified ON resource (org, type, modified);
-- What links refer to, so that the engine itself refuses one that leaves the organisation.
CREATE UNIQUE INDEX resource_org ON resource (org, pk);
-- For references that ignore letter case; ids made by the server are in lower case, so it stays empty.
CREATE INDEX resource_mixed_id ON resource (org, type, lower(id)) WHERE id <> lower(id);

CREATE TABLE resource_count (
  org INTEGER NOT NULL REFERENCES organization (id),
  type INTEGER NOT NULL REFERENCES type (id),
  count INTEGER NOT NULL,
  -- Of resources, and of those the deletions: what was found out before they moved need not be found out again.
  changes INTEGER NOT NULL,
  deletions INTEGER NOT NULL,
  PRIMARY KEY (org, type)
) STRICT, WITHOUT ROWID;

-- One row for each filterable leaf of a document. An attribute belongs to one type, so no row repeats the type. There is
-- no index by resource: which rows a resource has follows from its document. No foreign key to resource either: checking
-- it for each of some thirty rows of a write is dear, and `check` does it as well.
CREATE TABLE key (
  org INTEGER NOT NULL,
  attr INTEGER NOT NULL,
  key TEXT NOT NULL,
  resource INTEGER NOT NULL,
  element INTEGER NOT NULL,
  sort INTEGER NOT NULL,
  PRIMARY KEY (org, attr, key, resource, element)
) STRICT, WITHOUT ROWID;

CREATE TABLE unique_key (
  org INTEGER NOT NULL,
  attr INTEGER NOT NULL,
  key TEXT NOT NULL,
  resource INTEGER NOT NULL,
  PRIMARY KEY (org, attr, key)
) STRICT, WITHOUT ROWID;

-- For searches for a part of a text: of each resource which runs of three bytes its texts have, 64 resources a row.
CREATE TABLE signature (
  id INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  type INTEGER NOT NULL,
  block INTEGER NOT NULL,
  entries BLOB NOT NULL,
  UNIQUE (org, type, block)
) STRICT;

CREATE TABLE link (
  org INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  attr INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  target INTEGER NOT NULL,
  extra TEXT,
  PRIMARY KEY (org, owner, attr, seq),
  FOREIGN KEY (org, owner) REFERENCES resource (org, pk),
  FOREIGN KEY (org, target) REFERENCES resource (org, pk)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX link_target ON link (org, target, attr, owner);

-- An organisation's own schemas and resource types, in the order of `place`.
CREATE TABLE definition (
  org INTEGER NOT NULL REFERENCES organization (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  place INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (org, kind, name)
) STRICT, WITHOUT ROWID;

-- What changed, in order; of the oldest no more than the last 100,000 or so are kept. Read for the time of the last change.
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  org INTEGER NOT NULL,
  type INTEGER NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- What this installation alone knows, such as the key that signs cursors.
CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Moves with every change of a key or an organisation, so that readers know when what they remember of them is stale.
INSERT INTO setting (name, value) VALUES ('key_revision', 1);
