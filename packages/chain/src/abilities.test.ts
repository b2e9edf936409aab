import { describe, expect, test } from "vitest";
import { rateAbility, readNeeds } from "./abilities.js";
import { createChain } from "./createChain.js";
import { describeLimits } from "./describeNode.js";
import { contracts, installContracts, slotZero } from "./testing/contracts.js";
import { createLocalChain } from "./testing/localChain.js";
import { type ProfiledNode, startProfiledNode } from "./testing/profiledNode.js";
import type { ProviderProfile } from "./testing/providerProfile.js";
import { getProfile } from "./testing/providerProfiles.js";
import type { Chain, NodeReport } from "./types.js";

const REPORT: NodeReport = {
  node: "a",
  proofBlocks: 128,
  stateBlocks: 128,
  logSpan: 10_000,
  overrides: true,
  traces: true,
  simulations: true,
  blockReceipts: true,
  batchSize: 100,
  failures: [],
};

describe("what a request needs of a node", () => {
  const word = slotZero;
  test.each([
    ["code of a new block", "eth_getCode", [word, "0x3e0"], {}],
    ["code of an older block", "eth_getCode", [word, "0x300"], { stateBlocks: 232 }],
    ["a proof of the newest block", "eth_getProof", [word, [], "latest"], { proofBlocks: 0 }],
    ["a proof of a block that was the newest", "eth_getProof", [word, [], "0x3e8"], { proofBlocks: 1 }],
    ["a call", "eth_call", [{}, "0x3e8"], {}],
    ["a call in another state", "eth_call", [{}, "0x3e8", {}], { overrides: true }],
    ["a trace of an older block", "debug_traceCall", [{}, "0x1", {}], { traces: true, stateBlocks: 999 }],
    ["a search", "eth_getLogs", [{ fromBlock: "0x1", toBlock: "0xa" }], { logSpan: 10 }],
    ["a search up to the newest block", "eth_getLogs", [{ fromBlock: "0x1", toBlock: "latest" }], {}],
    ["receipts of a block", "eth_getBlockReceipts", ["0x1"], { blockReceipts: true }],
    ["anything else", "eth_gasPrice", [], {}],
  ])("%s", (_, method, params, needs) => {
    expect(readNeeds({ method, params }, 1_000)).toEqual(needs);
  });

  test("is compared with what the node has shown", () => {
    expect(rateAbility(REPORT, { proofBlocks: 1, overrides: true })).toBe("able");
    expect(rateAbility(REPORT, { stateBlocks: 129 })).toBe("perhaps");
    expect(rateAbility({ ...REPORT, traces: false }, { traces: true, stateBlocks: 1 })).toBe("unable");
    expect(rateAbility({ ...REPORT, proofBlocks: null }, { proofBlocks: 0 })).toBe("unable");
    expect(rateAbility({ ...REPORT, traces: undefined }, { traces: true })).toBe("able");
    expect(rateAbility(undefined, { traces: true })).toBe("able");
  });
});

const POOR: ProviderProfile = {
  name: "a poor node",
  takesOverrides: false,
  refused: {
    methods: ["eth_getProof", "debug_traceCall"],
    error: { code: -32601, message: "the method does not exist/is not available" },
  },
  logSpan: { blocks: 10, error: { code: -32602, message: "range exceeds limit of 10" } },
  stateBlocks: { blocks: 64, error: { code: -32000, message: "historical state is not available" } },
};

interface Opened {
  readonly chain: Chain;
  readonly poor: ProfiledNode;
  readonly rich: ProfiledNode;
}

/** The poor node is the preferred one. */
async function withTwoNodes(run: (opened: Opened) => Promise<void>): Promise<void> {
  const local = await createLocalChain();
  await installContracts(local);
  await local.rpc("hardhat_mine", "0x200");
  const [poor, rich] = await Promise.all(
    [POOR, getProfile("full node")].map((profile) => startProfiledNode(local, profile)),
  );
  if (!poor || !rich) throw new Error("no nodes");
  const chain = await createChain({ rpcUrls: [poor.url, rich.url], expectedChainId: 8453 });
  try {
    await run({ chain, poor, rich });
  } finally {
    await chain.close();
    await Promise.all([poor.close(), rich.close()]);
  }
}

const { address } = contracts.answers42;
const transaction = { from: address, to: address, data: "0x", value: 0n } as const;
/** One of each kind that the poor node cannot answer, and one that it can. */
const readsAt = (block: number) =>
  [
    { kind: "proof", address, slots: [slotZero] },
    { kind: "call", to: address, data: "0x", overrides: { [address]: { balance: 1n } } },
    { kind: "trace", ...transaction },
    { kind: "logs", fromBlock: block - 100, addresses: [address] },
    { kind: "code", address },
  ] as const;
const RARE = ["eth_getProof", "eth_call", "debug_traceCall", "eth_getLogs"];
const countRare = ({ calls }: ProfiledNode) => RARE.map((method) => calls.get(method) ?? 0);

describe("a question goes to the node that can answer it", () => {
  test("from the first one on, once the nodes were asked what they can", () =>
    withTwoNodes(async ({ chain, poor, rich }) => {
      await chain.probeNodes();
      const before = { poor: countRare(poor), rich: countRare(rich) };
      const block = await chain.latestBlock();
      const readings = await chain.readAt(block, readsAt(block.number));
      expect(readings.map(({ status }) => status)).toEqual(Array(5).fill("value"));
      expect(countRare(poor)).toEqual(before.poor);
      expect(countRare(rich)).toEqual(before.rich.map((calls) => calls + 1));
      // What every node can is asked of the preferred one, which stays so.
      await chain.request("eth_gasPrice", []);
      expect([poor.calls.get("eth_gasPrice"), rich.calls.get("eth_gasPrice")]).toEqual([1, undefined]);
      const old = await chain.findBlock(block.number - 300);
      const asked = poor.calls.get("eth_getBalance");
      const [balance] = await chain.readAt(old ?? block, [{ kind: "balance", address }]);
      expect(balance?.status).toBe("value");
      expect((rich.calls.get("eth_getBalance") ?? 0) > 0).toBe(true);
      expect(await chain.findProvenTip([{ kind: "proof", address, slots: [] }])).toBeDefined();
      expect(countRare(poor)).toEqual(before.poor);
      // Its state is perhaps older than what it was asked for, so it is compared with.
      expect((poor.calls.get("eth_getBalance") ?? 0) - (asked ?? 0)).toBeLessThanOrEqual(2);
    }));

  test("and before that to the preferred one, and then to the other", () =>
    withTwoNodes(async ({ chain, poor }) => {
      const before = countRare(poor);
      const block = await chain.latestBlock();
      const readings = await chain.readAt(block, readsAt(block.number));
      expect(readings.map(({ status }) => status)).toEqual(Array(5).fill("value"));
      expect(countRare(poor)).toEqual(before.map((calls) => calls + 1));
    }));

  test("the operator hears that another node is asked, and what still costs", () =>
    withTwoNodes(async ({ chain }) => {
      const reports = await chain.probeNodes();
      const [poor, rich] = reports.map((report) => describeLimits(report, reports, 200));
      expect(poor).toEqual([
        "no proofs (eth_getProof): another node is asked",
        "no state overrides in eth_call: another node is asked",
        "no debug_traceCall: another node is asked",
        "events of 10 blocks (2 s) at most: another node is asked",
        "state of fewer than 120 blocks (24 s): another node is asked; older claims and challenges need two nodes that have them",
      ]);
      expect(rich).toEqual([]);
    }));
});
