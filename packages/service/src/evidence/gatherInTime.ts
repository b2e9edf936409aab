import type { Gathered } from "@assay/capabilities";
import { createProofCollector, type ProofCollector } from "@assay/capabilities/served";
import { type BlockHeader, type Chain, lightenReads, type WatchedChain, watchReads } from "@assay/chain";
import { AssayError } from "@assay/protocol";
import { span } from "../base/tracing.js";

type Gather = (chain: Chain, proofs: ProofCollector) => Promise<Gathered<unknown>>;

interface GatheredInTime {
  readonly chain: WatchedChain;
  readonly collector: ProofCollector;
  readonly gathered: Gathered<unknown>;
}

/** Questions whose transactions no node ran in time, by chain; the oldest are forgotten first. */
const late = new WeakMap<Chain, Set<string>>();
const MAX_LATE = 1_000;

/**
 * Gathers what an answer needs. What a node will answer a moment later is not sold as something that cannot be known. A
 * transaction that no node can run in time would never be answered that way, so where time ran out it is asked about with
 * little gas: where all the rest is answered and the transaction runs out of it, that is the answer. Nodes may go on with what
 * nobody waits for, so the next call with the same question begins there.
 */
export async function gatherInTime(
  chain: Chain,
  block: BlockHeader,
  question: string,
  gather: Gather,
): Promise<GatheredInTime> {
  const known = late.get(chain) ?? new Set();
  late.set(chain, known);
  if (known.delete(question)) {
    const light = await gatherLightly(chain, block, gather);
    if (light.failure !== undefined) throw remember(known, question, light.failure);
    if (light.isTooHeavy) {
      known.add(question);
      return light.found;
    }
  }
  const watched = watchReads(chain);
  const collector = createProofCollector(block.hash);
  const gathered = await span("answer.gather", {}, () => gather(watched, collector));
  const [failure] = watched.passingFailures();
  if (failure === undefined) return { chain: watched, collector, gathered };
  if (!watched.lacksRun()) throw isUnavailable(failure);
  const light = await gatherLightly(chain, block, gather);
  if (light.failure === undefined && light.isTooHeavy) return light.found;
  throw remember(known, question, failure);
}

function remember(known: Set<string>, question: string, failure: string): AssayError {
  known.add(question);
  const [oldest] = known;
  if (known.size > MAX_LATE && oldest !== undefined) known.delete(oldest);
  return isUnavailable(failure);
}

const isUnavailable = (failure: string): AssayError =>
  new AssayError(
    "chain_unavailable",
    `The nodes left readings open for a reason that passes: ${failure}. Nothing was charged; ask again.`,
  );

async function gatherLightly(chain: Chain, block: BlockHeader, gather: Gather) {
  const watched = watchReads(chain);
  const light = lightenReads(watched);
  const collector = createProofCollector(block.hash);
  const gathered = await gather(light, collector);
  const [failure] = watched.passingFailures();
  return { failure, isTooHeavy: light.isTooHeavy(), found: { chain: watched, collector, gathered } };
}
