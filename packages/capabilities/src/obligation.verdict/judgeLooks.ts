import type { Assertion, Hex } from "@assay/protocol";
import { holdsAt, type ObservedSubjectState } from "../shared/claims/judgeChallenge.js";
import { resolveNamed } from "../shared/claims/resolveAtBlock.js";
import type { ObligationLook } from "./readings.js";

/** What the chain says of an obligation at one block. */
export interface JudgedLook {
  readonly block: number;
  readonly blockHash: Hex | null;
  /** Null where it is not known. */
  readonly observed: ObservedSubjectState | null;
  readonly state: "holds" | "contradicted" | "unread" | "undetermined";
  /** What was not read, or what the chain leaves open. */
  readonly missing: string | null;
}

export function judgeLook(assertion: Assertion, look: ObligationLook): JudgedLook {
  const at = { block: look.number, blockHash: look.hash.status === "value" ? look.hash.value : null };
  if (at.blockHash === null) return { ...at, observed: null, state: "unread", missing: "the block" };
  const seen = assertion.type === "bytecode" ? observeCode(look) : observeImplementation(look);
  if ("missing" in seen) return { ...at, observed: null, ...seen };
  return { ...at, observed: seen, state: holdsAt(assertion, seen) ? "holds" : "contradicted", missing: null };
}

type Unknown = { readonly state: "unread" | "undetermined"; readonly missing: string };

function observeCode({ code }: ObligationLook): ObservedSubjectState | Unknown {
  if (code.status === "absent") return { bytecodeHash: null, bytecodeBytes: 0 };
  if (code.status !== "value") return { state: "unread", missing: "the code" };
  return { bytecodeHash: code.value.codeHash, bytecodeBytes: code.value.bytecodeBytes };
}

function observeImplementation(look: ObligationLook): ObservedSubjectState | Unknown {
  const resolution = resolveNamed(look);
  if (resolution.status === "resolved") return { implementation: resolution.implementation };
  const state = resolution.status === "unanswered" ? "unread" : "undetermined";
  return { state, missing: resolution.missing };
}
