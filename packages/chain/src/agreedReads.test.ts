import { describe, expect, test } from "vitest";
import type { CreateChainOptions } from "./createChain.js";
import { openChain, openNode } from "./testing/chainFixture.js";
import { contracts, installContracts, slotZero } from "./testing/contracts.js";
import type { Fault, FaultyNode } from "./testing/faultyNode.js";
import { createLocalChain, type LocalAnswer } from "./testing/localChain.js";

const { address } = contracts.answers42;
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
const reads = [
  { kind: "code", address },
  { kind: "storage", address, slot: slotZero },
  { kind: "balance", address },
  { kind: "call", to: address, data: "0x" },
] as const;
const truth = [contracts.answers42.code, word(7), "0x10", word(42)].map((value) => ({
  status: "value",
  value,
}));
const call = [reads[3]] as const;
const read42 = [truth[3]];
const unconfirmed = { status: "unanswered", reason: expect.stringMatching(/^second_node_silent/) };
const disagreement = { status: "unanswered", reason: "nodes_disagree" };

async function openNodes(count: number, options: Partial<CreateChainOptions> = {}) {
  const local = await createLocalChain();
  await installContracts(local);
  const nodes = await Promise.all(Array.from({ length: count }, () => openNode(local)));
  const chain = await openChain(nodes, { requestTimeoutMs: 1_000, ...options });
  const block = await chain.latestBlock();
  const [first, second, third] = nodes as [FaultyNode, FaultyNode, FaultyNode];
  return { local, chain, block, first, second, third };
}
const answering = (answer: LocalAnswer): Fault => ({
  kind: "edit",
  edit: ({ method }, honest) => (/^eth_(call|get(Code|Storage|Balance))/.test(method) ? answer : honest),
});
const PRUNED: LocalAnswer = {
  error: { code: -32000, message: "missing trie node 0x12 (path ) state 0x34 is not available" },
};

describe("what decides between two parties is read from two nodes", () => {
  test("both say the same", async () => {
    const { chain, block, first, second } = await openNodes(2);
    expect(await chain.readAgreed(block, reads)).toEqual(truth);
    for (const { requests } of [first, second]) expect(requests).toHaveLength(1);
  });

  test("one alone is enough where one alone is configured", async () => {
    const { chain, block } = await openNodes(1);
    expect(await chain.readAgreed(block, reads)).toEqual(truth);
    expect(await chain.findAgreedBlock(block.number)).toEqual(block);
  });

  test("where one of them lies, the reading is unanswered", async () => {
    const { chain, block, first, second } = await openNodes(2);
    for (const liar of [first, second]) {
      liar.fault = answering({ result: word(43) });
      const readings = await chain.readAgreed(block, reads);
      // Not a code of 32 bytes alone: a lie about each of them.
      expect(readings).toEqual([disagreement, disagreement, disagreement, disagreement]);
      liar.fault = undefined;
    }
    expect(await chain.readAgreed(block, reads)).toEqual(truth);
  });

  test.each<[string, Fault]>([
    ["resets connections", { kind: "reset" }],
    ["hangs", { kind: "hang" }],
    ["answers 502", { kind: "status", status: 502 }],
    ["answers 429", { kind: "status", status: 429, headers: { "retry-after": "30" } }],
    ["answers null", answering({ result: null })],
    ["does not have that history", answering(PRUNED)],
    ["fails", answering({ error: { code: -32603, message: "internal error" } })],
  ])("one of them that %s leaves it unanswered", async (_, fault) => {
    // Only silence is waited for until its end; the honest node has time, however busy the machine is.
    const requestTimeoutMs = fault.kind === "hang" ? 1_500 : 20_000;
    const leavesItOpen = async (at: "first" | "second") => {
      const { chain, block, ...nodes } = await openNodes(2, { requestTimeoutMs });
      nodes[at].fault = fault;
      expect(await chain.readAgreed(block, reads)).toEqual([
        unconfirmed,
        unconfirmed,
        unconfirmed,
        unconfirmed,
      ]);
      // For an ordinary read the other node's answer is enough.
      expect(await chain.readAt(block, call)).toEqual(read42);
    };
    await Promise.all([leavesItOpen("first"), leavesItOpen("second")]);
  });

  test("a lie is not accepted where the other node does not answer", async () => {
    const { chain, block, first, second } = await openNodes(2);
    first.fault = answering({ result: word(43) });
    second.fault = { kind: "reset" };
    expect(await chain.readAgreed(block, call)).toEqual([unconfirmed]);
  });

  test("one that lags is given a moment", async () => {
    const { chain, block, second } = await openNodes(2);
    let asked = 0;
    second.fault = {
      kind: "edit",
      edit: (_, honest) =>
        ++asked === 1 ? { error: { code: -32000, message: "header not found" } } : honest,
    };
    expect(await chain.readAgreed(block, call)).toEqual(read42);
  });

  test("of three, two that answer are enough, and a third is asked only where one fails", async () => {
    const { chain, block, first, second, third } = await openNodes(3);
    expect(await chain.readAgreed(block, call)).toEqual(read42);
    expect(second.requests).toEqual([]);
    first.fault = { kind: "reset" };
    expect(await chain.readAgreed(block, reads)).toEqual(truth);
    third.fault = { kind: "reset" };
    const [code] = await chain.readAgreed(block, [{ kind: "code", address: contracts.revertsEmpty.address }]);
    expect(code).toEqual(unconfirmed);
  });
});

describe("what was agreed on is remembered, and nothing else", () => {
  test("one node's answer to an ordinary read does not count as two nodes'", async () => {
    const { chain, block, second } = await openNodes(2);
    second.fault = { kind: "reset" };
    expect(await chain.readAt(block, call)).toEqual(read42);
    expect(await chain.readAgreed(block, call)).toEqual([unconfirmed]);
  });

  test("a hundred callers cost each node one request, and the next one none", async () => {
    const { chain, block, first, second } = await openNodes(2);
    await Promise.all(Array.from({ length: 100 }, () => chain.readAgreed(block, reads)));
    await chain.readAgreed(block, reads);
    for (const { requests } of [first, second]) expect(requests).toHaveLength(1);
  });
});

describe("a block that two nodes name", () => {
  const naming = (answer: (honest: LocalAnswer) => LocalAnswer): Fault => ({
    kind: "edit",
    edit: ({ params }, honest) => (params[0] === "latest" ? honest : answer(honest)),
  });

  test("is found; one that only one of them has is not", async () => {
    const { chain, block, first, second } = await openNodes(2);
    expect(await chain.findAgreedBlock(block.number)).toEqual(block);
    for (const node of [first, second]) {
      node.fault = naming(() => ({ result: null }));
      await expect(chain.findAgreedBlock(block.number)).rejects.toMatchObject({ code: "chain_unavailable" });
      expect(await chain.findBlock(block.number)).toEqual(block);
      node.fault = naming(({ result }) => ({ result: { ...(result as object), hash: word(1) } }));
      await expect(chain.findAgreedBlock(block.number)).rejects.toMatchObject({ code: "chain_unavailable" });
      node.fault = undefined;
    }
  });

  test("is undefined where no node has it", async () => {
    const { chain, block } = await openNodes(2);
    expect(await chain.findAgreedBlock(block.number + 10)).toBeUndefined();
  });
});
