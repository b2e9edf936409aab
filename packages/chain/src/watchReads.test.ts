import { describe, expect, test } from "vitest";
import { openChain, openFixture, openNode } from "./testing/chainFixture.js";
import { contracts } from "./testing/contracts.js";
import type { Fault } from "./testing/faultyNode.js";
import { watchReads } from "./watchReads.js";

const call = (data: `0x${string}` = "0x") =>
  ({ kind: "call", to: contracts.answers42.address, data }) as const;
const code = { kind: "code", address: contracts.answers42.address } as const;
const failing = (code: number, message: string): Fault => ({
  kind: "edit",
  edit: () => ({ error: { code, message } }),
});

describe("what a caller lacks for a while", () => {
  test.each<[string, Fault]>([
    ["a rate limit in the answer", failing(-32005, "credits limited")],
    ["a rate limit as a status", { kind: "status", status: 429, headers: { "retry-after": "9" } }],
    ["a lagging backend", failing(-32000, "header not found")],
    ["a backend that has not written the state yet", failing(-32000, "missing trie node ab (path )")],
    ["a gateway's timeout with a code of reverts", failing(-32015, "gateway timeout")],
    ["a gateway's page", { kind: "status", status: 504 }],
    ["a page with status 200", { kind: "body", body: "<html></html>" }],
    ["half an answer", { kind: "body", body: '{"jsonrpc":"2.0","id":1,"resu' }],
    ["a hang", { kind: "hang" }],
  ])("%s is remembered, and nothing is asked after it", async (_, fault) => {
    const { chain, node } = await openFixture({ requestTimeoutMs: 300 });
    const block = await chain.latestBlock();
    const caller = watchReads(chain);
    node.fault = fault;
    expect(await caller.readAt(block, [call()])).toMatchObject([{ status: "unanswered" }]);
    expect(caller.passingFailures()).toHaveLength(1);
    node.requests.length = 0;
    expect(await caller.readAt(block, [code])).toEqual([{ status: "unanswered", reason: "not_asked" }]);
    expect(node.requests).toEqual([]);
    expect(watchReads(chain).passingFailures()).toEqual([]);
  });

  test.each<[string, Fault]>([
    ["an internal error", failing(-32603, "Internal error")],
    ["a refused method", failing(-32601, "the method does not exist")],
    ["a question that is too much for the node", failing(-32000, "execution aborted (timeout = 5s)")],
    ["a refused argument", failing(-32602, "too many arguments, want at most 2")],
  ])("does not include %s", async (_, fault) => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    const caller = watchReads(chain);
    node.fault = fault;
    expect(await caller.readAt(block, [call()])).toMatchObject([{ status: "unanswered" }]);
    expect(caller.passingFailures()).toEqual([]);
  });

  test("includes what a reader catches", async () => {
    const { chain, node } = await openFixture();
    const caller = watchReads(chain);
    node.fault = failing(-32000, "upstream unavailable");
    await caller.request("eth_getLogs", [{}]).catch(() => undefined);
    await caller.findBlock(1).catch(() => undefined);
    expect(caller.passingFailures()).toHaveLength(2);
  });

  test("does not include state that is too old for the node", async () => {
    const { chain, node, local } = await openFixture();
    const block = await chain.latestBlock();
    await local.rpc("hardhat_mine", "0x20");
    await chain.latestBlock();
    const caller = watchReads(chain);
    node.fault = failing(-32000, "missing trie node ab (path )");
    expect(await caller.readAt(block, [call()])).toEqual([{ status: "unanswered", reason: "state_pruned" }]);
    expect(caller.passingFailures()).toEqual([]);
  });

  test("is nothing where another node answers", async () => {
    const { local, node } = await openFixture();
    const other = await openNode(local);
    const chain = await openChain([node, other]);
    const block = await chain.latestBlock();
    const caller = watchReads(chain);
    node.fault = failing(-32005, "credits limited");
    expect(await caller.readAt(block, [call()])).toMatchObject([{ status: "value" }]);
    expect(caller.passingFailures()).toEqual([]);
  });
});
