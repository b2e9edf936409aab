import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { openChain, openNode } from "./testing/chainFixture.js";
import type { Fault, FaultyNode } from "./testing/faultyNode.js";
import { createLocalChain, type LocalChain } from "./testing/localChain.js";

const RAW: Hex = "0x02c0";
const accepted = { status: "accepted" };

/** Two nodes that take any transaction, and how often each was handed one. */
async function openNodes() {
  const local = await createLocalChain();
  const taking: LocalChain = {
    ...local,
    answer: async (method, params) =>
      method === "eth_sendRawTransaction" ? { result: `0x${"11".repeat(32)}` } : local.answer(method, params),
  };
  const [first, second] = (await Promise.all([openNode(taking), openNode(taking)])) as [
    FaultyNode,
    FaultyNode,
  ];
  const chain = await openChain([first, second]);
  const sendsTo = (node: FaultyNode) =>
    node.requests.flat().filter(({ method }) => method === "eth_sendRawTransaction").length;
  return { chain, first, second, sendsTo };
}

const throttle: Fault = { kind: "status", status: 429 };
const refuse: Fault = {
  kind: "edit",
  edit: ({ method }, honest) =>
    method === "eth_sendRawTransaction" ? { error: { code: -32000, message: "txpool is full" } } : honest,
};
const isSend = (calls: readonly { method: string }[]) =>
  calls.some(({ method }) => method === "eth_sendRawTransaction");

describe("a signed transaction", () => {
  test("goes to one node, or to each", async () => {
    const { chain, first, second, sendsTo } = await openNodes();
    expect(await chain.sendTransaction(RAW, { toEach: false })).toEqual([accepted]);
    expect([sendsTo(first), sendsTo(second)].sort()).toEqual([0, 1]);
    expect(await chain.sendTransaction(RAW, { toEach: true })).toEqual([accepted, accepted]);
    expect([sendsTo(first), sendsTo(second)].sort()).toEqual([1, 2]);
  });

  test("goes on to the next node only where it certainly did not arrive", async () => {
    const { chain, first, second, sendsTo } = await openNodes();
    for (const node of [first, second]) node.appliesTo = isSend;
    first.fault = second.fault = { kind: "reset" };
    expect(await chain.sendTransaction(RAW, { toEach: false })).toMatchObject([{ status: "silent" }]);
    expect(sendsTo(first) + sendsTo(second)).toBe(1);
    first.fault = second.fault = refuse;
    expect(await chain.sendTransaction(RAW, { toEach: false })).toMatchObject([
      { status: "error", error: { message: "txpool is full" } },
    ]);
    expect(sendsTo(first) + sendsTo(second)).toBe(2);
    // The preferred node, whichever it is, throttles; the other one takes it.
    const preferred = sendsTo(first) > 0 ? first : second;
    first.fault = second.fault = undefined;
    preferred.fault = throttle;
    expect(await chain.sendTransaction(RAW, { toEach: false })).toEqual([accepted]);
  });

  test("that no node got has no answer", async () => {
    const { chain, first, second } = await openNodes();
    first.fault = second.fault = throttle;
    expect(await chain.sendTransaction(RAW, { toEach: false })).toEqual([]);
    expect(await chain.sendTransaction(RAW, { toEach: true })).toEqual([]);
  });
});
