-- Append-only log (RFC 6962). Leaves are the exact bytes that are hashed; nodes are the roots of complete subtrees,
-- leaves being level 0, so that an append and a proof touch a number of rows logarithmic in the size.

-- One row, updated by every append: room on its page lets the update stay there.
CREATE TABLE log_head (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  size bigint NOT NULL CHECK (size >= 0),
  -- Tells this log from any other that was ever begun under the same key.
  log_id text NOT NULL DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)
) WITH (fillfactor = 10);
INSERT INTO log_head (size) VALUES (0);

CREATE TABLE log_leaves (
  leaf_index bigint PRIMARY KEY,
  kind text NOT NULL,
  leaf bytea NOT NULL
);

-- `position` counts the subtrees of 2^level leaves from the left.
CREATE TABLE log_nodes (
  level smallint NOT NULL,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (level, position)
);

-- Every head that was signed. A new one is signed only if the tree still begins with the last of these.
CREATE TABLE log_checkpoints (
  size bigint PRIMARY KEY,
  root bytea NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Where the next audit begins, and what was last found wrong. While `fault` is set, nothing is signed.
CREATE TABLE log_audit (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  next_leaf bigint NOT NULL,
  fault text
);
INSERT INTO log_audit (next_leaf) VALUES (0);

-- Makes the nodes that growing from `old_size` to `new_size` leaves completes. Where rows were lost, the nodes above
-- them stay out: a damaged log must not stop a settlement. Once the rows are back, calling this from 0 fills the gaps.
CREATE FUNCTION log_complete_nodes(old_size bigint, new_size bigint) RETURNS void LANGUAGE plpgsql
-- The plan is kept for the connection, which may have seen the table when it was empty.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  above integer := 1;
BEGIN
  INSERT INTO log_nodes (level, position, hash)
    SELECT 0, leaf_index, sha256('\x00'::bytea || leaf) FROM log_leaves
    WHERE leaf_index >= old_size AND leaf_index < new_size
    ON CONFLICT DO NOTHING;
  WHILE old_size >> above < new_size >> above LOOP
    INSERT INTO log_nodes (level, position, hash)
      SELECT above, l.position / 2, sha256('\x01'::bytea || l.hash || r.hash)
      FROM log_nodes l JOIN log_nodes r ON r.level = above - 1 AND r.position = l.position + 1
      WHERE l.level = above - 1 AND l.position % 2 = 0
        AND l.position >= (old_size >> above) * 2 AND l.position < (new_size >> above) * 2
      ON CONFLICT DO NOTHING;
    above := above + 1;
  END LOOP;
END $$;

-- Appends leaves in their order and returns the index of the first. The head stays locked until the surrounding
-- transaction ends, so leaves are numbered in commit order and one that is rolled back leaves no gap.
CREATE FUNCTION log_append(kinds text[], leaves bytea[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  new_size bigint;
  old_size bigint;
BEGIN
  UPDATE log_head SET size = size + cardinality(leaves) RETURNING size INTO STRICT new_size;
  old_size := new_size - cardinality(leaves);
  INSERT INTO log_leaves (leaf_index, kind, leaf)
    SELECT old_size + place - 1, kind, leaf
    FROM unnest(kinds, leaves) WITH ORDINALITY AS given (kind, leaf, place);
  PERFORM log_complete_nodes(old_size, new_size);
  RETURN old_size;
END $$;

-- Hashes anew the leaves from `old_size` to before `new_size` and every node that they complete, and says which is
-- the first that is lost or differs from what it is made of; null when all are right.
CREATE FUNCTION log_find_fault(old_size bigint, new_size bigint) RETURNS text LANGUAGE plpgsql STABLE
-- Whole ranges are read at once; without statistics the planner takes them for a few rows and goes one by one.
SET enable_nestloop = off SET work_mem = '32MB' AS $$
DECLARE
  above integer := 1;
  wrong bigint;
BEGIN
  SELECT min(place) INTO wrong FROM (
    SELECT generate_series(old_size, new_size - 1) AS place
    EXCEPT
    SELECT l.leaf_index FROM log_leaves l JOIN log_nodes n ON n.level = 0 AND n.position = l.leaf_index
    WHERE l.leaf_index >= old_size AND l.leaf_index < new_size AND n.position >= old_size AND n.position < new_size
      AND n.hash = sha256('\x00'::bytea || l.leaf)) AS faulty;
  IF wrong IS NOT NULL THEN
    RETURN format('leaf %s is lost or differs from its hash', wrong);
  END IF;
  WHILE old_size >> above < new_size >> above LOOP
    SELECT min(place) INTO wrong FROM (
      SELECT generate_series(old_size >> above, (new_size >> above) - 1) AS place
      EXCEPT
      SELECT n.position FROM log_nodes n
      JOIN (
        SELECT position / 2 AS parent, string_agg(hash, ''::bytea ORDER BY position) AS children FROM log_nodes
        WHERE level = above - 1 AND position >= (old_size >> above) * 2 AND position < (new_size >> above) * 2
        GROUP BY position / 2) AS below ON below.parent = n.position
      WHERE n.level = above AND n.position >= old_size >> above AND n.position < new_size >> above
        AND n.hash = sha256('\x01'::bytea || below.children)) AS faulty;
    IF wrong IS NOT NULL THEN
      RETURN format('node %s of level %s is lost or differs from the two below it', wrong, above);
    END IF;
    above := above + 1;
  END LOOP;
  RETURN NULL;
END $$;

-- Null until settled, and for calls settled before there was a log.
ALTER TABLE invocations ADD COLUMN log_index bigint;
