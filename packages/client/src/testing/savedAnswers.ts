import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CapabilityResult, Receipt, ServiceDescription } from "@assay/protocol";

// Answers of an earlier version, kept byte for byte: what was sold then must always verify. Never record them again.
const folder = join(import.meta.dirname, "saved");
const KEYS_FILE = "assay.json";
const read = (name: string) => readFileSync(join(folder, name), "utf8");

export interface SavedAnswer {
  readonly answer: CapabilityResult;
  readonly receipt: Receipt;
}

/** Names of the files; each begins with the id of its capability. */
export const savedNames: readonly string[] = readdirSync(folder)
  .filter((name) => name !== KEYS_FILE)
  .sort();

export const readSavedText = read;
export const readSavedAnswer = (name: string): SavedAnswer => JSON.parse(read(name));

const { signingAddress, log } = JSON.parse(read(KEYS_FILE)) as ServiceDescription;

/** The keys that the service had when it gave these answers. */
export const savedKeys = { signer: signingAddress, logKey: log.publicKey } as const;
