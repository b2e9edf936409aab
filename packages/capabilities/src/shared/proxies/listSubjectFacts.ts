import type { Hex } from "@assay/protocol";
import type { ProvableAccount } from "../proofs/provableFact.js";
import { describeAccount } from "./describeAccount.js";
import type { SubjectReadings } from "./subjectReadings.js";

/** Code and slots read directly. What calls answered, a beacon's implementation and owners included, no proof can show. */
export function listSubjectFacts(
  address: Hex,
  { code, slots, followed, controllers }: SubjectReadings,
): ProvableAccount[] {
  const withoutSlots = controllers.map((controller) => ({ ...controller, slots: {} }));
  return [{ address, code, slots }, ...followed, ...withoutSlots].map(describeAccount);
}
