-- An experiment signal: how many installations asked for a reference to an artifact on a day, and through which
-- channel. An installation leaves only a hash, keyed, of itself with the artifact and the day: rows of one
-- installation cannot be told to belong together, and nothing here names a wallet.
CREATE TABLE evidence_receivers (
  artifact_id text NOT NULL REFERENCES artifacts (artifact_id),
  -- UTC.
  day date NOT NULL,
  receiver_hash bytea NOT NULL,
  PRIMARY KEY (artifact_id, day, receiver_hash)
);
-- What outlives its day is deleted; the counts remain.
CREATE INDEX evidence_receivers_by_day ON evidence_receivers (day);

CREATE TABLE evidence_receiver_counts (
  artifact_id text NOT NULL REFERENCES artifacts (artifact_id),
  day date NOT NULL,
  -- As the first request of each installation named it; empty when it named none.
  channel text NOT NULL,
  receivers bigint NOT NULL CHECK (receivers > 0),
  PRIMARY KEY (artifact_id, day, channel)
);
