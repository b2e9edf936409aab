import {
  type Artifact,
  artifactIdOf,
  type CacheStatus,
  type CapabilityInput,
  inputHashOf,
  NETWORK,
  type ResultBody,
} from "@assay/protocol";
import type { Evaluation } from "@assay/rules";
import type { BlockHeader } from "../chain/types.js";
import type { BaseContext } from "../context.js";
import { findFreshArtifact, type StoredArtifact } from "../evidence/artifacts.js";
import { type Fingerprint, findFreshFingerprint } from "../evidence/fingerprints.js";
import type { Capability, Gathered } from "./types.js";

export interface Answer {
  readonly actualStatus: CacheStatus;
  readonly artifact: StoredArtifact;
  /** Set when the answer was computed now and observed bytecode. */
  readonly fingerprint: Fingerprint | null;
}

/** Answers from shared evidence while it is fresh, otherwise reads the chain at one block and judges. */
export async function answerCapability(
  context: BaseContext,
  capability: Capability,
  input: CapabilityInput,
): Promise<Answer> {
  const { spec } = capability;
  const inputHash = inputHashOf(spec.id, spec.version, input);
  if (spec.reuse === "shared") {
    const head = context.chain.getFreshHead();
    const stored = await findFreshArtifact(context.database, inputHash, head.header.number);
    if (stored) return { actualStatus: "hit", artifact: stored, fingerprint: null };
  }
  const block = await context.chain.latestBlock();
  const [gathered, known] = await Promise.all([
    capability.gather({ chain: context.chain, block }, input as never),
    capability.usesFingerprint && "address" in input
      ? findFreshFingerprint(context.database, input.address)
      : Promise.resolve(undefined),
  ]);
  const evaluation = capability.evaluate(input as never, gathered.readings);
  const sameCode =
    known !== undefined &&
    gathered.fingerprint !== undefined &&
    known.codeHash === gathered.fingerprint.codeHash;
  return {
    actualStatus: sameCode ? "partial" : "miss",
    artifact: toArtifact(
      capability,
      input,
      inputHash,
      block,
      Math.round(context.chain.blockTimeMs()),
      gathered,
      evaluation,
    ),
    fingerprint: gathered.fingerprint ?? null,
  };
}

function toArtifact(
  capability: Capability,
  input: CapabilityInput,
  inputHash: string,
  header: BlockHeader,
  blockTimeMs: number,
  gathered: Gathered<unknown>,
  evaluation: Evaluation,
): StoredArtifact {
  const { spec } = capability;
  const block = { number: header.number, hash: header.hash, timestamp: header.timestamp };
  const ttlMs = spec.ttlSeconds * 1000;
  const validUntilBlock = block.number + Math.floor(ttlMs / blockTimeMs);
  const readings = gathered.readings as Artifact["readings"];
  const result: ResultBody = {
    reasonCodes: [...evaluation.reasonCodes],
    summary: evaluation.summary,
    evidence: {
      network: NETWORK,
      block,
      input,
      readings,
      findings: evaluation.findings,
      rule: { id: spec.id, version: spec.version },
      validity: { ttlSeconds: spec.ttlSeconds, measuredBlockTimeMs: blockTimeMs },
    },
    computedAtBlock: block.number,
    validUntilBlock,
    limitations: [...evaluation.limitations],
  };
  const artifactId = artifactIdOf({
    capabilityId: spec.id,
    capabilityVersion: spec.version,
    network: NETWORK,
    input,
    readings,
    verdict: evaluation.verdict,
    block,
    validUntilBlock,
  });
  return {
    artifactId,
    capabilityId: spec.id,
    capabilityVersion: spec.version,
    inputHash,
    input,
    verdict: evaluation.verdict,
    result,
    block,
    validUntilBlock,
    freshUntilMs: Date.now() + ttlMs,
  };
}
