-- Which process counts the nonces of which settling key. The lock itself is an advisory one, which ends with its process; this
-- row says whose it is.
CREATE TABLE settler_leases (
  address text PRIMARY KEY CHECK (address = lower(address)),
  process text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  -- The process is stopping and will let go of the key soon.
  is_ending boolean NOT NULL DEFAULT false
);

-- Each former key's statement that another one follows it, signed by both.
CREATE TABLE key_endorsements (
  previous_signer text PRIMARY KEY CHECK (previous_signer = lower(previous_signer)),
  signer text NOT NULL CHECK (signer = lower(signer) AND signer <> previous_signer),
  statement jsonb NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);
