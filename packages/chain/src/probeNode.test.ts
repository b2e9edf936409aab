import { describe, expect, test } from "vitest";
import { createChain } from "./createChain.js";
import { describeLimits } from "./describeNode.js";
import { createLocalChain } from "./testing/localChain.js";
import { startProfiledNode } from "./testing/profiledNode.js";
import type { ProviderProfile } from "./testing/providerProfile.js";
import { getProfile } from "./testing/providerProfiles.js";
import type { Chain, NodeReport } from "./types.js";

async function probe(
  profile: ProviderProfile,
  blocks = 2_500,
): Promise<{ report: NodeReport; logSpan: number; again: NodeReport }> {
  const local = await createLocalChain();
  await local.rpc("hardhat_mine", `0x${blocks.toString(16)}`);
  const node = await startProfiledNode(local, profile);
  let chain: Chain | undefined;
  try {
    chain = await createChain({ rpcUrls: [node.url], expectedChainId: 8453 });
    const [report] = await chain.probeNodes();
    const logSpan = chain.logSpan();
    node.profile = getProfile("full node");
    const [again] = await chain.probeNodes();
    return { report: report as NodeReport, logSpan, again: again as NodeReport };
  } finally {
    await chain?.close();
    await node.close();
  }
}

// Side by side: each has a node of its own, and waits for what it refuses.
describe.concurrent("a node says what it can", () => {
  test("a full node", async () => {
    const { report, logSpan } = await probe(getProfile("full node"));
    expect(report).toMatchObject({
      proofBlocks: 1_000,
      stateBlocks: 1_000_000,
      logSpan: 10_000,
      overrides: true,
      traces: true,
    });
    expect(logSpan).toBe(10_000);
  });

  test.each<[string, Partial<NodeReport>, RegExp]>([
    ["tip-only proofs", { proofBlocks: 0 }, /newest block only/],
    ["proofs of 128 blocks", { proofBlocks: 120 }, /^$/],
    [
      "no proofs, no traces",
      { proofBlocks: null, traces: false, simulations: false },
      /no proofs.*no debug_traceCall/,
    ],
    ["free tier: events of 10 blocks, no traces", { logSpan: 10, traces: false }, /events of 10 blocks/],
    [
      "refused methods: HTTP 403 for the whole request",
      { proofBlocks: null, traces: false, overrides: true },
      /no proofs/,
    ],
    ["no state overrides", { overrides: false }, /no state overrides/],
    ["state of 64 blocks", { stateBlocks: 0 }, /state of fewer than 120 blocks/],
    ["state of 128 blocks", { stateBlocks: 120 }, /state of fewer than 1,000 blocks/],
    ["no batches: plain text", { batchSize: 1, proofBlocks: 1_000 }, /batches of 1 at most/],
  ])("%s", async (name, expected, said) => {
    const { report, again } = await probe(getProfile(name));
    expect(report).toMatchObject(expected);
    expect(describeLimits(report).join("; ")).toMatch(said);
    // What it refused is asked for again when it is probed.
    if (!("batchSize" in expected))
      expect(again).toMatchObject({ traces: true, overrides: true, proofBlocks: 1_000 });
  });

  test("a throttled node is asked again, and said to throttle", async () => {
    const { report } = await probe({
      name: "closed",
      limit: { perSecond: 12, spelling: { kind: "items", error: { code: -32005, message: "limit" } } },
    });
    expect(report).toMatchObject({ overrides: true, traces: true, logSpan: 10_000 });
    expect(describeLimits(report)).toEqual([expect.stringMatching(/^throttled within the hour: .*503/)]);
  });

  test("null is asked for again: a backend may lag, or throttle in this way", async () => {
    const { report } = await probe({ name: "silent", limit: { perSecond: 12, spelling: { kind: "nulls" } } });
    expect(report).toMatchObject({ overrides: true, traces: true, logSpan: 10_000, blockReceipts: true });
    expect(report.proofBlocks).not.toBeNull();
  });

  test.each([
    { kind: "status", status: 403, body: "Forbidden" },
    { kind: "items", error: { code: -32603, message: "Internal error" } },
  ] as const)(
    "what a gateway refuses by a page or in words that nobody knows is asked for again: $kind",
    async (spelling) => {
      const { report } = await probe({ name: "unclear", limit: { perSecond: 12, spelling } });
      expect(report).toMatchObject({ overrides: true, traces: true, logSpan: 10_000, blockReceipts: true });
      expect(report.proofBlocks).not.toBeNull();
    },
  );

  test("one that throttles afterwards too, from then on", async () => {
    const local = await createLocalChain();
    const node = await startProfiledNode(local, getProfile("full node"));
    const chain = await createChain({ rpcUrls: [node.url], expectedChainId: 8453 });
    const limitsNow = () => chain.listNodes().flatMap((report) => describeLimits(report));
    try {
      await chain.probeNodes();
      expect(limitsNow()).toEqual([]);
      node.profile = { name: "closed", limit: { perSecond: 0, spelling: { kind: "status", status: 429 } } };
      await chain.request("eth_gasPrice", []).catch(() => undefined);
      expect(limitsNow()).toEqual([expect.stringMatching(/^throttled within the hour/)]);
    } finally {
      await chain.close();
      await node.close();
    }
  });

  test("a refused search tells how many blocks are allowed, without a probe", async () => {
    const local = await createLocalChain();
    await local.rpc("hardhat_mine", "0x200");
    const node = await startProfiledNode(local, getProfile("free tier: events of 10 blocks, no traces"));
    const chain = await createChain({ rpcUrls: [node.url], expectedChainId: 8453 });
    try {
      await chain.request("eth_getLogs", [{ fromBlock: "0x1", toBlock: "0x100" }]).catch(() => undefined);
      expect(chain.logSpan()).toBe(10);
    } finally {
      await chain.close();
      await node.close();
    }
  });
});
