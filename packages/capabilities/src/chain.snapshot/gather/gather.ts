import { mapReading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import type { ChainSnapshotInput } from "../input.js";
import { type ChainSnapshotReadings, FEE_HISTORY_BLOCKS, FEE_PERCENTILES } from "../readings.js";

/** The pinned header and the fees of the blocks up to it. */
async function gatherChainSnapshot({
  chain,
  block,
}: GatherContext): Promise<Gathered<ChainSnapshotReadings>> {
  const observedAtMs = Date.now();
  const [feeHistory] = await chain.readAt(block, [
    { kind: "feeHistory", blockCount: FEE_HISTORY_BLOCKS, percentiles: FEE_PERCENTILES },
  ]);
  return {
    readings: {
      block: {
        number: block.number,
        hash: block.hash,
        timestamp: block.timestamp,
        baseFeePerGas: block.baseFeePerGas?.toString() ?? null,
      },
      observedAtMs,
      feeHistory: mapReading(feeHistory, (history) => ({
        oldestBlock: history.oldestBlock,
        baseFeePerGas: history.baseFeePerGas.map(String),
        gasUsedRatio: [...history.gasUsedRatio],
        reward: history.reward.map((row) => row.map(String)),
      })),
    },
  };
}

export const gatherer: Gatherer<ChainSnapshotInput, ChainSnapshotReadings> = {
  gather: gatherChainSnapshot,
};
