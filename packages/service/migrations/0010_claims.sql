-- Claims: assertions about the chain that anyone may contradict. Obligations are claims that the service itself makes.
CREATE TABLE claims (
  claim_id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('claim', 'obligation')),
  type text NOT NULL CHECK (type IN ('upgrade_window', 'bytecode')),
  -- The canonical claim, whose keccak256 is the id: everything that was asserted, in one text.
  canonical text NOT NULL,
  address text NOT NULL,
  from_block bigint NOT NULL,
  to_block bigint NOT NULL CHECK (from_block <= to_block),
  opener text NOT NULL,
  reward_micro_usd bigint NOT NULL CHECK (reward_micro_usd >= 0),
  deadline timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'falsified', 'survived')),
  -- The exact bytes that the survival hash is taken over, fixed at opening; null where survival would mean nothing.
  receipt bytea,
  survival_hash text,
  opened_at timestamptz NOT NULL DEFAULT now(),
  opened_at_block bigint NOT NULL,
  resolved_at timestamptz,
  -- The challenge that falsified it.
  challenge_id text,
  -- The paid call that opened it; null for obligations.
  invocation_id text UNIQUE REFERENCES invocations (invocation_id),
  log_index bigint,
  -- Of the line of an operator's list that it came from, for obligations on a schedule.
  list_key text,
  breadcrumb text NOT NULL DEFAULT 'off' CHECK (breadcrumb IN ('off', 'due', 'sending', 'sent', 'failed')),
  breadcrumb_transaction text,
  -- The signed transaction, kept before it is sent: whoever takes over sends the same one.
  breadcrumb_raw text,
  breadcrumb_attempts integer NOT NULL DEFAULT 0,
  breadcrumb_lease_until timestamptz,
  CONSTRAINT resolved_has_time CHECK ((status = 'open') = (resolved_at IS NULL)),
  CONSTRAINT falsified_by_challenge CHECK ((status = 'falsified') = (challenge_id IS NOT NULL)),
  CONSTRAINT receipt_has_hash CHECK ((receipt IS NULL) = (survival_hash IS NULL))
);
CREATE INDEX claims_feed ON claims (opened_at DESC, claim_id) WHERE status = 'open';
CREATE INDEX claims_due ON claims (deadline) WHERE status = 'open';
CREATE INDEX claims_breadcrumbs ON claims (opened_at) WHERE breadcrumb IN ('due', 'sending');
-- One at a time, so that the next nonce of the account that sends them is known.
CREATE UNIQUE INDEX claims_breadcrumb_under_way ON claims (breadcrumb) WHERE breadcrumb = 'sending';
-- One obligation of a scheduled line at a time.
CREATE UNIQUE INDEX claims_by_list_key ON claims (list_key, to_block) WHERE list_key IS NOT NULL;

CREATE TABLE challenges (
  challenge_id text PRIMARY KEY,
  claim_id text NOT NULL REFERENCES claims (claim_id),
  wallet text NOT NULL,
  -- The evidence as it was signed, text for text.
  evidence text NOT NULL,
  resolution text NOT NULL CHECK (resolution IN ('counterexample_valid', 'claim_correct', 'invalid_evidence')),
  -- What the chain said at the evidence block.
  observed json NOT NULL,
  submitted_at timestamptz NOT NULL DEFAULT now(),
  log_index bigint
);
CREATE INDEX challenges_by_claim ON challenges (claim_id, submitted_at DESC);
-- Of the challenges to one claim at most one is the counterexample.
CREATE UNIQUE INDEX challenges_winner ON challenges (claim_id) WHERE resolution = 'counterexample_valid';

-- What a consumer says it did with a verdict on an obligation: once per call, and it blocks nothing.
CREATE TABLE obligation_decisions (
  invocation_id text PRIMARY KEY REFERENCES invocations (invocation_id),
  wallet text NOT NULL,
  obligation_id text NOT NULL REFERENCES claims (claim_id),
  decision text NOT NULL CHECK (decision IN ('accepted', 'rejected', 'escalated')),
  decided_at timestamptz NOT NULL DEFAULT now(),
  log_index bigint
);
