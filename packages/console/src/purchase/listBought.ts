import type { CapabilityResult } from "@assay/protocol";
import { findInTab, keepInTab } from "../service/keepInTab.js";

/** The record of every purchase of this tab; whole answers are kept only for the last one of each capability. */
export interface BoughtRecord extends Pick<CapabilityResult, "invocationId" | "capabilityId" | "verdict"> {
  readonly evidenceReference: Pick<CapabilityResult["evidenceReference"], "artifactId" | "shareable">;
  readonly computedAtBlock: number;
}

/** Where a tab keeps the answer that was bought last from a capability. */
export const placeOfAnswer = (id: string): string => `assay.answer.${id}`;

export const PLACE_OF_RECORDS = "assay.bought";
const MAX_RECORDS = 50;

/** The purchases of this tab, the newest first. */
export const listBought = (): readonly BoughtRecord[] => findInTab<BoughtRecord[]>(PLACE_OF_RECORDS) ?? [];

export function keepRecord({
  invocationId,
  capabilityId,
  verdict,
  evidenceReference,
  result,
}: CapabilityResult) {
  const { artifactId, shareable } = evidenceReference;
  const record: BoughtRecord = {
    invocationId,
    capabilityId,
    verdict,
    evidenceReference: { artifactId, shareable },
    computedAtBlock: result.computedAtBlock,
  };
  // The same payment sent again returns the same answer.
  const others = listBought().filter((one) => one.invocationId !== invocationId);
  keepInTab(PLACE_OF_RECORDS, [record, ...others].slice(0, MAX_RECORDS));
}
