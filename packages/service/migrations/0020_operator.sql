-- A database that was put back to an earlier moment, and how far the chain was read since for payments that it lacks.
CREATE TABLE restorations (
  restoration_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The moment that the database was put back to.
  state_of timestamptz NOT NULL,
  restored_at timestamptz NOT NULL DEFAULT now(),
  -- Blocks before this one were read and are final; null until the chain was asked.
  next_block bigint,
  -- Set once the chain was read up to its head. Before that no process serves over this database.
  caught_up_at timestamptz,
  -- Set once no payment of a lost call can be delivered any more, and a final block shows all that were.
  finished_at timestamptz,
  -- The log up to here is as it was; what follows may differ from heads that were signed. Null where none was signed since.
  former_log_id text,
  log_size bigint,
  log_root bytea,
  CONSTRAINT whole_break CHECK (num_nulls(former_log_id, log_size, log_root) IN (0, 3))
);

-- Payments that the chain shows and no settled call of this database carried, found after a restoration. What became of one
-- is not written here: it is answered exactly if a settled call has its authorization.
CREATE TABLE recovered_payments (
  authorization_id bytea PRIMARY KEY,
  asset text NOT NULL,
  payer text NOT NULL,
  authorization_nonce text NOT NULL,
  pay_to text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  transaction_hash text NOT NULL,
  block_number bigint NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  -- From here on it buys no answer, because its money goes back.
  refund_began_at timestamptz,
  -- The transaction that brought it back.
  refund_transaction text UNIQUE,
  CONSTRAINT refunded_after_begin CHECK (refund_transaction IS NULL OR refund_began_at IS NOT NULL)
);
CREATE INDEX recovered_payments_by_time ON recovered_payments (found_at);

-- Wallets that the operator serves no more. What they have paid for is still delivered.
CREATE TABLE blocked_wallets (
  wallet text PRIMARY KEY,
  reason text NOT NULL,
  blocked_at timestamptz NOT NULL DEFAULT now()
);
