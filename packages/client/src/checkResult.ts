import { type CapabilityId, findCapability } from "@assay/capabilities";
import { type CapabilityResult, type Hex, inputHashOf, resultHashOf } from "@assay/protocol";
import type { CapabilityArguments } from "./capabilityArguments.js";
import { checkLogInclusion } from "./checkLogInclusion.js";
import { checkRules } from "./checkRules.js";
import { checkStatement } from "./checkStatement.js";
import { checkVoucher } from "./checkVoucher.js";
import { findContradiction } from "./findContradiction.js";
import { findOtherQuestion } from "./findOtherQuestion.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import { type Evidence, isRecord, readSaved, type Saved } from "./readSaved.js";
import { recomputeArtifactId } from "./recomputeArtifactId.js";
import { fail, pass, toVerification, type Verification, type VerificationStep } from "./verification.js";

export interface VerifyOptions {
  /** The address the service is known to sign with (the catalog's `signingAddress`). */
  readonly signer?: Hex | undefined;
  /**
   * The key the service's log is known to sign with, in base64 (`log.publicKey` of `/.well-known/assay.json`). Given,
   * an answer without a receipt in that log fails.
   */
  readonly logKey?: string | undefined;
  /**
   * The capability and the input that were asked: the same input fits several capabilities. Given, an answer to any other
   * question fails.
   */
  readonly question?: Question | undefined;
  /**
   * The chain's newest block, from a node of the caller's own. Given, an answer that no longer holds fails. viem's
   * `getBlockNumber` caches its result for seconds unless called with `cacheTime: 0`.
   */
  readonly headBlock?: number | bigint | undefined;
}

/** A capability and the input it was given. */
export type Question = {
  readonly [Id in CapabilityId]: { readonly capabilityId: Id; readonly input: CapabilityArguments<Id> };
}[CapabilityId];

/** How far a caller's node may be behind the service's, which sells nothing on an older head. */
const MAX_NODE_LAG_MS = 30_000;
/** The answer states the block time; one that states less than any chain has would stretch the lag. */
const SHORTEST_BLOCK_MS = 100;
const USUAL_BLOCK_MS = 200;

/**
 * Checks an answer offline, alone or as `{ answer, receipt }`. In order:
 * its form, and that it does not contradict itself; that it answers the question; that it is about one block and still
 * holds; every hash, recomputed; the signature over those hashes; the verdict, computed again from the recorded readings;
 * the proofs of those readings, up to the block's hash; the payer's voucher, where a channel paid; the receipt's place in
 * the service's log.
 * Every step is tried; only a broken form ends the check early. Never rejects because a step failed: see `verifyResult`.
 */
export async function checkResult(value: unknown, options: VerifyOptions = {}): Promise<Verification> {
  const saved = readSaved(value);
  if (typeof saved === "string") return toVerification([fail("shape", saved)]);
  const { result, evidence, receipt } = saved;
  const { capabilityId, capabilityVersion } = result;
  return toVerification([
    checkShape(saved),
    ...(options.question === undefined ? [] : [checkQuestion(result, options.question)]),
    checkBlock(result, evidence),
    ...(options.headBlock === undefined ? [] : [checkStillValid(result, evidence, options.headBlock)]),
    compareHash("inputHash", result, inputHashOf(capabilityId, capabilityVersion, evidence.input)),
    compareHash("resultHash", result, resultHashOf(result.verdict, result.result)),
    compareHash("artifactId", result, recomputeArtifactId(result, evidence)),
    await checkSignature(result, options.signer),
    ...(await checkRules(result, evidence)),
    ...(receipt ? await checkVoucher(receipt) : []),
    checkLogInclusion(result, receipt, options.logKey),
  ]);
}

function checkShape({ result, evidence, receipt }: Saved): VerificationStep {
  const contradiction = findContradiction(result, evidence.input);
  if (contradiction) return fail("shape", contradiction);
  const company = receipt ? "with its receipt" : "without a receipt";
  return pass("shape", `An answer of ${result.capabilityId} ${result.capabilityVersion}, ${company}.`);
}

/** A genuine answer to another caller's question passes every other step. */
function checkQuestion(result: CapabilityResult, { capabilityId, input }: Question): VerificationStep {
  const isKnown = findCapability(capabilityId) !== undefined && typeof input === "object" && input !== null;
  if (!isKnown)
    throw new InvalidArgumentError("question needs the id of a capability, and the input it was given.");
  const other = findOtherQuestion(result, capabilityId, input);
  return other ? fail("question", other) : pass("question", "It answers what was asked.");
}

function checkStillValid(
  { result }: CapabilityResult,
  { blockTimeMs }: Evidence,
  headBlock: number | bigint,
): VerificationStep {
  const { computedAtBlock, validUntilBlock } = result;
  const isBlock = typeof headBlock === "bigint" || Number.isSafeInteger(headBlock);
  if (!isBlock || headBlock < 0) throw new InvalidArgumentError("headBlock must be the number of a block.");
  if (headBlock > validUntilBlock)
    return fail("window", `It held until block ${validUntilBlock}; the chain is at ${headBlock}.`);
  const maxLagBlocks = Math.ceil(
    MAX_NODE_LAG_MS / Math.max(SHORTEST_BLOCK_MS, blockTimeMs ?? USUAL_BLOCK_MS),
  );
  if (Number(headBlock) + maxLagBlocks < computedAtBlock)
    return fail(
      "window",
      `It was read at block ${computedAtBlock}; a chain at ${headBlock}, more than ${maxLagBlocks} blocks (${MAX_NODE_LAG_MS / 1_000} s) before it, cannot show whether it has ended.`,
    );
  return pass("window", `It holds until block ${validUntilBlock}; the chain is at ${headBlock}.`);
}

/** Every block that the result names must be the same one. */
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
