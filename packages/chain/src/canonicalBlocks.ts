import { AssayError, type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { askHeaders, type SeenHeader } from "./askHeaders.js";
import type { Attempt, RpcPool } from "./rpcPool.js";
import type { BlockHeader, Chain } from "./types.js";

/** Which blocks belong to the chain, and how final they are. No node can prove this, so two are asked where there are two. */
export function createCanonicalBlocks({
  pool,
}: {
  pool: RpcPool;
}): Pick<Chain, "getAncestor" | "readFinality"> {
  /** Asks the preferred node and, where there is one, another. */
  async function askTwo(tags: readonly string[]): Promise<Attempt<SeenHeader>[][]> {
    const first = pool.resolve(tags, askHeaders);
    const second = pool.size > 1 ? pool.resolveElsewhere(tags, askHeaders, first) : [];
    return Promise.all([first, second]);
  }

  return {
    async getAncestor(number, head) {
      // The block is asked for before the head: a reorganisation between the two answers then shows in the head's hash.
      const [first = [], second = []] = await askTwo([toTag(number), toTag(head.number)]);
      const hash = readAncestor(number, head, first);
      if (second[0]?.ok && second[0].value.header.hash !== hash)
        throw new AssayError("chain_unavailable", `Two nodes have different blocks at height ${number}.`);
      return hash;
    },
    async readFinality() {
      const answers = await askTwo(["safe", "finalized"]);
      const lowest = (place: number) => lowestNumber(answers.map((list) => list[place]));
      return { safe: lowest(0), finalized: lowest(1) };
    },
  };
}

const toTag = (number: number) => `0x${number.toString(16)}`;

function readAncestor(number: number, head: BlockHeader, [block, top]: readonly Attempt<SeenHeader>[]): Hex {
  if (!block?.ok || !top?.ok || block.value.header.number !== number)
    throw new AssayError(
      "chain_unavailable",
      `No node returned block ${number} of the chain that ends at block ${head.number}.`,
    );
  if (top.value.header.hash !== head.hash)
    throw new AssayError("chain_unavailable", `Block ${head.number} was replaced while it was read.`);
  return block.value.header.hash;
}

/** The lowest of the numbers that were answered: where nodes differ, the more cautious one counts. */
function lowestNumber(attempts: readonly (Attempt<SeenHeader> | undefined)[]): Reading<number> {
  const numbers = attempts.flatMap((attempt) => (attempt?.ok ? [attempt.value.header.number] : []));
  if (numbers.length > 0) return valueReading(Math.min(...numbers));
  const [first] = attempts;
  return unanswered(first?.ok === false ? first.reason : "no_answer");
}
