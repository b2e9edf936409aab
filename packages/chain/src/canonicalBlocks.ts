import { AssayError, type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { askHeaders, type SeenHeader } from "./askHeaders.js";
import type { Attempt, RpcPool } from "./rpcPool.js";
import type { BlockHeader, Chain } from "./types.js";

/** Which blocks belong to the chain, and how far they are settled: the word of nodes, where there are two, of two. */
export function createCanonicalBlocks({
  pool,
}: {
  pool: RpcPool;
}): Pick<Chain, "getAncestor" | "readFinality"> {
  /** From the preferred node and, where there is one, from another. */
  async function askTwo(tags: readonly string[]): Promise<Attempt<SeenHeader>[][]> {
    const first = pool.resolve(tags, askHeaders);
    const second = pool.size > 1 ? pool.resolveElsewhere(tags, askHeaders, first) : [];
    return Promise.all([first, second]);
  }

  return {
    async getAncestor(number, head) {
      // The block before the head: a reorganisation between the two looks shows in the second.
      const [first = [], second = []] = await askTwo([toTag(number), toTag(head.number)]);
      const hash = readAncestor(number, head, first);
      if (second[0]?.ok && second[0].value.header.hash !== hash)
        throw new AssayError("chain_unavailable", `Two nodes name different blocks at ${number}.`);
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
      `No node gave block ${number} of the chain up to ${head.number}.`,
    );
  if (top.value.header.hash !== head.hash)
    throw new AssayError("chain_unavailable", `Block ${head.number} was replaced while it was read.`);
  return block.value.header.hash;
}

/** Of several opinions the most cautious counts; one that was not given counts for nothing. */
function lowestNumber(opinions: readonly (Attempt<SeenHeader> | undefined)[]): Reading<number> {
  const numbers = opinions.flatMap((opinion) => (opinion?.ok ? [opinion.value.header.number] : []));
  if (numbers.length > 0) return valueReading(Math.min(...numbers));
  const [first] = opinions;
  return unanswered(first?.ok === false ? first.reason : "no_answer");
}
