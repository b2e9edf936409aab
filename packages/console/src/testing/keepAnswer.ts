import type { CapabilityResult } from "@assay/protocol";
import type { Page } from "playwright-core";

/** Puts an answer where a tab keeps the one it bought last from a capability (`purchase/usePurchase`), as if it came now. */
export const keepAnswer = (page: Page, answer: CapabilityResult): Promise<void> =>
  page.evaluate(
    ([place, bought]) =>
      sessionStorage.setItem(place, JSON.stringify({ ...bought, settlement: null, arrivedAtMs: Date.now() })),
    [`assay.answer.${answer.capabilityId}`, { answer }] as const,
  );
