-- The ids of what was deleted: none is issued again (RFC 7643 section 3.1). Kept by the engine with each deletion, so that
-- no way of deleting can forget it.
CREATE TABLE deleted_id (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (org, id)
) STRICT, WITHOUT ROWID;

INSERT INTO deleted_id (org, id)
SELECT DISTINCT o.org, o.id FROM outbox o JOIN organization g ON g.id = o.org
WHERE o.kind = 'deleted' AND NOT EXISTS (SELECT 1 FROM resource r WHERE r.org = o.org AND r.id = o.id);

-- Nothing is created any more in an organisation that is being deleted.
CREATE TRIGGER deleted_id_is_kept AFTER DELETE ON resource
WHEN NOT EXISTS (SELECT 1 FROM deletion WHERE org = OLD.org AND resource = 0)
BEGIN
  INSERT INTO deleted_id (org, id) VALUES (OLD.org, OLD.id) ON CONFLICT (org, id) DO NOTHING;
END;
