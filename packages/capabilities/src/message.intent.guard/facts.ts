import { listTransactionIntentFacts } from "../shared/intents/listTransactionFacts.js";
import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { MessageIntentInput } from "./input.js";
import type { MessageIntentReadings } from "./readings.js";
import { readMessage } from "./readMessage.js";

/** The code of every account concerned, and the slots of what the run calls. No proof can show what calls answered. */
export function listMessageIntentFacts(
  input: MessageIntentInput,
  { parties, run, venues }: MessageIntentReadings,
): ProvableAccount[] {
  const meaning = readMessage(input, venues);
  const ofRun = meaning.run && run ? listTransactionIntentFacts(meaning.run.judged, run) : [];
  const listed = new Set(ofRun.map(({ address }) => address));
  return [
    ...ofRun,
    ...parties
      .filter(({ address }) => !listed.has(address))
      .map(({ address, code }) => describeAccount({ address, code, slots: {} })),
  ];
}
