-- The input hash of a call for the verdict on this obligation: calls keep their input only as a hash, and a decision cites
-- the call. Null for claims that are no obligations.
ALTER TABLE claims ADD COLUMN verdict_input_hash text UNIQUE;
