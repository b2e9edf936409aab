import type { Assertion, Hex } from "@assay/protocol";
import { holdsAt, type ObservedSubjectState } from "../shared/claims/judgeChallenge.js";
import { resolveNamed } from "../shared/claims/resolveAtBlock.js";
import type { SubjectObservation } from "./readings.js";

/** What the chain shows about an obligation at one block. */
export interface JudgedObservation {
  readonly block: number;
  readonly blockHash: Hex | null;
  /** Null where it is not known. */
  readonly observed: ObservedSubjectState | null;
  readonly state: "holds" | "contradicted" | "unread" | "undetermined";
  /** What was not read, or what the chain leaves open. */
  readonly missing: string | null;
}

export function judgeObservation(assertion: Assertion, observation: SubjectObservation): JudgedObservation {
  const at = {
    block: observation.number,
    blockHash: observation.hash.status === "value" ? observation.hash.value : null,
  };
  if (at.blockHash === null) return { ...at, observed: null, state: "unread", missing: "the block" };
  const seen = assertion.type === "bytecode" ? observeCode(observation) : observeImplementation(observation);
  if ("missing" in seen) return { ...at, observed: null, ...seen };
  return { ...at, observed: seen, state: holdsAt(assertion, seen) ? "holds" : "contradicted", missing: null };
}

type Unknown = { readonly state: "unread" | "undetermined"; readonly missing: string };

function observeCode({ code }: SubjectObservation): ObservedSubjectState | Unknown {
  if (code.status === "absent") return { bytecodeHash: null, bytecodeBytes: 0 };
  if (code.status !== "value") return { state: "unread", missing: "the code" };
  return { bytecodeHash: code.value.codeHash, bytecodeBytes: code.value.bytecodeBytes };
}

function observeImplementation(observation: SubjectObservation): ObservedSubjectState | Unknown {
  const resolution = resolveNamed(observation);
  if (resolution.status === "resolved") return { implementation: resolution.implementation };
  const state = resolution.status === "unanswered" ? "unread" : "undetermined";
  return { state, missing: resolution.missing };
}
