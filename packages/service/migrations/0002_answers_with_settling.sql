-- The answer is stored by the very statement that moves a call from `reserved` to `settling`: one commit instead of
-- two before money moves. Calls that an older process left in between are given back as if never computed.
UPDATE invocations SET state = 'reserved' WHERE state = 'computed';
ALTER TABLE invocations DROP CONSTRAINT invocations_state_check;
ALTER TABLE invocations ADD CONSTRAINT invocations_state_check
  CHECK (state IN ('reserved', 'settling', 'settled', 'failed', 'unknown', 'void'));
ALTER TABLE invocations DROP CONSTRAINT charged_only_with_answer;
ALTER TABLE invocations ADD CONSTRAINT charged_only_with_answer
  CHECK (state NOT IN ('settling', 'settled') OR result_hash IS NOT NULL);
DROP INDEX invocations_unfinished;
CREATE INDEX invocations_unfinished ON invocations (lease_until) WHERE state IN ('reserved', 'settling', 'unknown');
