-- What a payment's digest covers: 1 the authorization and its signature, which the chain shows to everybody; 2 also the
-- accepted offer, which holds a secret of the buyer. Calls from before this migration have version 1.
ALTER TABLE invocations ADD COLUMN digest_version smallint NOT NULL DEFAULT 1;

-- Hash of the ticket that the payment accepted: one ticket starts one call, so that it serves one wallet. Calls that charged
-- nothing give theirs back.
ALTER TABLE invocations ADD COLUMN offer_key text;
CREATE UNIQUE INDEX one_call_per_offer ON invocations (offer_key)
  WHERE offer_key IS NOT NULL AND state NOT IN ('void', 'failed');

-- Whether a payer has paid before, and what else it may still owe, are asked at each call.
CREATE INDEX settled_calls_by_payer ON invocations (payer) WHERE state = 'settled';
CREATE INDEX open_calls_by_payer ON invocations (payer) WHERE state IN ('reserved', 'settling', 'unknown');
