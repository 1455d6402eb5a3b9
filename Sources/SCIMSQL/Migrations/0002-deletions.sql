-- An id is looked up without its type: references name no type.
CREATE INDEX resource_id ON resource (org, id, type);

-- What is being deleted in several commits, so that it goes on after a stop: a resource by its number, or with 0 all of
-- the organisation.
CREATE TABLE deletion (
  org INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  PRIMARY KEY (org, resource)
) STRICT, WITHOUT ROWID;
