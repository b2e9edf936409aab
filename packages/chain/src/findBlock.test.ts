import { describe, expect, test } from "vitest";
import { openChain, openFixture, openNode } from "./testing/chainFixture.js";
import type { Fault } from "./testing/faultyNode.js";
import { createLocalChain } from "./testing/localChain.js";

const byNumber = (edit: (honest: object) => object | null): Fault => ({
  kind: "edit",
  edit: (call, honest) =>
    call.method === "eth_getBlockByNumber" && call.params[0] !== "latest"
      ? { result: edit(honest.result as object) }
      : honest,
});
const forged = byNumber((header) => ({ ...header, hash: `0x${"12".repeat(32)}` }));

describe("a block by its number", () => {
  test("is the header that the chain has there", async () => {
    const { chain, local } = await openFixture();
    const block = await chain.latestBlock();
    await local.rpc("evm_mine");
    const next = await chain.latestBlock();
    expect(await chain.findBlock(block.number)).toEqual(block);
    expect(await chain.findBlock(next.number)).toEqual(next);
    expect((await chain.findBlock(0))?.number).toBe(0);
  });

  test("is undefined beyond the head", async () => {
    const { chain } = await openFixture();
    expect(await chain.findBlock((await chain.latestBlock()).number + 1)).toBeUndefined();
  });

  test("is not undefined but chain_unavailable when the node does not answer", async () => {
    const { chain, node } = await openFixture();
    node.fault = { kind: "reset" };
    await expect(chain.findBlock(1)).rejects.toMatchObject({ code: "chain_unavailable" });
  });

  test("is refused when the node gives another block", async () => {
    const { chain, node } = await openFixture();
    node.fault = byNumber((header) => ({ ...header, number: "0x0" }));
    await expect(chain.findBlock(1)).rejects.toMatchObject({ code: "chain_unavailable" });
  });
});

describe("with two nodes", () => {
  async function openTwo() {
    const local = await createLocalChain();
    await local.rpc("evm_mine");
    const nodes = [await openNode(local), await openNode(local)] as const;
    return { chain: await openChain(nodes), nodes };
  }

  test("both are asked, and must name the same block", async () => {
    const { chain, nodes } = await openTwo();
    expect((await chain.findBlock(1))?.number).toBe(1);
    const asked = nodes.map(({ requests }) => requests.flat().map(({ params }) => params[0]));
    expect(asked).toEqual([["0x1"], ["0x1"]]);
    for (const node of nodes) {
      node.fault = forged;
      await expect(chain.findBlock(1)).rejects.toMatchObject({ code: "chain_unavailable" });
      node.fault = undefined;
    }
  });

  test("one that lacks the block or is down does not prevent an answer", async () => {
    const { chain, nodes } = await openTwo();
    for (const fault of [byNumber(() => null), { kind: "reset" } as const])
      for (const node of nodes) {
        node.fault = fault;
        expect((await chain.findBlock(1))?.number).toBe(1);
        node.fault = undefined;
      }
  });
});
