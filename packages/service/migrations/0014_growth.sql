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
