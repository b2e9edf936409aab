import {
  type ArtifactBlock,
  artifactIdOf,
  type CapabilityResult,
  canonicalJson,
  capabilityResultSchema,
  evidenceTypedData,
  type Hex,
  hash32Schema,
  inputHashOf,
  NETWORK,
  resultHashOf,
} from "@assay/protocol";
import { isAddressEqual, recoverTypedDataAddress } from "viem";
import { findReevaluation } from "./reevaluate.js";

export interface VerificationStep {
  readonly name: "shape" | "block" | "inputHash" | "resultHash" | "artifactId" | "signature" | "rule";
  readonly ok: boolean;
  readonly detail: string;
}

export interface Verification {
  /** True when every step passed. */
  readonly ok: boolean;
  readonly steps: readonly VerificationStep[];
}

export interface VerifyOptions {
  /** The address the service is known to sign with (the catalog's `signingAddress`). */
  readonly signer?: Hex | undefined;
}

interface Evidence {
  readonly block: ArtifactBlock;
  readonly input: Readonly<Record<string, unknown>>;
  readonly readings: Readonly<Record<string, unknown>>;
  readonly findings: unknown;
  readonly rule: { readonly id: string; readonly version: string };
}

/**
 * Checks a result offline, in order: its form, that it speaks of one block, every hash recomputed
 * from what is recorded, the signature over those hashes, and the verdict reached again from the
 * recorded readings. Prices and URLs are outside the signature.
 */
export async function verifyResult(value: unknown, options: VerifyOptions = {}): Promise<Verification> {
  const read = readResult(value);
  if (typeof read === "string") return { ok: false, steps: [{ name: "shape", ok: false, detail: read }] };
  const { result, evidence } = read;
  const steps: VerificationStep[] = [
    { name: "shape", ok: true, detail: `A result of ${result.capabilityId} ${result.capabilityVersion}.` },
    checkBlock(result, evidence),
    compareHash(
      "inputHash",
      result,
      inputHashOf(result.capabilityId, result.capabilityVersion, evidence.input),
    ),
    compareHash("resultHash", result, resultHashOf(result.verdict, result.result)),
    compareHash("artifactId", result, recomputeArtifactId(result, evidence)),
    await checkSignature(result, options.signer),
    checkRule(result, evidence),
  ];
  return { ok: steps.every(({ ok }) => ok), steps };
}

/** The result and its evidence, or what is wrong with their form. */
function readResult(value: unknown): { result: CapabilityResult; evidence: Evidence } | string {
  const parsed = capabilityResultSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `Not a capability result: ${issue?.path.join(".") || "the value"}: ${issue?.message}.`;
  }
  // The value itself, not the parsed copy: hashes cover fields this client may not know.
  const result = value as CapabilityResult;
  const { network, block, input, readings, findings, rule } = result.result.evidence;
  if (network !== NETWORK) return `result.evidence.network is not ${NETWORK}.`;
  if (!isRecord(input) || !isRecord(readings)) return "result.evidence records no input and readings.";
  if (!isBlock(block)) return "result.evidence.block is not a block.";
  if (!isRule(rule)) return "result.evidence.rule names no rule.";
  return { result, evidence: { block, input, readings, findings, rule } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
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

/** Every mention of a block in the result must be of the same one. */
function checkBlock(
  { result, nextCall, evidenceReference }: CapabilityResult,
  { block, readings }: Evidence,
): VerificationStep {
  const fail = (detail: string): VerificationStep => ({ name: "block", ok: false, detail });
  if (block.hash !== evidenceReference.blockHash)
    return fail("The evidence and its reference name different block hashes.");
  if (block.number !== result.computedAtBlock)
    return fail("The evidence is of another block than computedAtBlock.");
  if (result.validUntilBlock < result.computedAtBlock)
    return fail("The answer ends before the block it was computed at.");
  if (nextCall && nextCall.validUntilBlock !== result.validUntilBlock)
    return fail("nextCall names another end of validity.");
  const inner = readings.block;
  if (
    isRecord(inner) &&
    (inner.hash !== block.hash || inner.number !== block.number || inner.timestamp !== block.timestamp)
  ) {
    return fail("The readings are of another block than the evidence.");
  }
  return { name: "block", ok: true, detail: `Everything was read at block ${block.number}, ${block.hash}.` };
}

function recomputeArtifactId(
  { capabilityId, capabilityVersion, verdict, result }: CapabilityResult,
  evidence: Evidence,
): string {
  const { block, input, readings } = evidence;
  const { validUntilBlock } = result;
  return artifactIdOf({
    capabilityId,
    capabilityVersion,
    network: NETWORK,
    input,
    readings,
    verdict,
    block,
    validUntilBlock,
  });
}

function compareHash(
  name: "inputHash" | "resultHash" | "artifactId",
  { evidenceReference }: CapabilityResult,
  recomputed: string,
): VerificationStep {
  const stated = evidenceReference[name];
  return stated === recomputed
    ? { name, ok: true, detail: stated }
    : { name, ok: false, detail: `The result states ${stated}; its content hashes to ${recomputed}.` };
}

async function checkSignature(
  { capabilityId, capabilityVersion, invocationId, result, evidenceReference }: CapabilityResult,
  expected: Hex | undefined,
): Promise<VerificationStep> {
  const { inputHash, resultHash, artifactId, blockHash, signer, signature } = evidenceReference;
  const { computedAtBlock, validUntilBlock } = result;
  const statement = {
    ...{ capabilityId, capabilityVersion, invocationId, inputHash, resultHash, artifactId, blockHash },
    ...{ computedAtBlock, validUntilBlock },
  };
  const recovered = await recoverTypedDataAddress({ ...evidenceTypedData(statement), signature }).catch(
    () => undefined,
  );
  const fail = (detail: string): VerificationStep => ({ name: "signature", ok: false, detail });
  if (!recovered) return fail("The signature cannot be read.");
  if (!isAddressEqual(recovered, signer))
    return fail(`Signed by ${recovered}, not by the stated signer ${signer}.`);
  if (expected && !isAddressEqual(recovered, expected))
    return fail(`Signed by ${recovered}, not by ${expected}.`);
  const trust = expected ? "" : "; compare it with the signingAddress of the service's catalog";
  return { name: "signature", ok: true, detail: `Signed by ${recovered}${trust}.` };
}

/** The verdict, its reasons and findings must follow from the readings by the stated rule. */
function checkRule(
  { capabilityId, capabilityVersion, verdict, result }: CapabilityResult,
  evidence: Evidence,
): VerificationStep {
  const { rule, input, readings } = evidence;
  const name = `${rule.id} ${rule.version}`;
  const fail = (detail: string): VerificationStep => ({ name: "rule", ok: false, detail });
  if (rule.id !== capabilityId || rule.version !== capabilityVersion)
    return fail(`Judged by ${name}, the rule of another capability.`);
  const reevaluate = findReevaluation(rule);
  if (!reevaluate) return fail(`This client does not hold the rule ${name}; a newer one may.`);
  let again: ReturnType<typeof reevaluate>;
  try {
    again = reevaluate(input, readings);
  } catch (error) {
    return fail(
      `The recorded readings are not those ${name} judges: ${error instanceof Error ? error.message : error}`,
    );
  }
  const recorded: typeof again | Record<string, unknown> = {
    verdict,
    reasonCodes: result.reasonCodes,
    summary: result.summary,
    findings: evidence.findings,
    limitations: result.limitations,
  };
  const differing = (Object.keys(recorded) as (keyof typeof again)[]).filter(
    (key) => canonicalJson(recorded[key] ?? null) !== canonicalJson(again[key]),
  );
  if (differing.length > 0)
    return fail(`${name} run on the recorded readings gives another ${differing.join(", ")}.`);
  return { name: "rule", ok: true, detail: `${name} run on the recorded readings gives ${verdict} again.` };
}
