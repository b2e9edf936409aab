-- What a payer calls its purchase (x402 extension payment-identifier): one identifier buys one call, so that a payer who
-- signs anew after a lost answer is told so instead of being charged twice. Calls that charged nothing give theirs back.
ALTER TABLE invocations ADD COLUMN payment_identifier text;
CREATE UNIQUE INDEX one_call_per_identifier ON invocations (payer, payment_identifier)
  WHERE payment_identifier IS NOT NULL AND state NOT IN ('void', 'failed');

-- EIP-712 hash of the x402 receipt (extension offer-receipt) given out with the answer.
ALTER TABLE invocations ADD COLUMN x402_receipt_hash text;
