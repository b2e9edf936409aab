import type { Chain } from "@assay/chain";
import { alteredChain } from "@assay/chain/testing/alteredChain";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { expect, test } from "vitest";
import { createGatherContext } from "../testing/createGatherContext.js";
import { runCapability } from "../testing/runCapability.js";
import { gatherer } from "./gather/gather.js";
import { rule } from "./rule.js";

const chainSnapshot = { ...rule, ...gatherer };

const local = useLocalChain();

async function take(through: Chain) {
  const { chain, asked } = recordReads(through);
  const block = await local.chain.latestBlock();
  const context = createGatherContext(chain, block);
  const result = await runCapability(chainSnapshot, context, {});
  return { ...result, block, batches: asked.length };
}

test("the newest block and its fees come with one batch", async () => {
  const [from, to] = local.devnet.accounts;
  await local.devnet.request("hardhat_impersonateAccount", [from?.address]);
  await local.devnet.request("eth_sendTransaction", [
    {
      from: from?.address,
      to: to?.address,
      value: "0x1",
      maxPriorityFeePerGas: "0x7",
      maxFeePerGas: "0x3b9aca00",
    },
  ]);
  const snapshot = await take(local.chain);
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
  const fees = snapshot.findings.fees;
  for (const name of ["slow", "standard", "fast"] as const) {
    expect(BigInt(fees?.[name].maxPriorityFeePerGas ?? 0)).toBeGreaterThan(0n);
    expect(BigInt(fees?.[name].maxFeePerGas ?? 0)).toBeGreaterThan(baseFee);
  }
});

test("a node without fee history makes it a review without fees", async () => {
  const deaf = alteredChain(local.chain, () => ({ status: "unanswered", reason: "node_error_-32601" }));
  expect(await take(deaf)).toMatchObject({
    verdict: "review",
    reasonCodes: ["CHAIN_SNAPSHOT", "FEE_HISTORY_UNREAD"],
    findings: { fees: null },
  });
});
