import { readSeenHead, type SeenHead } from "@assay/client";

const PLACE = "assay.log-head";

/** The head of the log that this browser saw last. What cannot be read is no memory. */
export function findSeenHead(): SeenHead | undefined {
  try {
    return readSeenHead(JSON.parse(window.localStorage.getItem(PLACE) ?? "null"));
  } catch {
    return undefined;
  }
}

export const keepSeenHead = (head: SeenHead): void =>
  window.localStorage.setItem(PLACE, JSON.stringify(head));

export const forgetSeenHead = (): void => window.localStorage.removeItem(PLACE);
