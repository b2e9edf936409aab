import type { SeenHead } from "@assay/client";
import { hash32Schema } from "@assay/protocol";

const PLACE = "assay.log-head";

/** The head of the log that this browser saw last. What cannot be read is no memory. */
export function findSeenHead(): SeenHead | undefined {
  try {
    const head = JSON.parse(window.localStorage.getItem(PLACE) ?? "null") as SeenHead | null;
    const isHead =
      typeof head?.origin === "string" &&
      typeof head.publicKey === "string" &&
      Number.isSafeInteger(head.size) &&
      hash32Schema.safeParse(head.root).success;
    return isHead ? head : undefined;
  } catch {
    return undefined;
  }
}

export const keepSeenHead = (head: SeenHead): void =>
  window.localStorage.setItem(PLACE, JSON.stringify(head));

export const forgetSeenHead = (): void => window.localStorage.removeItem(PLACE);
