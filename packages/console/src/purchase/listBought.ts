import { type CapabilityResult, capabilityCatalog } from "@assay/protocol";
import { findInTab } from "../service/keepInTab.js";

/** Where a tab keeps the answer that was bought last from a capability. */
export const placeOfAnswer = (id: string): string => `assay.answer.${id}`;

/** What this tab has bought, the last of each capability. */
export const listBought = (): CapabilityResult[] =>
  capabilityCatalog.flatMap(({ id }) => {
    const kept = findInTab<{ readonly answer?: CapabilityResult }>(placeOfAnswer(id));
    return kept?.answer ? [kept.answer] : [];
  });
