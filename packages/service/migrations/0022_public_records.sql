-- What the pages of records show: how each minute of thirty days went, claims that are resolved, verdicts by day.

-- One row per minute in which a process asked the parts of the service; a minute without a row is one in which none ran.
CREATE TABLE health_minutes (
  minute timestamptz PRIMARY KEY,
  checks integer NOT NULL,
  ready integer NOT NULL,
  -- Names of the parts that failed in it.
  failed text[] NOT NULL DEFAULT '{}'
);

CREATE INDEX claims_resolved ON claims (resolved_at DESC, claim_id) WHERE status <> 'open';
-- For searches of the log.
CREATE INDEX claims_by_address ON claims (address);
CREATE INDEX publications_by_address ON publications (address);

-- Verdicts of shared answers; those of private answers are their buyers' alone and are counted nowhere.
ALTER TABLE stats_days ADD COLUMN allowed bigint NOT NULL DEFAULT 0;
ALTER TABLE stats_days ADD COLUMN reviewed bigint NOT NULL DEFAULT 0;
ALTER TABLE stats_days ADD COLUMN blocked bigint NOT NULL DEFAULT 0;
