import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { MULTICALL3 } from "../../shared/chain-facts/knownContracts.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import type { ExampleEchoInput } from "../input.js";
import type { ExampleEchoReadings } from "../readings.js";

/** getBlockNumber() */
const GET_BLOCK_NUMBER = "0x42cbb15c";

/** One batch of one call, pinned to the block of the answer. */
async function gatherExampleEcho({ chain, block }: GatherContext): Promise<Gathered<ExampleEchoReadings>> {
  const [blockNumber] = await chain.readAt(block, [{ kind: "call", to: MULTICALL3, data: GET_BLOCK_NUMBER }]);
  return { readings: { blockNumber: cutAnswer(blockNumber, WORD_ANSWER_BYTES) } };
}

export const gatherer: Gatherer<ExampleEchoInput, ExampleEchoReadings> = { gather: gatherExampleEcho };
