-- The evidence market: signed actions, publications, seeders, demand, outcomes, pledges, rollups. Money is micro-USD,
-- wallets are lowercase, days are UTC.

-- One use per wallet, action and nonce within ten minutes; the row commits with what the action caused.
CREATE TABLE action_nonces (
  wallet text NOT NULL,
  action text NOT NULL,
  nonce text NOT NULL,
  -- Unix milliseconds that the wallet signed.
  signed_at_ms bigint NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (wallet, action, nonce)
);
CREATE INDEX action_nonces_by_age ON action_nonces (used_at);

-- The log commits to a credit entry by a salted hash: it can be shown to one person without showing it to all.
ALTER TABLE credit_entries ADD COLUMN salt text NOT NULL DEFAULT gen_random_uuid()::text;
-- Credit is issued to a wallet, held for its call, then redeemed or given back: nothing leads from a wallet to another.
ALTER TABLE credit_entries ADD CONSTRAINT credit_paths CHECK (
  (debit_account LIKE 'issue:%' AND credit_account LIKE 'wallet:%')
  OR (debit_account LIKE 'wallet:%' AND credit_account LIKE 'held:%')
  OR (debit_account LIKE 'held:%' AND (credit_account = 'redeemed' OR credit_account LIKE 'wallet:%')));

-- Who may earn on the reuse of an answer. One row per input; a row past its time, or about other code, is open again.
CREATE TABLE seeds (
  input_hash text PRIMARY KEY,
  capability_id text NOT NULL,
  wallet text NOT NULL,
  source text NOT NULL CHECK (source IN ('publication', 'invocation')),
  -- Of the code that was fingerprinted; null where the answer rests on no code.
  code_hash text,
  cap_micro_usd bigint NOT NULL CHECK (cap_micro_usd >= 0),
  earned_micro_usd bigint NOT NULL DEFAULT 0 CHECK (earned_micro_usd >= 0 AND earned_micro_usd <= cap_micro_usd),
  seeded_at timestamptz NOT NULL DEFAULT now(),
  fresh_until timestamptz NOT NULL
);

-- Work that wallets computed themselves, with what recomputation said of it.
CREATE TABLE publications (
  publication_id text PRIMARY KEY,
  wallet text NOT NULL,
  capability_id text NOT NULL,
  address text NOT NULL,
  bytecode_hash text,
  bytecode_bytes bigint NOT NULL CHECK (bytecode_bytes >= 0),
  computed_at_block bigint NOT NULL CHECK (computed_at_block >= 0),
  audit text NOT NULL CHECK (audit IN ('passed', 'failed', 'unaudited')),
  -- What the chain said at that block.
  observed_hash text,
  observed_bytes bigint,
  block_hash text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  log_index bigint
);
-- A statement that was burned stays burned: it is never audited a second time.
CREATE UNIQUE INDEX publications_burned ON publications
  (wallet, address, computed_at_block, bytecode_bytes, coalesce(bytecode_hash, '')) WHERE audit = 'failed';
CREATE INDEX publications_by_wallet ON publications (wallet, published_at DESC);

-- What a wallet's record adds up to, kept as it happens.
CREATE TABLE publishers (
  wallet text PRIMARY KEY,
  passed bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  unaudited bigint NOT NULL DEFAULT 0,
  seeded bigint NOT NULL DEFAULT 0,
  dividends bigint NOT NULL DEFAULT 0,
  dividend_micro_usd bigint NOT NULL DEFAULT 0,
  reviews bigint NOT NULL DEFAULT 0,
  review_micro_usd bigint NOT NULL DEFAULT 0,
  first_passed_at timestamptz,
  last_failed_at timestamptz
);

-- Inputs that were asked for and that nobody has answered. The row goes when the input is seeded.
CREATE TABLE demand (
  input_hash text PRIMARY KEY,
  capability_id text NOT NULL,
  input json NOT NULL,
  misses bigint NOT NULL CHECK (misses > 0),
  first_miss_at timestamptz NOT NULL DEFAULT now(),
  last_miss_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX demand_ranked ON demand (misses DESC, last_miss_at DESC, input_hash);
CREATE INDEX demand_by_age ON demand (last_miss_at);
CREATE INDEX demand_by_first_miss ON demand (first_miss_at);
-- Whoever asked, as a keyed hash: the same asker counts once an hour.
CREATE UNLOGGED TABLE demand_askers (
  -- An input's hash, or a capability's name.
  subject text NOT NULL,
  hour timestamptz NOT NULL,
  asker bytea NOT NULL,
  PRIMARY KEY (subject, hour, asker)
);
CREATE INDEX demand_askers_by_hour ON demand_askers (hour);

-- Capability names that were asked for or pledged for, without anyone's name.
CREATE TABLE asked_capabilities (
  capability text PRIMARY KEY,
  asks bigint NOT NULL DEFAULT 0,
  pledges bigint NOT NULL DEFAULT 0,
  pledges_honoured bigint NOT NULL DEFAULT 0,
  first_asked_at timestamptz NOT NULL DEFAULT now(),
  last_asked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX asked_capabilities_ranked ON asked_capabilities ((pledges + asks) DESC, last_asked_at DESC, capability);

CREATE TABLE pledges (
  wallet text NOT NULL,
  capability text NOT NULL,
  pledged_at timestamptz NOT NULL DEFAULT now(),
  -- The call that honoured it, once.
  invocation_id text,
  credit_micro_usd bigint,
  PRIMARY KEY (wallet, capability)
);

CREATE TABLE outcomes (
  invocation_id text PRIMARY KEY REFERENCES invocations (invocation_id),
  wallet text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('success', 'failure', 'avoided', 'unknown')),
  note text,
  review_credit_micro_usd bigint NOT NULL CHECK (review_credit_micro_usd >= 0),
  reported_at timestamptz NOT NULL DEFAULT now()
);
-- What a wallet was given for outcomes on one day; the check is the daily bound of 0.05 USD.
CREATE TABLE review_days (
  wallet text NOT NULL,
  day date NOT NULL,
  credited_micro_usd bigint NOT NULL CHECK (credited_micro_usd >= 0 AND credited_micro_usd <= 50000),
  PRIMARY KEY (wallet, day)
);

-- Rollups, kept as calls settle, so that no question about thirty days reads the calls themselves. `is_simulated` is
-- traffic of the embedded chain and of the operator's own wallets.
CREATE TABLE stats_days (
  day date NOT NULL,
  is_simulated boolean NOT NULL,
  capability_id text NOT NULL,
  settled bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  hits bigint NOT NULL DEFAULT 0,
  partials bigint NOT NULL DEFAULT 0,
  misses bigint NOT NULL DEFAULT 0,
  paid_micro_usd bigint NOT NULL DEFAULT 0,
  credit_micro_usd bigint NOT NULL DEFAULT 0,
  dividend_micro_usd bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (day, is_simulated, capability_id)
);
-- How long calls took from reservation to settlement, by power-of-two-like bucket of milliseconds (upper bound).
CREATE TABLE stats_durations (
  day date NOT NULL,
  is_simulated boolean NOT NULL,
  upper_ms integer NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (day, is_simulated, upper_ms)
);
-- One row per paying wallet, and counts of wallets by the day of their last and first call, so that the number of
-- wallets of a month is the sum of thirty rows.
CREATE TABLE stats_wallets (
  wallet text PRIMARY KEY,
  is_simulated boolean NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  has_returned boolean NOT NULL DEFAULT false,
  has_returned_at_full_price boolean NOT NULL DEFAULT false
);
CREATE TABLE stats_last_days (
  day date NOT NULL,
  is_simulated boolean NOT NULL,
  wallets bigint NOT NULL CHECK (wallets >= 0),
  PRIMARY KEY (day, is_simulated)
);
CREATE TABLE stats_cohorts (
  first_day date NOT NULL,
  is_simulated boolean NOT NULL,
  wallets bigint NOT NULL,
  returned bigint NOT NULL DEFAULT 0,
  returned_at_full_price bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (first_day, is_simulated)
);
