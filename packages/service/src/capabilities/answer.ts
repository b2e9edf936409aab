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
import type { Freshness } from "../evidence/freshness.js";
import type { Capability, Gathered } from "./types.js";

export interface AnswerContext extends BaseContext {
  readonly freshness: Freshness;
}

export interface Answer {
  readonly actualStatus: CacheStatus;
  readonly artifact: StoredArtifact;
  /** Set when the answer was computed now and observed bytecode. */
  readonly fingerprint: Fingerprint | null;
}

/** Answers from shared evidence while it is fresh, otherwise reads the chain at one block and judges. */
export async function answerCapability(
  context: AnswerContext,
  capability: Capability,
  input: CapabilityInput,
): Promise<Answer> {
  const { chain, database, freshness } = context;
  const { spec } = capability;
  const inputHash = inputHashOf(spec.id, spec.version, input);
  const headBlock = chain.getFreshHead().header.number;
  const isShared = spec.reuse === "shared";
  const begin = () =>
    Promise.all([
      chain.latestBlock(),
      capability.usesFingerprint && "address" in input
        ? findFreshFingerprint(database, input.address)
        : undefined,
    ]);
  // Memory may be behind the database, so it only decides whether the work begins before the database has answered.
  const isLikelyStored = isShared && freshness.hasAnswer(inputHash, headBlock);
  const [stored, begun] = await Promise.all([
    isShared ? findFreshArtifact(database, inputHash, headBlock) : undefined,
    isLikelyStored ? undefined : begin(),
  ]);
  if (stored) return { actualStatus: "hit", artifact: stored, fingerprint: null };
  const [block, known] = begun ?? (await begin());
  const gathered = await capability.gather({ chain, block }, input as never);
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
