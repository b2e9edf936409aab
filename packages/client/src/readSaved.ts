import {
  type ArtifactBlock,
  type CapabilityResult,
  capabilityResultSchema,
  hash32Schema,
  NETWORK,
  type Receipt,
  receiptSchema,
  type StateProofs,
  stateProofsSchema,
} from "@assay/protocol";

/** What a result records, from which its verdict can be computed again. */
export interface Evidence {
  readonly block: ArtifactBlock;
  readonly input: Readonly<Record<string, unknown>>;
  readonly readings: Readonly<Record<string, unknown>>;
  readonly findings: unknown;
  readonly rule: { readonly id: string; readonly version: string };
  readonly proofs: StateProofs | null;
  /** Of a private answer. */
  readonly salt: string | undefined;

  /** As the service measured it; undefined in answers that do not state it. */
  readonly blockTimeMs: number | undefined;
}

export interface Saved {
  readonly result: CapabilityResult;
  readonly evidence: Evidence;
  /** Undefined when only the answer was saved. */
  readonly receipt: Receipt | undefined;
}

interface Schema {
  safeParse(value: unknown): {
    error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined;
  };
}

/** Reads `{ answer, receipt }`, or an answer alone. Returns a sentence when the form is wrong. */
export function readSaved(value: unknown): Saved | string {
  const isPair = isRecord(value) && "answer" in value;
  const answer = isPair ? value.answer : value;
  const issue =
    findIssue(capabilityResultSchema, answer, "a capability result") ??
    (isPair ? findIssue(receiptSchema, value.receipt, "a receipt") : undefined);
  if (issue) return issue;
  // The values themselves, not parsed copies: hashes cover fields that this client may not know.
  const result = answer as CapabilityResult;
  const evidence = readEvidence(result.result.evidence);
  if (typeof evidence === "string") return evidence;
  return { result, evidence, receipt: isPair ? (value.receipt as Receipt) : undefined };
}

/** The first thing that is wrong with the form of a value, as a sentence. */
export function findIssue(schema: Schema, value: unknown, what: string): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue && `Not ${what}: ${issue.path.join(".") || "the value"}: ${issue.message}.`;
}

/** The evidence of a result. Returns a sentence when its form is wrong. */
export function readEvidence(recorded: Readonly<Record<string, unknown>>): Evidence | string {
  const { network, block, input, readings, findings, rule, salt } = recorded;
  const proofs = stateProofsSchema.nullable().safeParse(recorded.proofs);
  if (network !== NETWORK) return `result.evidence.network is not ${NETWORK}.`;
  if (!isRecord(input) || !isRecord(readings)) return "result.evidence records no input and readings.";
  if (!isBlock(block)) return "result.evidence.block is not a block.";
  if (!isRule(rule)) return "result.evidence.rule names no rule.";
  if (!proofs.success) return "result.evidence.proofs must be state proofs or null.";
  if (salt !== undefined && typeof salt !== "string") return "result.evidence.salt must be text.";
  const { measuredBlockTimeMs } = isRecord(recorded.validity) ? recorded.validity : {};
  const blockTimeMs = typeof measuredBlockTimeMs === "number" ? measuredBlockTimeMs : undefined;
  return { block, input, readings, findings, rule, proofs: proofs.data, salt, blockTimeMs };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlock(value: unknown): value is ArtifactBlock {
  if (!isRecord(value)) return false;
  const { number, hash, timestamp } = value;
  return (
    Number.isSafeInteger(number) && Number.isSafeInteger(timestamp) && hash32Schema.safeParse(hash).success
  );
}

function isRule(value: unknown): value is Evidence["rule"] {
  return isRecord(value) && typeof value.id === "string" && typeof value.version === "string";
}
