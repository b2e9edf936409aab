import { classifyNodeError, type NodeErrorKind } from "./classifyNodeError.js";
import type { NodeError } from "./rpcAnswer.js";

const PASSING_KINDS: ReadonlySet<NodeErrorKind> = new Set(["unknown_block", "rate_limited", "gateway"]);

/** Reasons of unanswered readings that end by themselves: the same question may be answered a moment later. */
const PASSING: ReadonlySet<string> = new Set([
  "rate_limited",
  "circuit_open",
  "unknown_block",
  "timeout",
  "gateway_error",
  "connection_failed",
  "not_json",
  "no_answer",
  "answered_twice",
  "block_changed",
  "no_chain_id",
]);

/**
 * Whether a reading may be answered when it is asked for again. With several nodes the reason names what each of them did, and
 * one that may answer later is enough.
 */
export const isPassingReason = (reason: string): boolean =>
  reason.split(", ").some((one) => PASSING.has(one) || /^http_(408|425|5\d\d)$/.test(one));

export const isPassingError = (error: NodeError): boolean => PASSING_KINDS.has(classifyNodeError(error));
