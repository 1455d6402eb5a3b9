-- What an organisation may choose: whether groups may share a name and resources an externalId, and what
-- ServiceProviderConfig shows beyond RFC 7643.
ALTER TABLE organization ADD COLUMN group_names TEXT NOT NULL DEFAULT 'unique';
ALTER TABLE organization ADD COLUMN external_ids TEXT NOT NULL DEFAULT 'free';
ALTER TABLE organization ADD COLUMN announced TEXT NOT NULL DEFAULT 'pagination';
-- An externalId was unique before.
DELETE FROM unique_key WHERE attr IN (SELECT id FROM attribute WHERE path = 'externalId');
