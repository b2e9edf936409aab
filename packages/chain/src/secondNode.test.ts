import { describe, expect, test, vi } from "vitest";
import type { CreateChainOptions } from "./createChain.js";
import { openChain, openNode } from "./testing/chainFixture.js";
import { contracts, installContracts, slotZero, unusedAddress } from "./testing/contracts.js";
import type { Fault, FaultyNode, NodeCall } from "./testing/faultyNode.js";
import { createLocalChain, type LocalAnswer } from "./testing/localChain.js";
import type { ChainRead } from "./types.js";

const { address } = contracts.answers42;
const call = { kind: "call", to: address, data: "0x" } as const;
const reverting = { kind: "call", to: contracts.revertsWithData.address, data: "0x" } as const;
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
const read42 = { status: "value", value: word(42) };
const disagreement = { status: "unanswered", reason: "nodes_disagree" };
const UNKNOWN = { error: { code: -32000, message: "header not found" } };

async function openNodes(count: number, options: Partial<CreateChainOptions> = {}) {
  const local = await createLocalChain();
  await installContracts(local);
  const nodes = await Promise.all(Array.from({ length: count }, () => openNode(local)));
  const chain = await openChain(nodes, options);
  const block = await chain.latestBlock();
  const [first, second, third] = nodes as [FaultyNode, FaultyNode, FaultyNode];
  return { local, chain, block, first, second, third };
}
const answering = (method: string, answer: LocalAnswer): Fault => ({
  kind: "edit",
  edit: (asked, honest) => (asked.method === method ? answer : honest),
});
const methodsOf = ({ requests }: FaultyNode) =>
  requests.map((calls: readonly NodeCall[]) => calls.map(({ method }) => method));

describe("where two nodes answer differently, the reading is unanswered", () => {
  const refused = (data: string): LocalAnswer => ({
    error: { code: 3, message: "execution reverted", data },
  });
  const lies: [string, ChainRead, Fault][] = [
    ["a call's value", call, answering("eth_call", { result: word(43) })],
    ["a call's value, by giving none", call, answering("eth_call", { result: "0x" })],
    ["a call's value, by a revert", call, answering("eth_call", refused("0x"))],
    ["a revert, by a value", reverting, answering("eth_call", { result: word(1) })],
    ["what a call reverted with", reverting, answering("eth_call", refused("0xdeadbeee"))],
    ["code", { kind: "code", address }, answering("eth_getCode", { result: "0x00" })],
    [
      "a slot",
      { kind: "storage", address, slot: slotZero },
      answering("eth_getStorageAt", { result: "0x8" }),
    ],
    ["a balance", { kind: "balance", address }, answering("eth_getBalance", { result: "0x11" })],
  ];

  test.each(lies)("one lies about %s", async (_, read, lie) => {
    const { chain, block, first, second } = await openNodes(2);
    for (const liar of [first, second]) {
      liar.fault = lie;
      expect(await chain.readAt(block, [read])).toEqual([disagreement]);
      liar.fault = undefined;
    }
    // A disagreement is no fact about the block, so it is not memoized.
    expect((await chain.readAt(block, [read])).map(({ status }) => status)).not.toContain("unanswered");
  });

  test("it is logged with the nodes' names, and without what was asked", async () => {
    const warn = vi.fn();
    const { chain, block, first, second } = await openNodes(2, { logger: { warn, info() {} } });
    second.fault = answering("eth_call", { result: word(43) });
    await chain.readAt(block, [call]);
    const facts = { nodes: [first.host, second.host], method: "eth_call", block: block.number };
    expect(warn.mock.calls).toEqual([[facts, "nodes disagree"]]);
  });

  test("of three, the two that answer are compared when the first fails", async () => {
    const { chain, block, first, third } = await openNodes(3);
    first.fault = answering("eth_call", { error: { code: -32603, message: "internal error" } });
    third.fault = answering("eth_call", { result: word(43) });
    expect(await chain.readAt(block, [call])).toEqual([disagreement]);
  });

  test("a node that alone answers is asked twice, and may contradict itself", async () => {
    const { chain, block, first, second } = await openNodes(2);
    first.fault = answering("eth_call", { error: { code: -32603, message: "internal error" } });
    let asked = 0;
    second.fault = { kind: "edit", edit: () => ({ result: word(++asked) }) };
    expect(await chain.readAt(block, [call])).toEqual([disagreement]);
    second.fault = undefined;
    expect(await chain.readAt(block, [call])).toEqual([read42]);
  });

  test("a second node that lags is given a moment", async () => {
    const { chain, block, second } = await openNodes(2);
    let asked = 0;
    second.fault = { kind: "edit", edit: () => (++asked === 1 ? UNKNOWN : { result: word(43) }) };
    expect(await chain.readAt(block, [call])).toEqual([disagreement]);
  });
});

describe("what is the same though it is written differently", () => {
  test("a revert whose bytes only one node passes on, and a quantity with leading zeros", async () => {
    const { chain, block, second } = await openNodes(2);
    second.fault = {
      kind: "edit",
      edit: ({ method }) =>
        method === "eth_call"
          ? { error: { code: 3, message: "execution reverted" } }
          : { result: `0x${"10".padStart(64, "0")}` },
    };
    expect(await chain.readAt(block, [reverting, { kind: "balance", address }])).toEqual([
      { status: "reverted", data: "0xdeadbeef" },
      { status: "value", value: "0x10" },
    ]);
  });
});

describe("where the second node does not answer, the first one's answer stands", () => {
  test.each<[string, Fault]>([
    ["resets connections", { kind: "reset" }],
    ["answers HTML 502", { kind: "status", status: 502 }],
    ["answers 429", { kind: "status", status: 429, headers: { "retry-after": "30" } }],
    ["answers null", { kind: "edit", edit: () => ({ result: null }) }],
    ["does not have the block", { kind: "edit", edit: () => UNKNOWN }],
    ["fails", { kind: "edit", edit: () => ({ error: { code: -32603, message: "internal error" } }) }],
    ["hangs", { kind: "hang" }],
  ])("because it %s", async (_, fault) => {
    const { chain, block, second } = await openNodes(2, { requestTimeoutMs: 4_000 });
    second.fault = fault;
    const started = performance.now();
    expect(await chain.readAt(block, [call])).toEqual([read42]);
    // Far less than the node itself is given.
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(second.requests.length).toBeGreaterThan(0);
  });

  test("and one that keeps failing is not asked any more", async () => {
    const { chain, block, second } = await openNodes(2);
    second.fault = { kind: "reset" };
    const callOf = (i: number) => ({ ...call, data: `0x0${i}` }) as const;
    for (let i = 0; i < 3; i += 1) await chain.readAt(block, [callOf(i)]);
    const asked = second.requests.length;
    expect(await chain.readAt(block, [callOf(4)])).toEqual([read42]);
    expect(second.requests).toHaveLength(asked);
  });
});

describe("what the second node costs", () => {
  test("it is asked at the same time, and about nothing that proves itself or may honestly differ", async () => {
    const { chain, block, local, first, second } = await openNodes(2);
    const proof = { kind: "proof", address, slots: [slotZero] } as const;
    await chain.readAt(block, [{ kind: "header" }, proof]);
    expect(second.requests).toEqual([]);
    await local.rpc("evm_mine");
    const next = await chain.latestBlock();
    first.fault = { kind: "delay", ms: 400 };
    second.fault = answering("eth_estimateGas", { result: "0x1" });
    let isRead = false;
    const reading = chain.readAt(next, [
      { kind: "header" },
      { kind: "code", address },
      proof,
      call,
      { kind: "gasEstimate", from: unusedAddress, to: address, data: "0x", value: 0n },
      { kind: "feeHistory", blockCount: 1, percentiles: [] },
    ]);
    void reading.then(() => {
      isRead = true;
    });
    await vi.waitFor(() => expect(methodsOf(second)).toEqual([["eth_call"]]));
    expect(isRead).toBe(false);
    expect((await reading).map(({ status }) => status)).toEqual(Array(6).fill("value"));
    expect(second.requests).toHaveLength(1);
  });

  test("code that a proof was to decide is compared when it is asked for alone", async () => {
    const { chain, block, second } = await openNodes(2);
    const code = { kind: "code", address } as const;
    const proof = { kind: "proof", address, slots: [] } as const;
    await chain.readAt(block, [{ kind: "header" }, { ...proof, address: unusedAddress }]);
    second.fault = answering("eth_getCode", { result: "0x00" });
    const [decided] = await chain.readAt(block, [code, proof]);
    expect(decided).toEqual({ status: "value", value: contracts.answers42.code });
    expect(await chain.readAt(block, [code])).toEqual([disagreement]);
  });

  test("a hundred callers ask it once, a known answer is not asked for again, questions of one turn share a request", async () => {
    const { chain, block, first, second } = await openNodes(2);
    await Promise.all(Array.from({ length: 100 }, () => chain.readAt(block, [call])));
    await chain.readAt(block, [call]);
    await Promise.all([chain.readAt(block, [reverting]), chain.readAt(block, [{ ...call, data: "0x01" }])]);
    for (const node of [first, second])
      expect(methodsOf(node)).toEqual([["eth_call"], ["eth_call", "eth_call"]]);
  });

  test("it does not become the preferred one by answering", async () => {
    const { chain, block, first, second } = await openNodes(2);
    await chain.readAt(block, [call]);
    await chain.request("eth_gasPrice", []);
    expect(methodsOf(first).flat()).toContain("eth_gasPrice");
    expect(methodsOf(second).flat()).not.toContain("eth_gasPrice");
  });
});
