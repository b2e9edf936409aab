import { capabilities } from "@assay/client";
import type { CapabilityResult, Receipt } from "@assay/protocol";
import { importWithRetry } from "../routing/importWithRetry.js";

export interface RecordedAnswer {
  readonly answer: CapabilityResult;
  readonly receipt: Receipt;
}

interface Recorded {
  /** The capability, and what distinguishes it from others of the same. */
  readonly name: string;
  readonly capabilityId: string;
  load(): Promise<RecordedAnswer>;
}

/**
 * Answers that a real service sold on its local chain, which the client's tests keep byte for byte. Each is a file of its own here,
 * loaded when it is opened.
 */
const files = import.meta.glob<RecordedAnswer>(
  ["../../../client/src/testing/saved/*.json", "!**/assay.json"],
  { import: "default" },
);

export const recordedAnswers: readonly Recorded[] = Object.entries(files).flatMap(([path, load]) => {
  const name = path.replace(/^.*\//, "").replace(/\.json$/, "");
  const capability = capabilities.find(({ id }) => name === id || name.startsWith(`${id}.`));
  return capability ? [{ name, capabilityId: capability.id, load: () => importWithRetry(load) }] : [];
});

export const findRecorded = (name: string) => recordedAnswers.find((one) => one.name === name);
