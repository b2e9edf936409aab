-- Function selectors found in bytecode: true of the code and the scanner, whatever the address. Written when the
-- payment that caused the scan settles.
CREATE TABLE interface_scans (
  code_hash text NOT NULL,
  scanner text NOT NULL,
  selectors text[] NOT NULL,
  scanned_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (code_hash, scanner)
);
