-- Money columns are micro-USD (1 USD = 1,000,000). Addresses are lowercase.

-- Which chain this database speaks of. A database of another chain is refused at start.
CREATE TABLE chain_identity (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  chain_id bigint NOT NULL,
  anchor_block bigint NOT NULL,
  anchor_hash text NOT NULL
);

CREATE TABLE quotes (
  quote_id text PRIMARY KEY,
  capability_id text NOT NULL,
  wallet text NOT NULL,
  input_hash text NOT NULL,
  cache_status text NOT NULL CHECK (cache_status IN ('hit', 'partial', 'miss')),
  list_price_micro_usd bigint NOT NULL CHECK (list_price_micro_usd > 0),
  credit_micro_usd bigint NOT NULL CHECK (credit_micro_usd >= 0),
  price_micro_usd bigint NOT NULL CHECK (price_micro_usd = list_price_micro_usd - credit_micro_usd AND price_micro_usd > 0),
  -- The exact payment requirements offered; a payment must echo them unchanged.
  requirements json NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Set once, by the invocation that used the quote; cleared only if that invocation charged nothing.
  invocation_id text
);
CREATE INDEX quotes_expiry ON quotes (expires_at);

CREATE TABLE invocations (
  invocation_id text PRIMARY KEY,
  capability_id text NOT NULL,
  capability_version text NOT NULL,
  input_hash text NOT NULL,
  state text NOT NULL CHECK (state IN ('reserved', 'computed', 'settling', 'settled', 'failed', 'unknown', 'void')),
  -- Whoever holds the current attempt may advance the state until the lease ends.
  attempt integer NOT NULL DEFAULT 1,
  lease_until timestamptz NOT NULL,
  network text NOT NULL,
  asset text NOT NULL,
  payer text NOT NULL,
  authorization_nonce text NOT NULL,
  -- sha256 of the authorization and its signature: a replay must present the very same payment.
  payment_digest text NOT NULL,
  pay_to text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  valid_before bigint NOT NULL,
  -- Highest block known when the payment was reserved: reconciliation searches from here.
  reserved_at_block bigint NOT NULL,
  quote_id text,
  quoted_status text NOT NULL CHECK (quoted_status IN ('hit', 'partial', 'miss')),
  actual_status text CHECK (actual_status IN ('hit', 'partial', 'miss')),
  list_price_micro_usd bigint NOT NULL,
  credit_micro_usd bigint NOT NULL,
  price_micro_usd bigint NOT NULL,
  -- Account that holds the credit of this call; null when none is held.
  credit_hold text,
  result_hash text,
  artifact_id text,
  transaction_hash text,
  failure text,
  created_at timestamptz NOT NULL DEFAULT now(),
  computed_at timestamptz,
  settled_at timestamptz,
  -- One authorization buys one call, whatever process it reaches.
  CONSTRAINT one_call_per_authorization UNIQUE (network, asset, payer, authorization_nonce),
  CONSTRAINT settled_has_transaction CHECK (state <> 'settled' OR (transaction_hash IS NOT NULL AND settled_at IS NOT NULL)),
  CONSTRAINT charged_only_with_answer CHECK (state NOT IN ('computed', 'settling', 'settled') OR result_hash IS NOT NULL)
);
CREATE INDEX invocations_unfinished ON invocations (lease_until) WHERE state IN ('reserved', 'computed', 'settling', 'unknown');

-- The exact bytes owed to a payment, kept so that a retry gets the same answer.
-- Responses are a few KB of hashes, which do not compress: EXTERNAL spares the attempt.
CREATE TABLE responses (
  invocation_id text PRIMARY KEY REFERENCES invocations (invocation_id),
  body bytea NOT NULL,
  -- What settlement makes public, applied in the settling transaction.
  effects json NOT NULL,
  payment_response text
);
ALTER TABLE responses ALTER COLUMN body SET STORAGE EXTERNAL;

-- Answers that may be reused. A row exists only once somebody's payment for it settled.
CREATE TABLE artifacts (
  artifact_id text PRIMARY KEY,
  capability_id text NOT NULL,
  capability_version text NOT NULL,
  input_hash text NOT NULL,
  input json NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('allow', 'review', 'block')),
  -- The call whose stored response holds the result; its bytes are kept once.
  invocation_id text NOT NULL REFERENCES responses (invocation_id),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_timestamp bigint NOT NULL,
  valid_until_block bigint NOT NULL,
  fresh_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX artifacts_by_input ON artifacts (input_hash, block_number DESC);

CREATE TABLE fingerprints (
  address text PRIMARY KEY,
  code_hash text,
  bytecode_bytes integer NOT NULL CHECK (bytecode_bytes >= 0),
  computed_at_block bigint NOT NULL,
  observed_at timestamptz NOT NULL DEFAULT now()
);

-- Double-entry credits. Every entry moves an amount between two accounts and names its one cause.
CREATE TABLE credit_balances (
  account text PRIMARY KEY,
  balance_micro_usd bigint NOT NULL,
  -- Only issuing accounts (`issue:…`) may owe; a wallet or a reservation never goes below zero.
  CHECK (balance_micro_usd >= 0 OR account LIKE 'issue:%')
);
CREATE TABLE credit_entries (
  entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cause text NOT NULL UNIQUE,
  debit_account text NOT NULL,
  credit_account text NOT NULL CHECK (credit_account <> debit_account),
  amount_micro_usd bigint NOT NULL CHECK (amount_micro_usd > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Counters of the rate limiter, shared by every process; the columns are the limiter library's.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
