-- A private answer is kept only for a retried payment: sealed under a key that takes that payment's signature, and
-- deleted an hour after settlement. Null: deleted.
ALTER TABLE responses ALTER COLUMN body DROP NOT NULL;
ALTER TABLE responses ADD COLUMN is_sealed boolean NOT NULL DEFAULT false;
CREATE INDEX responses_sealed ON responses (invocation_id) WHERE is_sealed AND body IS NOT NULL;
