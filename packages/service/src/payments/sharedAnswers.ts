import { timingSafeEqual } from "node:crypto";
import { findCapability } from "@assay/capabilities";
import {
  type CapabilityResult,
  capabilityResultSchema,
  SHARE_KEY_PATTERN,
  shareKeyOf,
} from "@assay/protocol";
import type { Database } from "../store/database.js";
import { findInvocation } from "./invocations.js";
import { getStoredResponse } from "./storedResponses.js";

export interface SharedAnswer {
  readonly answer: CapabilityResult;
  /** The exact bytes that were sold. */
  readonly body: Buffer;
}

/**
 * The answer that a link names, for anybody who has the link. Undefined for a private answer, one that is not paid, and a key
 * that does not follow from the answer's own signature: who made the link holds the answer.
 */
export async function findSharedAnswer(
  database: Database,
  invocationId: string,
  key: string,
): Promise<SharedAnswer | undefined> {
  if (!SHARE_KEY_PATTERN.test(key)) return undefined;
  const invocation = await findInvocation(database, invocationId);
  if (invocation?.state !== "settled") return undefined;
  if (findCapability(invocation.capabilityId)?.reuse !== "shared") return undefined;
  const { body, isSealed } = await getStoredResponse(database, invocationId);
  if (body === null || isSealed) return undefined;
  const answer = capabilityResultSchema.parse(JSON.parse(body.toString("utf8")));
  const expected = shareKeyOf(answer.evidenceReference.signature);
  return timingSafeEqual(Buffer.from(key), Buffer.from(expected)) ? { answer, body } : undefined;
}
