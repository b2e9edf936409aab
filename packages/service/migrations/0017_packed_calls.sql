-- What was sold long ago is kept for ever, so it is kept small. An hour after a sale is final nothing searches by most of its
-- columns any more. Where its answer was sold before, they move into one packed value together with what its row in
-- `responses` holds; it is made against the first sale of that answer. Null: not packed.
ALTER TABLE invocations ADD COLUMN packed bytea;
ALTER TABLE invocations ALTER COLUMN packed SET STORAGE EXTERNAL;
-- Names the authorization of a packed call, whose nonce is packed too.
ALTER TABLE invocations ADD COLUMN authorization_id bytea;
DROP INDEX one_call_per_authorization;
CREATE UNIQUE INDEX one_call_per_authorization ON invocations
  ((coalesce(authorization_id, authorization_key(network, asset, payer, authorization_nonce))));
ALTER TABLE invocations
  ALTER COLUMN capability_version DROP NOT NULL,
  ALTER COLUMN input_hash DROP NOT NULL,
  ALTER COLUMN lease_until DROP NOT NULL,
  ALTER COLUMN network DROP NOT NULL,
  ALTER COLUMN asset DROP NOT NULL,
  ALTER COLUMN authorization_nonce DROP NOT NULL,
  ALTER COLUMN payment_digest DROP NOT NULL,
  ALTER COLUMN pay_to DROP NOT NULL,
  ALTER COLUMN valid_before DROP NOT NULL,
  ALTER COLUMN reserved_at_block DROP NOT NULL,
  ALTER COLUMN quoted_status DROP NOT NULL,
  ALTER COLUMN digest_version DROP NOT NULL,
  DROP CONSTRAINT settled_has_transaction,
  DROP CONSTRAINT charged_only_with_answer;
ALTER TABLE invocations ADD CONSTRAINT settled_has_transaction
  CHECK (state <> 'settled' OR (settled_at IS NOT NULL AND (packed IS NOT NULL OR transaction_hash IS NOT NULL)));
ALTER TABLE invocations ADD CONSTRAINT charged_only_with_answer
  CHECK (state NOT IN ('settling', 'settled') OR packed IS NOT NULL OR result_hash IS NOT NULL);
ALTER TABLE invocations ADD CONSTRAINT whole_or_packed CHECK (
  CASE WHEN packed IS NULL
    THEN num_nulls(capability_version, input_hash, lease_until, network, asset, authorization_nonce, payment_digest, pay_to,
      valid_before, reserved_at_block, quoted_status, digest_version) = 0
    ELSE state = 'settled' AND authorization_id IS NOT NULL END);
-- What is still to be packed.
CREATE INDEX responses_to_pack ON responses (invocation_id) WHERE packed_body IS NOT NULL;
-- A row of `responses` that goes is looked for here.
CREATE INDEX artifacts_by_call ON artifacts (invocation_id);

-- 256 leaves in one row, compressed; the nodes below level 8 follow from them. Tiles are filled from the left, and only with
-- leaves that were signed long ago.
CREATE TABLE log_tiles (
  tile bigint PRIMARY KEY,
  leaves bytea NOT NULL
);
ALTER TABLE log_tiles ALTER COLUMN leaves SET STORAGE EXTERNAL;
CREATE TABLE log_packing (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  tiles bigint NOT NULL CHECK (tiles >= 0)
);
INSERT INTO log_packing (tiles) VALUES (0);

-- As before, but leaves of tiles and the nodes inside them have no rows: who calls this checks the tiles.
CREATE OR REPLACE FUNCTION log_find_fault(old_size bigint, new_size bigint) RETURNS text LANGUAGE plpgsql STABLE
SET enable_nestloop = off SET work_mem = '32MB' AS $$
DECLARE
  tile_level constant integer := 8;
  above integer := 1;
  wrong bigint;
  -- From here on leaves have rows.
  rows_from bigint;
  first bigint;
BEGIN
  SELECT greatest(old_size, least(tiles << tile_level, new_size)) INTO STRICT rows_from FROM log_packing;
  SELECT min(place) INTO wrong FROM (
    SELECT generate_series(rows_from, new_size - 1) AS place
    EXCEPT
    SELECT l.leaf_index FROM log_leaves l JOIN log_nodes n ON n.level = 0 AND n.position = l.leaf_index
    WHERE l.leaf_index >= rows_from AND l.leaf_index < new_size AND n.position >= rows_from AND n.position < new_size
      AND n.hash = sha256('\x00'::bytea || l.leaf)) AS faulty;
  IF wrong IS NOT NULL THEN
    RETURN format('leaf %s is lost or differs from its hash', wrong);
  END IF;
  WHILE old_size >> above < new_size >> above LOOP
    first := CASE WHEN above <= tile_level THEN rows_from ELSE old_size END >> above;
    SELECT min(place) INTO wrong FROM (
      SELECT generate_series(first, (new_size >> above) - 1) AS place
      EXCEPT
      SELECT n.position FROM log_nodes n
      JOIN (
        SELECT position / 2 AS parent, string_agg(hash, ''::bytea ORDER BY position) AS children FROM log_nodes
        WHERE level = above - 1 AND position >= first * 2 AND position < (new_size >> above) * 2
        GROUP BY position / 2) AS below ON below.parent = n.position
      WHERE n.level = above AND n.position >= first AND n.position < new_size >> above
        AND n.hash = sha256('\x01'::bytea || below.children)) AS faulty;
    IF wrong IS NOT NULL THEN
      RETURN format('node %s of level %s is lost or differs from the two below it', wrong, above);
    END IF;
    above := above + 1;
  END LOOP;
  RETURN NULL;
END $$;
