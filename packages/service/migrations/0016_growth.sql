-- An answer that was sold before is kept once: a later sale keeps only what differs from the first one, whose bytes the
-- artifact names. Exactly one of `body` and `packed_body` holds an answer; both are null once a private one was deleted.
ALTER TABLE responses ADD COLUMN packed_body bytea;
-- Takes the place of `payment_response`, packed against words that every one of them has.
ALTER TABLE responses ADD COLUMN packed_payment_response bytea;
-- What is packed already is not compressed again.
ALTER TABLE responses ALTER COLUMN packed_body SET STORAGE EXTERNAL;
ALTER TABLE responses ALTER COLUMN packed_payment_response SET STORAGE EXTERNAL;

-- Names an authorization in 16 bytes instead of 170: the index on it is the largest of all.
CREATE FUNCTION authorization_key(network text, asset text, payer text, nonce text) RETURNS bytea LANGUAGE sql
IMMUTABLE STRICT PARALLEL SAFE
RETURN substr(sha256(convert_to(network || ' ' || asset || ' ' || payer || ' ' || nonce, 'UTF8')), 1, 16);
ALTER TABLE invocations DROP CONSTRAINT one_call_per_authorization;
CREATE UNIQUE INDEX one_call_per_authorization ON invocations
  (authorization_key(network, asset, payer, authorization_nonce));

-- Calls that charged nothing are deleted some time after their payment could still have been used.
CREATE INDEX uncharged_calls_by_validity ON invocations (valid_before) WHERE state IN ('void', 'failed');
-- A publication enters the log when somebody first pays for its use; until then it has no place there and is deleted in time.
CREATE INDEX publications_unused ON publications (published_at) WHERE log_index IS NULL;
CREATE INDEX pledges_open ON pledges (pledged_at) WHERE invocation_id IS NULL;

-- Only work about code attests a wallet: that an address is empty costs nothing to say.
ALTER TABLE publishers ADD COLUMN passed_with_code bigint NOT NULL DEFAULT 0;
UPDATE publishers p SET passed_with_code = (
  SELECT count(*) FROM publications o WHERE o.wallet = p.wallet AND o.audit = 'passed' AND o.bytecode_hash IS NOT NULL);

-- What one caller asks about is nobody else's business while it may still act on it. A question is listed once a second
-- caller asked in the same hour, or once it was sold before; otherwise only long after it was last asked.
ALTER TABLE demand ADD COLUMN hour timestamptz;
ALTER TABLE demand ADD COLUMN askers bigint NOT NULL DEFAULT 0;
ALTER TABLE demand ADD COLUMN listed_at timestamptz;
DROP INDEX demand_ranked;
CREATE INDEX demand_ranked ON demand ((listed_at IS NULL), misses DESC, last_miss_at DESC, input_hash);
