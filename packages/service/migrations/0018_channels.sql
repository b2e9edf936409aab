-- Payment channels of the x402 scheme batch-settlement. Amounts are atomic units of the channel's token.
CREATE TABLE channels (
  channel_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id text NOT NULL CONSTRAINT one_row_per_channel UNIQUE,
  -- What the id is the hash of.
  config jsonb NOT NULL,
  -- Charged for answers so far. The payer's newest voucher is over exactly this much: its signature is money.
  charged bigint NOT NULL CHECK (charged >= 0),
  voucher_signature bytea,
  -- As the chain last showed it.
  balance bigint NOT NULL CHECK (balance >= 0),
  claimed bigint NOT NULL CHECK (claimed >= 0),
  withdrawing bigint NOT NULL CHECK (withdrawing >= 0),
  -- Unix seconds; 0 while the payer has not asked to withdraw.
  withdraw_requested_at bigint NOT NULL,
  refund_nonce bigint NOT NULL,
  -- On its way back to the payer: sent, or about to be, and gone for us until the chain shows the next refund nonce.
  refunding bigint NOT NULL DEFAULT 0 CHECK (refunding >= 0),
  -- The newest deposit that we brought to the chain, until a final block shows it: a reorganisation may undo it.
  unfinal_deposit jsonb,
  deposited_at timestamptz,
  -- Who works on a call of this channel now, and until when nobody else may.
  busy_by text,
  busy_until timestamptz,
  opened_at timestamptz NOT NULL DEFAULT now(),
  charged_at timestamptz,
  -- When the oldest charge was made that is not claimed.
  unclaimed_since timestamptz,
  checked_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT charged_by_voucher CHECK (charged_at IS NULL OR voucher_signature IS NOT NULL)
);
CREATE INDEX channels_unclaimed ON channels (unclaimed_since) WHERE unclaimed_since IS NOT NULL;
CREATE INDEX channels_unfinal ON channels (deposited_at) WHERE unfinal_deposit IS NOT NULL;
CREATE INDEX channels_to_check ON channels (checked_at) WHERE balance > claimed;

-- Claims of vouchers on chain. A call was claimed by the first one that reaches its ceiling.
CREATE TABLE channel_claims (
  channel_no bigint NOT NULL REFERENCES channels (channel_no),
  claimed bigint NOT NULL,
  -- Null where somebody else sent it, or the process died before it knew.
  transaction_hash text,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  -- Whether a final block shows it.
  is_final boolean NOT NULL DEFAULT false,
  PRIMARY KEY (channel_no, claimed)
);

CREATE INDEX claims_unfinal ON channel_claims (channel_no) WHERE NOT is_final;

-- A call paid by voucher: its channel, how much the channel was charged with it, and the voucher's signature.
ALTER TABLE invocations ADD COLUMN channel_no bigint REFERENCES channels (channel_no);
ALTER TABLE invocations ADD COLUMN voucher_ceiling bigint;
ALTER TABLE invocations ADD COLUMN voucher_signature bytea;
ALTER TABLE invocations ADD CONSTRAINT whole_voucher CHECK (num_nulls(channel_no, voucher_ceiling, voucher_signature) IN (0, 3));
ALTER TABLE invocations DROP CONSTRAINT settled_has_transaction;
ALTER TABLE invocations ADD CONSTRAINT settled_has_transaction CHECK (
  state <> 'settled' OR (settled_at IS NOT NULL AND (packed IS NOT NULL OR transaction_hash IS NOT NULL OR channel_no IS NOT NULL)));

-- One process at a time claims vouchers.
CREATE TABLE channel_work (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  leased_until timestamptz NOT NULL,
  swept_at timestamptz NOT NULL
);
INSERT INTO channel_work (leased_until, swept_at) VALUES (now(), now());
