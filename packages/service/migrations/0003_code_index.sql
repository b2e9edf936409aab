-- The same code at another address is recognised by its hash.
CREATE INDEX fingerprints_by_code ON fingerprints (code_hash) WHERE code_hash IS NOT NULL;
-- Whether an artifact id was ever sold, as a private answer too.
CREATE INDEX invocations_by_artifact ON invocations (artifact_id) WHERE artifact_id IS NOT NULL;
