-- The verdict of a private answer and what it would have cost, for its buyer only: sealed, and deleted after thirty days.
ALTER TABLE invocations ADD COLUMN sealed_outcome bytea;
ALTER TABLE invocations ALTER COLUMN sealed_outcome SET STORAGE EXTERNAL;
CREATE INDEX invocations_outcomes ON invocations (created_at) WHERE sealed_outcome IS NOT NULL;
-- What a wallet bought, newest first. A hash of four bytes keeps the entry of a sale small; the wallet itself is compared too.
CREATE INDEX invocations_by_payer ON invocations (hashtext(payer), settled_at DESC) WHERE state = 'settled';
CREATE INDEX channels_by_payer ON channels (lower(config->>'payer'));
