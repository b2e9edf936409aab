-- What contract.change saw at an address, one row per block, written when the payment for it settles.
CREATE TABLE observations (
  address text NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  -- The answer that recorded it: whoever holds that answer can check this row.
  artifact_id text NOT NULL REFERENCES artifacts (artifact_id),
  -- codeHash, implementation, admin, beacon and paused, each as a reading.
  fields json NOT NULL,
  observed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (address, block_number)
);

-- The first observation of each address; of calls that settle together exactly one makes it.
CREATE TABLE contract_baselines (
  address text PRIMARY KEY,
  block_number bigint NOT NULL,
  FOREIGN KEY (address, block_number) REFERENCES observations (address, block_number)
);
