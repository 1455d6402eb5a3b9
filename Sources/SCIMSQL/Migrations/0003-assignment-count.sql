-- How many links a resource is the target of under each attribute of the catalogue: all but members. Kept by the engine
-- with the links themselves, so that no way of writing one can forget it.
CREATE TABLE assignment_count (
  org INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  attr INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (org, resource, attr)
) STRICT, WITHOUT ROWID;

INSERT INTO assignment_count (org, resource, attr, count)
SELECT l.org, l.target, l.attr, count(*) FROM link l JOIN attribute a ON a.id = l.attr
WHERE a.path <> 'members' GROUP BY l.org, l.target, l.attr;

CREATE TRIGGER link_is_counted AFTER INSERT ON link
WHEN (SELECT path FROM attribute WHERE id = NEW.attr) <> 'members'
BEGIN
  INSERT INTO assignment_count (org, resource, attr, count) VALUES (NEW.org, NEW.target, NEW.attr, 1)
  ON CONFLICT (org, resource, attr) DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER link_is_not_counted AFTER DELETE ON link
WHEN (SELECT path FROM attribute WHERE id = OLD.attr) <> 'members'
BEGIN
  UPDATE assignment_count SET count = count - 1 WHERE org = OLD.org AND resource = OLD.target AND attr = OLD.attr;
  DELETE FROM assignment_count WHERE org = OLD.org AND resource = OLD.target AND attr = OLD.attr AND count = 0;
END;
