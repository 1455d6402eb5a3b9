-- A change of an organisation's definitions that takes several commits: until it is made, those of before are in force.
-- AUTOINCREMENT: the number of one that was given up never names another.
CREATE TABLE definition_change (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  org INTEGER NOT NULL UNIQUE,
  change TEXT NOT NULL,
  -- 1 from the time on that it can only succeed.
  certain INTEGER NOT NULL DEFAULT 0,
  -- How many transactions it has had: one that has no more is nobody's any more.
  slices INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Resources that did not fit it when they were looked at last.
CREATE TABLE definition_misfit (
  org INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  PRIMARY KEY (org, resource)
) STRICT, WITHOUT ROWID;

-- Parts of the index that the present definitions do not ask for: written for a change that is under way, or left behind
-- by one, to be removed. With "display" the resources of a type whose displays are to be made anew behind `position`.
CREATE TABLE stale_index (
  org INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Of the attribute; of signatures and displays of the type.
  number INTEGER NOT NULL,
  position INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (org, kind, number)
) STRICT, WITHOUT ROWID;

-- What the index has under the second of its two names: so a change writes it anew beside what is searched.
CREATE TABLE second_name (
  org INTEGER NOT NULL,
  type TEXT NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (org, type, path)
) STRICT, WITHOUT ROWID;
