-- One account takes the payments of one database: processes that disagree about it would look for payments in the wrong place.
ALTER TABLE chain_identity ADD COLUMN pay_to text;

-- Settled, and then undone by a reorganisation of the chain that the authorization did not outlive.
ALTER TABLE invocations DROP CONSTRAINT invocations_state_check;
ALTER TABLE invocations ADD CONSTRAINT invocations_state_check
  CHECK (state IN ('reserved', 'computed', 'settling', 'settled', 'failed', 'unknown', 'void', 'reorged'));
-- The transaction that pays since the one in transaction_hash, which the log records, was undone.
ALTER TABLE invocations ADD COLUMN redelivered_by text;

-- What is needed to deliver a payment again, kept from before it is delivered until its block is final. The settlement's
-- calldata shows the same to everybody.
CREATE TABLE unfinal_settlements (
  invocation_id text PRIMARY KEY REFERENCES invocations ON DELETE CASCADE,
  valid_after text NOT NULL,
  signature text NOT NULL,
  next_check timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX unfinal_settlements_due ON unfinal_settlements (next_check);
