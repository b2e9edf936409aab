import { randomBytes } from "node:crypto";
import type { StoredArtifact } from "@assay/capabilities";
import {
  type CapabilityInput,
  ContradictedFactError,
  type Evaluation,
  findCapability,
  type Gathered,
  type ListedCapability,
  type ProvableAccount,
  proofLimitations,
  proofNote,
  type Records,
  verifyFacts,
} from "@assay/capabilities";
import { loadServed, type ProofCollector, type ServedCapability } from "@assay/capabilities/served";
import type { BlockHeader, ProofRead } from "@assay/chain";
import type { PageReader } from "@assay/pages";
import {
  type Artifact,
  AssayError,
  artifactIdOf,
  type CacheStatus,
  type CapabilityPrices,
  countReadings,
  type Hex,
  inputHashOf,
  NETWORK,
  type ResultBody,
  StateProofError,
  type StateProofs,
} from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import type { Freshness } from "./freshness.js";
import { gatherInTime } from "./gatherInTime.js";
import { isPartPaid } from "./longLivedParts.js";
import { lookAhead } from "./lookAhead.js";
import { outlivesDelivery } from "./outlivesDelivery.js";
import { listCoveringCapabilities } from "./paidParts.js";
import type { Renewals } from "./renewals.js";
import { findNewestAnswer, type SoldAnswer, type SoldAnswers } from "./soldAnswers.js";

export interface AnswerContext extends BaseContext {
  readonly freshness: Freshness;
  readonly soldAnswers: SoldAnswers;
  readonly renewals: Renewals;
  readonly pages: PageReader;
  readonly records: Records;
  readonly prices: ReadonlyMap<string, CapabilityPrices>;
}

/** The answer would cost more than what was offered for it: what made it cheap has ended since. */
export class OfferEndedError extends Error {
  override readonly name = "OfferEndedError";
}

/** An answer before it is written for one buyer, who then gets a `CapabilityResult`. */
export interface Answer {
  readonly actualStatus: CacheStatus;
  readonly artifact: StoredArtifact;
  /** What settlement makes public besides the artifact; null when the answer is somebody's earlier one. */
  readonly gathered: Gathered<unknown> | null;
  /** The earlier answer that this is; null for a new one. */
  readonly sold: SoldAnswer | null;
}

/** What the caller has paid for. */
export interface PaidTerms {
  readonly isPaidFor: (status: CacheStatus) => boolean;
  /** A stored answer is taken although its time is over, and nothing is computed in its place. */
  readonly takesEnded: boolean;
}

const ANY_TERMS: PaidTerms = { isPaidFor: () => true, takesEnded: false };

/**
 * Answers from shared evidence while it is fresh, otherwise reads the chain at one block and judges. A stored answer that would end
 * on its way to the buyer is read anew at the price of a hit, unless it is about other code by now. Throws `OfferEndedError` for an answer of a status that the caller has
 * not paid for, before the work where that is known.
 */
export async function answerCapability(
  context: AnswerContext,
  capability: ListedCapability,
  input: CapabilityInput,
  payer: Hex | null = null,
  { isPaidFor, takesEnded }: PaidTerms = ANY_TERMS,
): Promise<Answer> {
  const { chain, freshness } = context;
  const inputHash = inputHashOf(capability.id, capability.version, input);
  const headBlock = chain.getFreshHead().header.number;
  const isShared = capability.reuse === "shared";
  // Memory may be behind the database, so it only decides whether the chain is asked before the database has answered.
  const isLikelyStored = isShared && freshness.hasAnswer(inputHash, headBlock);
  const look = () => lookAhead(context, capability, input);
  const ahead = isLikelyStored ? undefined : look();
  const [stored, newest] = await Promise.all([
    isShared ? findStored(context, inputHash, headBlock, takesEnded) : undefined,
    isLikelyStored ? undefined : chain.latestBlock(),
  ]);
  const isLasting = (artifact: StoredArtifact) => outlivesDelivery(artifact, headBlock, chain.blockTimeMs());
  const isEnding = stored !== undefined && !takesEnded && !isLasting(stored.artifact);
  if (stored && !isEnding)
    return { actualStatus: "hit", gathered: null, artifact: stored.artifact, sold: stored };
  if (isShared && !isEnding && !isPaidFor(capability.longLivedPart === null ? "miss" : "partial")) {
    freshness.forget(inputHash, undefined);
    throw new OfferEndedError("no fresh answer is left");
  }
  const read = async () => {
    const [block, gather] = await Promise.all([newest ?? chain.latestBlock(), ahead ?? look()]);
    const answering = takesEnded ? { ...context, mayAnswerAgain: false } : context;
    return computeProven(answering, capability, input, inputHash, block, payer, gather);
  };
  const { artifact, gathered } = isEnding
    ? await context.renewals.share(inputHash, isLasting, read)
    : await read();
  const actualStatus = gathered.status ?? (await readStatus(context, capability, gathered));
  if (isEnding && (actualStatus === "partial" || !restsOnCode(capability, gathered)))
    return { actualStatus: "hit", artifact, gathered, sold: null };
  if (!isPaidFor(actualStatus)) {
    freshness.forget(inputHash, gathered.fingerprint?.address);
    throw new OfferEndedError("this is new work");
  }
  return { actualStatus, artifact, gathered, sold: null };
}

/** The newest answer inside its window, or where none is left and that will do, the newest of all. */
async function findStored(
  { database, soldAnswers }: AnswerContext,
  inputHash: string,
  headBlock: number,
  takesEnded: boolean,
): Promise<SoldAnswer | undefined> {
  const fresh = await soldAnswers.findFresh(inputHash, headBlock);
  return fresh ?? (takesEnded ? findNewestAnswer(database, inputHash) : undefined);
}

/** What was paid for with the stored answer is its part for this code: another code is new work, and would lower later prices. */
const restsOnCode = ({ longLivedPart }: ListedCapability, { fingerprint }: Gathered<unknown>): boolean =>
  longLivedPart !== null && fingerprint !== undefined && fingerprint.codeHash !== null;

async function readStatus(
  { database, prices }: AnswerContext,
  { id, longLivedPart }: ListedCapability,
  { fingerprint }: Gathered<unknown>,
): Promise<CacheStatus> {
  if (longLivedPart === null || fingerprint === undefined) return "miss";
  const coveredBy = listCoveringCapabilities(prices, id);
  return (await isPartPaid(database, longLivedPart, fingerprint, coveredBy)) ? "partial" : "miss";
}

/**
 * Where nodes prove the newest block alone, it is over by the time that anything is read at it. What has to be proven is known
 * then, so it is asked for together with a newer block, and everything is read again at that one.
 */
async function computeProven(...call: Parameters<typeof compute>): ReturnType<typeof compute> {
  const [context, capability, input, inputHash, , payer, gather] = call;
  const first = await compute(...call);
  if (first.missedProofs.length === 0) return first;
  const tip = await context.chain.findProvenTip(first.missedProofs);
  return tip ? compute(context, capability, input, inputHash, tip, payer, gather) : first;
}

interface ComputeContext extends Pick<AnswerContext, keyof BaseContext | "pages" | "records"> {
  /** False: what has ended is not computed again inside another answer. */
  readonly mayAnswerAgain?: boolean;
}

async function compute(
  context: ComputeContext,
  listed: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  block: BlockHeader,
  payer: Hex | null,
  gather?: ServedCapability["gather"],
): Promise<{ artifact: StoredArtifact; gathered: Gathered<unknown>; missedProofs: readonly ProofRead[] }> {
  const { pages, records, settings } = context;
  const capability = await loadServed(listed);
  const { chain, collector, gathered } = await gatherInTime(
    context.chain,
    block,
    inputHash,
    (reader, proofs) =>
      (gather ?? capability.gather)(
        {
          chain: reader,
          block,
          payer,
          records,
          publicUrl: settings.publicUrl,
          swapRouters: settings.swapRouters,
          launchVenues: settings.launchVenues,
          issuers: settings.issuers,
          webTestHosts: settings.webTestHosts,
          pages,
          proofs,
          async answerAgain(capabilityId, again) {
            const other = context.mayAnswerAgain === false ? undefined : findCapability(capabilityId);
            if (!other) return undefined;
            const hash = inputHashOf(other.id, other.version, again);
            return (await compute(context, other, again as CapabilityInput, hash, block, payer)).artifact;
          },
        },
        input as never,
      ),
  );
  const { answered, unanswered } = countReadings(gathered.readings);
  // One unread reading beside the block itself is an answer with a limitation; nothing read at all is none.
  if (answered === 0 && unanswered > 1)
    throw new AssayError("chain_unavailable", "A node named its newest block but answered nothing about it.");
  const evaluation = capability.evaluate(input as never, gathered.readings);
  const facts = capability.listFacts(input as never, gathered.readings);
  const proofs = facts.length > 0 ? finishProofs(collector, facts) : null;
  const limitations = [...evaluation.limitations, ...proofLimitations(facts, proofs)];
  const summary = `${evaluation.summary}${proofNote(facts, proofs)}`;
  const blockTimeMs = Math.round(chain.blockTimeMs());
  return {
    gathered,
    missedProofs: facts.length > 0 ? chain.missedProofs() : [],
    artifact: toArtifact(capability, input, inputHash, block, blockTimeMs, gathered, proofs, {
      ...evaluation,
      summary,
      limitations,
    }),
  };
}

/**
 * A node whose answers contradict its own proofs is no source for a verdict, even where its proofs do not reach
 * everything that was read.
 */
function finishProofs(collector: ProofCollector, facts: readonly ProvableAccount[]): StateProofs | null {
  let isWhole = true;
  for (const fact of facts.flatMap(splitFact)) {
    try {
      verifyFacts(collector, [fact]);
    } catch (error) {
      if (error instanceof ContradictedFactError)
        throw new AssayError("chain_unavailable", `A node contradicts its own proof: ${error.message}.`);
      if (!(error instanceof StateProofError)) throw error;
      isWhole = false;
    }
  }
  return isWhole ? collector.finish() : null;
}

/** One by one, so that what is not proven does not hide what is contradicted. */
function splitFact({ address, codeHash, slots }: ProvableAccount): ProvableAccount[] {
  const code = codeHash === undefined ? [] : [{ address, codeHash, slots: [] }];
  return [...code, ...slots.map((slot) => ({ address, slots: [slot] }))];
}

const SALT_BYTES = 16;

function toArtifact(
  capability: ServedCapability,
  input: CapabilityInput,
  inputHash: string,
  header: BlockHeader,
  blockTimeMs: number,
  gathered: Gathered<unknown>,
  proofs: StateProofs | null,
  evaluation: Evaluation,
): StoredArtifact {
  const block = { number: header.number, hash: header.hash, timestamp: header.timestamp };
  const ttlSeconds = Math.min(capability.ttlSeconds, gathered.ttlSeconds ?? capability.ttlSeconds);
  const ttlMs = ttlSeconds * 1000;
  const validUntilBlock = block.number + Math.floor(ttlMs / blockTimeMs);
  const readings = gathered.readings as Artifact["readings"];
  // The log shows both hashes of a private answer beside its payer: without a secret in them, a guess could be checked.
  const salt = capability.reuse === "private" ? { salt: randomBytes(SALT_BYTES).toString("hex") } : {};
  // The long parts come last: a reader that cuts an answer short loses proofs and readings, not what limits the verdict.
  const result: ResultBody = {
    reasonCodes: [...evaluation.reasonCodes],
    summary: evaluation.summary,
    limitations: [...evaluation.limitations],
    computedAtBlock: block.number,
    validUntilBlock,
    evidence: {
      network: NETWORK,
      block,
      input,
      rule: { id: capability.id, version: capability.ruleVersion ?? capability.version },
      validity: { ttlSeconds, measuredBlockTimeMs: blockTimeMs },
      ...salt,
      ...evaluation.evidence,
      findings: evaluation.findings,
      readings,
      proofs,
    },
    ...(gathered.refreshed && { refreshed: gathered.refreshed }),
  };
  const artifactId = artifactIdOf({
    capabilityId: capability.id,
    capabilityVersion: capability.version,
    network: NETWORK,
    input,
    readings,
    verdict: evaluation.verdict,
    block,
    validUntilBlock,
    ...salt,
  });
  return {
    artifactId,
    capabilityId: capability.id,
    capabilityVersion: capability.version,
    inputHash,
    input,
    verdict: evaluation.verdict,
    result,
    block,
    validUntilBlock,
    // What a node failed to answer, the next caller may get answered: such an answer is not given to others.
    freshUntilMs: Date.now() + (countReadings(readings).unanswered === 0 ? ttlMs : 0),
  };
}
