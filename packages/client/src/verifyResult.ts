import {
  type CapabilityId,
  type Evaluation,
  findCapability,
  type ProvableAccount,
  proofLimitations,
  verifyFacts,
} from "@assay/capabilities";
import {
  type ArtifactBlock,
  type CapabilityResult,
  canonicalJson,
  type Hex,
  inputHashOf,
  openStateProofs,
  resultHashOf,
  type StateProofs,
} from "@assay/protocol";
import type { CapabilityArguments } from "./capabilityArguments.js";
import { checkLogInclusion } from "./checkLogInclusion.js";
import { checkStatement } from "./checkStatement.js";
import { findContradiction } from "./findContradiction.js";
import { findOtherQuestion } from "./findOtherQuestion.js";
import { type JudgedAnswer, readRefreshed } from "./readRefreshed.js";
import { type Evidence, isRecord, readSaved, type Saved } from "./readSaved.js";
import { recomputeArtifactId } from "./recomputeArtifactId.js";
import { findReevaluation, type Reevaluation } from "./reevaluate.js";
import { fail, leaveOut, pass, type Verification, type VerificationStep } from "./verification.js";

export interface VerifyOptions {
  /** The address the service is known to sign with (the catalog's `signingAddress`). */
  readonly signer?: Hex | undefined;
  /**
   * The key the service's log is known to sign with, in base64 (`log.publicKey` of `/.well-known/assay.json`). Given,
   * an answer without a receipt in that log is refused.
   */
  readonly logKey?: string | undefined;
  /**
   * What was asked, of which capability: the same input fits several. Given, an answer to any other question is refused.
   */
  readonly question?: Question | undefined;
  /**
   * The chain's newest block, from a node of the caller's own. Given, an answer that no longer holds is refused. Mind that
   * viem's `getBlockNumber` keeps its answer for a while unless asked with `cacheTime: 0`.
   */
  readonly headBlock?: number | bigint | undefined;
}

/** A capability and what it was asked. */
export type Question = {
  readonly [Id in CapabilityId]: { readonly capabilityId: Id; readonly input: CapabilityArguments<Id> };
}[CapabilityId];

/** How far a caller's node may be behind the service's. Blocks; on Base a few seconds to two minutes, by its block time. */
const MAX_NODE_LAG_BLOCKS = 64;

/**
 * Checks an answer offline, alone or as `{ answer, receipt }`, in order: its form and that what it says twice it says
 * alike, that it answers what was asked, that it speaks of one block and still holds, every hash recomputed from what is
 * recorded, the signature over those hashes, the verdict reached again from the recorded readings, those readings proven
 * to the block's own hash, and the receipt found in the service's log. Every step is tried; only a broken form ends it
 * early.
 */
export async function verifyResult(value: unknown, options: VerifyOptions = {}): Promise<Verification> {
  const saved = readSaved(value);
  if (typeof saved === "string") return { ok: false, steps: [fail("shape", saved)] };
  const { result, evidence, receipt } = saved;
  const { capabilityId, capabilityVersion } = result;
  const steps: VerificationStep[] = [
    checkShape(saved),
    ...(options.question === undefined ? [] : [checkQuestion(result, options.question)]),
    checkBlock(result, evidence),
    ...(options.headBlock === undefined ? [] : [checkWindow(result, options.headBlock)]),
    compareHash("inputHash", result, inputHashOf(capabilityId, capabilityVersion, evidence.input)),
    compareHash("resultHash", result, resultHashOf(result.verdict, result.result)),
    compareHash("artifactId", result, recomputeArtifactId(result, evidence)),
    await checkSignature(result, options.signer),
    ...(await checkRules(result, evidence)),
    checkLogInclusion(result, receipt, options.logKey),
  ];
  return { ok: steps.every(({ ok }) => ok), steps };
}

function checkShape({ result, evidence, receipt }: Saved): VerificationStep {
  const contradiction = findContradiction(result, evidence.input);
  if (contradiction) return fail("shape", contradiction);
  const company = receipt ? "with its receipt" : "without a receipt";
  return pass("shape", `An answer of ${result.capabilityId} ${result.capabilityVersion}, ${company}.`);
}

/** A genuine answer to somebody else's question verifies in every other way. */
function checkQuestion(result: CapabilityResult, { capabilityId, input }: Question): VerificationStep {
  const isKnown = findCapability(capabilityId) !== undefined && typeof input === "object" && input !== null;
  if (!isKnown) throw new TypeError("question needs the id of a capability, and the input it was given.");
  const other = findOtherQuestion(result, capabilityId, input);
  return other ? fail("question", other) : pass("question", "It answers what was asked.");
}

function checkWindow({ result }: CapabilityResult, headBlock: number | bigint): VerificationStep {
  const { computedAtBlock, validUntilBlock } = result;
  const isBlock = typeof headBlock === "bigint" || Number.isSafeInteger(headBlock);
  if (!isBlock || headBlock < 0) throw new TypeError("headBlock must be the number of a block.");
  if (headBlock > validUntilBlock)
    return fail("window", `It held until block ${validUntilBlock}; the chain is at ${headBlock}.`);
  if (Number(headBlock) + MAX_NODE_LAG_BLOCKS < computedAtBlock)
    return fail(
      "window",
      `It was read at block ${computedAtBlock}; a chain at ${headBlock} cannot tell its end.`,
    );
  return pass("window", `It holds until block ${validUntilBlock}; the chain is at ${headBlock}.`);
}

/** Every mention of a block in the result must be of the same one. */
function checkBlock(
  { result, nextCall, evidenceReference }: CapabilityResult,
  { block, readings }: Evidence,
): VerificationStep {
  if (block.hash !== evidenceReference.blockHash)
    return fail("block", "The evidence and its reference name different block hashes.");
  if (block.number !== result.computedAtBlock)
    return fail("block", "The evidence is of another block than computedAtBlock.");
  if (result.validUntilBlock < result.computedAtBlock)
    return fail("block", "The answer ends before the block it was computed at.");
  if (nextCall && nextCall.validUntilBlock !== result.validUntilBlock)
    return fail("block", "nextCall names another end of validity.");
  if (nextCall && nextCall.recheck.notBeforeBlock !== result.validUntilBlock + 1)
    return fail("block", "nextCall.recheck does not begin where the answer ends.");
  const inner = readings.block;
  if (
    isRecord(inner) &&
    (inner.hash !== block.hash || inner.number !== block.number || inner.timestamp !== block.timestamp)
  ) {
    return fail("block", "The readings are of another block than the evidence.");
  }
  return pass("block", `Everything was read at block ${block.number}, ${block.hash}.`);
}

function compareHash(
  name: "inputHash" | "resultHash" | "artifactId",
  { evidenceReference }: CapabilityResult,
  recomputed: string,
): VerificationStep {
  const stated = evidenceReference[name];
  return stated === recomputed
    ? pass(name, stated)
    : fail(name, `The result states ${stated}; its content hashes to ${recomputed}.`);
}

function checkSignature(
  { capabilityId, capabilityVersion, invocationId, result, evidenceReference }: CapabilityResult,
  expected: Hex | undefined,
): Promise<VerificationStep> {
  const { inputHash, resultHash, artifactId, blockHash } = evidenceReference;
  const { computedAtBlock, validUntilBlock } = result;
  const statement = {
    ...{ capabilityId, capabilityVersion, invocationId, inputHash, resultHash, artifactId, blockHash },
    ...{ computedAtBlock, validUntilBlock },
  };
  return checkStatement(statement, evidenceReference, expected);
}

/** An answer that holds another one, computed anew, is as true as that one. */
async function checkRules(result: JudgedAnswer, evidence: Evidence): Promise<VerificationStep[]> {
  const outer = await checkRule(result, evidence);
  const refreshed = readRefreshed(result, evidence);
  if (refreshed === undefined || outer.some(({ ok }) => !ok)) return outer;
  if (typeof refreshed === "string") return [fail("rule", `result.refreshed: ${refreshed}`)];
  const inner = await checkRule(refreshed.answer, refreshed.evidence);
  return inner.map((step) => ({
    ...step,
    detail: `${step.name === "rule" ? `${outer[0]?.detail} ` : ""}result.refreshed: ${step.detail}`,
  }));
}

/** The verdict, its reasons and findings must follow from the readings by the stated rule, and those from the state. */
async function checkRule(result: JudgedAnswer, evidence: Evidence): Promise<VerificationStep[]> {
  const again = await reach(result, evidence);
  if (typeof again === "string")
    return [fail("rule", again), leaveOut("stateProofs", "without the rule it is not known what to prove.")];
  return [
    compareEvaluation(result, evidence, again),
    checkStateProofs(evidence.proofs, evidence.block, again.facts),
  ];
}

/** What the stated rule makes of the recorded readings, or why it cannot be run on them. */
async function reach(
  { capabilityId, capabilityVersion }: JudgedAnswer,
  { rule, input, readings }: Evidence,
): Promise<Reevaluation | string> {
  const name = `${rule.id} ${rule.version}`;
  if (rule.id !== capabilityId || rule.version !== capabilityVersion)
    return `Judged by ${name}, the rule of another capability.`;
  const reevaluate = await findReevaluation(rule);
  if (!reevaluate) return `This client does not hold the rule ${name}; a newer one may.`;
  try {
    return reevaluate(input, readings);
  } catch (error) {
    return `The recorded readings are not those ${name} judges: ${describe(error)}`;
  }
}

function compareEvaluation(
  { verdict, result }: JudgedAnswer,
  { rule, findings, proofs }: Evidence,
  { evaluation, facts }: Reevaluation,
): VerificationStep {
  const expected = {
    ...evaluation,
    evidence: evaluation.evidence ?? {},
    limitations: [...evaluation.limitations, ...proofLimitations(facts, proofs)],
  };
  const recorded: Readonly<Record<keyof Evaluation, unknown>> = {
    verdict,
    reasonCodes: result.reasonCodes,
    summary: result.summary,
    findings,
    evidence: Object.fromEntries(
      Object.keys(expected.evidence).map((name) => [name, result.evidence[name] ?? null]),
    ),
    limitations: result.limitations,
  };
  const differing = (Object.keys(recorded) as (keyof Evaluation)[]).filter(
    (key) => canonicalJson(recorded[key] ?? null) !== canonicalJson(expected[key]),
  );
  const name = `${rule.id} ${rule.version} run on the recorded readings gives`;
  return differing.length > 0
    ? fail("rule", `${name} another ${differing.join(", ")}.`)
    : pass("rule", `${name} ${verdict} again.`);
}

/** Code hashes and slots that the rule relied on, followed from the block's hash through header and tries. */
function checkStateProofs(
  proofs: StateProofs | null,
  block: ArtifactBlock,
  facts: readonly ProvableAccount[],
): VerificationStep {
  const count = facts.reduce(
    (sum, { slots, codeHash }) => sum + slots.length + (codeHash === undefined ? 0 : 1),
    0,
  );
  if (proofs === null)
    return count === 0
      ? leaveOut("stateProofs", "the rule used nothing that a proof of state could show.")
      : leaveOut(
          "stateProofs",
          `no proofs are attached, as the limitations say; ${count} facts are a node's word.`,
        );
  try {
    verifyFacts(openStateProofs(proofs, block.hash), facts);
    return pass("stateProofs", `${count} facts proven to the state root of block ${block.number}.`);
  } catch (error) {
    return fail("stateProofs", `Not proven: ${describe(error)}.`);
  }
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
