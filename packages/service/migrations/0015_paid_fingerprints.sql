-- Code whose fingerprint was part of a paid answer, by the capability that was paid for. It makes later answers `partial`. A
-- fingerprint that was published for nothing has a seeder and stands in `fingerprints`, but lowers no price.
CREATE TABLE paid_fingerprints (
  address text NOT NULL,
  capability_id text NOT NULL,
  -- keccak256 of the code; null for an account without code.
  code_hash text,
  computed_at_block bigint NOT NULL,
  paid_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (address, capability_id)
);
-- The same code at another address is recognised by its hash.
CREATE INDEX paid_fingerprints_by_code ON paid_fingerprints (code_hash, capability_id) WHERE code_hash IS NOT NULL;
CREATE INDEX paid_fingerprints_by_age ON paid_fingerprints (paid_at);

-- What was sold before: answers at the fingerprint's block or later were about the code that it names.
INSERT INTO paid_fingerprints (address, capability_id, code_hash, computed_at_block, paid_at)
SELECT f.address, a.capability_id, f.code_hash, max(a.block_number), max(a.created_at)
FROM artifacts a JOIN fingerprints f ON f.address = lower(a.input->>'address')
WHERE a.block_number >= f.computed_at_block
GROUP BY f.address, a.capability_id;
