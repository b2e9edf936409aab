import { checkLogHead, type LogCheck, type SeenHead } from "@assay/client";
import { assay } from "../service/assay.js";
import { findSeenHead, keepSeenHead } from "./seenHead.js";

export interface LogObservation {
  readonly check: LogCheck;
  /** The head that this browser remembered before. */
  readonly seen: SeenHead | undefined;
  /** As the service returned it. */
  readonly checkpoint: string;
}

/** Compares the log's head with the one this browser saw last, and remembers it if it can be trusted. */
export async function checkLog(knownKey: string | undefined): Promise<LogObservation> {
  const seen = findSeenHead();
  let checkpoint = "";
  const logCheckpoint = async () => {
    checkpoint = await assay.logCheckpoint();
    return checkpoint;
  };
  const check = refuseOtherKey(await checkLogHead({ ...assay, logCheckpoint }, seen), seen, knownKey);
  if (check.head) keepSeenHead(check.head);
  return { check, seen, checkpoint };
}

/** A log under another key proves nothing about the one that was seen, and must not take its place. */
function refuseOtherKey(check: LogCheck, seen: SeenHead | undefined, knownKey: string | undefined): LogCheck {
  const { head } = check;
  if (!head) return check;
  const refuse = (detail: string): LogCheck => ({ ok: false, detail, head: undefined });
  if (seen && (seen.publicKey !== head.publicKey || seen.origin !== head.origin))
    return refuse(`The log was signed by ${seen.publicKey} when last seen, and now by ${head.publicKey}.`);
  return knownKey !== undefined && knownKey !== head.publicKey
    ? refuse(`The log is signed by ${head.publicKey}, and this browser knows ${knownKey}.`)
    : check;
}
