import { readSeenHead, type SeenHead } from "@assay/client";
import { dropFromBrowser, findInBrowser, keepInBrowser } from "../service/keepInBrowser.js";

const PLACE = "assay.log-head";

/** The head of the log that this browser saw last; undefined where none was kept or it cannot be parsed. */
export function findSeenHead(): SeenHead | undefined {
  try {
    return readSeenHead(JSON.parse(findInBrowser(PLACE) ?? "null"));
  } catch {
    return undefined;
  }
}

export const keepSeenHead = (head: SeenHead): void => keepInBrowser(PLACE, JSON.stringify(head));

export const forgetSeenHead = (): void => dropFromBrowser(PLACE);
