import { createDevnet, type Devnet } from "@assay/devnet";
import { canonicalJson } from "@assay/protocol";
import { chainSnapshotReadingsSchema } from "@assay/rules";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChain } from "../../chain/createChain.js";
import type { Chain } from "../../chain/types.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { chainSnapshot } from "./definition.js";

let devnet: Devnet;
let chain: Chain;

beforeAll(async () => {
  devnet = await createDevnet({ blockTimeMs: 0 });
  chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
}, 60_000);
afterAll(async () => {
  await chain?.close();
  await devnet?.close();
});

async function take(through: Chain) {
  let batches = 0;
  const counted: Chain = {
    ...through,
    readAt: (block, reads) => {
      batches += 1;
      return through.readAt(block, reads);
    },
  };
  const block = await chain.latestBlock();
  const { readings } = await chainSnapshot.gather(createGatherContext(counted, block), {});
  const recorded = chainSnapshotReadingsSchema.parse(JSON.parse(canonicalJson(readings)));
  return { ...chainSnapshot.evaluate({}, recorded), block, batches };
}

test("the newest block and its fees come with one batch", async () => {
  const [from, to] = devnet.accounts;
  await devnet.request("hardhat_impersonateAccount", [from?.address]);
  await devnet.request("eth_sendTransaction", [
    {
      from: from?.address,
      to: to?.address,
      value: "0x1",
      maxPriorityFeePerGas: "0x7",
      maxFeePerGas: "0x3b9aca00",
    },
  ]);
  const snapshot = await take(chain);
  const baseFee = snapshot.block.baseFeePerGas ?? 0n;
  expect(snapshot).toMatchObject({
    verdict: "allow",
    reasonCodes: ["CHAIN_SNAPSHOT"],
    findings: {
      blockNumber: snapshot.block.number,
      blockHash: snapshot.block.hash,
      timestamp: snapshot.block.timestamp,
      baseFeePerGas: baseFee.toString(),
    },
    batches: 1,
  });
  const fees = snapshot.findings.fees as Record<
    string,
    { maxPriorityFeePerGas: string; maxFeePerGas: string }
  >;
  for (const name of ["slow", "standard", "fast"]) {
    expect(BigInt(fees[name]?.maxPriorityFeePerGas ?? 0)).toBeGreaterThan(0n);
    expect(BigInt(fees[name]?.maxFeePerGas ?? 0)).toBeGreaterThan(baseFee);
  }
});

test("a node without fee history makes it a review without fees", async () => {
  const deaf: Chain = {
    ...chain,
    readAt: async (_, reads) =>
      reads.map(() => ({ status: "unanswered", reason: "node_error_-32601" })) as never,
  };
  expect(await take(deaf)).toMatchObject({
    verdict: "review",
    reasonCodes: ["CHAIN_SNAPSHOT", "FEE_HISTORY_UNREAD"],
    findings: { fees: null },
  });
});
