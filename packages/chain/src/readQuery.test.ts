import { openStateProofs } from "@assay/protocol";
import { keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { createReadQuery } from "./readQuery.js";
import { openFixture } from "./testing/chainFixture.js";
import { contracts, slotZero, unusedAddress } from "./testing/contracts.js";
import type { FaultyNode } from "./testing/faultyNode.js";
import type { BlockHeader, Chain } from "./types.js";

const address = contracts.answers42.address;
const slotOne = `0x${"1".padStart(64, "0")}` as const;
const SEVEN = `0x${"7".padStart(64, "0")}`;
const ZERO = `0x${"0".repeat(64)}`;
const proofOfTwo = { kind: "proof", address, slots: [slotZero, slotOne] } as const;

async function openState(chain: Chain, block: BlockHeader, read: Parameters<typeof readProof>[2]) {
  const { header, nodes } = await readProof(chain, block, read);
  return openStateProofs({ header, nodes: [...nodes] }, block.hash);
}

async function readProof(
  chain: Chain,
  block: BlockHeader,
  read: { kind: "proof"; address: `0x${string}`; slots: readonly `0x${string}`[] },
) {
  const [header, nodes] = await chain.readAt(block, [{ kind: "header" }, read]);
  if (header.status !== "value" || nodes.status !== "value") throw new Error("no proof");
  return { header: header.value, nodes: nodes.value };
}

/** A block whose header is not known from having been the newest. */
async function findOlderBlock(chain: Chain): Promise<BlockHeader> {
  const block = await chain.findBlock(chain.getFreshHead().header.number - 1);
  if (block === undefined) throw new Error("no older block");
  return block;
}

/** The node answers one method with something else. */
function answerInstead(node: FaultyNode, method: string, result: (honest: unknown) => unknown): void {
  node.fault = {
    kind: "edit",
    edit: (call, honest) => (call.method === method ? { result: result(honest.result) } : honest),
  };
}

describe("a proof read from the local chain", () => {
  test("shows a contract's code hash, a slot that is set and one that is not", async () => {
    const { chain } = await openFixture();
    const state = await openState(chain, await chain.latestBlock(), proofOfTwo);
    expect(state.getCodeHash(address)).toBe(keccak256(contracts.answers42.code));
    expect(state.getSlot(address, slotZero)).toBe(SEVEN);
    expect(state.getSlot(address, slotOne)).toBe(ZERO);
  });

  test("shows that an account does not exist, and so has no code and no storage", async () => {
    const { chain } = await openFixture();
    const read = { kind: "proof", address: unusedAddress, slots: [slotZero] } as const;
    const state = await openState(chain, await chain.latestBlock(), read);
    expect(state.getCodeHash(unusedAddress)).toBeNull();
    expect(state.getSlot(unusedAddress, slotZero)).toBe(ZERO);
  });

  test("shows that a plain account with a balance has no code", async () => {
    const { chain, local } = await openFixture();
    await local.rpc("hardhat_setBalance", unusedAddress, "0x10");
    await local.rpc("evm_mine");
    const read = { kind: "proof", address: unusedAddress, slots: [] } as const;
    const state = await openState(chain, await chain.latestBlock(), read);
    expect(state.getCodeHash(unusedAddress)).toBeNull();
  });

  test("is of its block, not of a later state", async () => {
    const { chain, local } = await openFixture();
    const before = await chain.latestBlock();
    // State set by force belongs to the newest block, whose own header does not commit to it.
    await local.rpc("evm_mine");
    await local.rpc("hardhat_setStorageAt", address, "0x0", slotOne);
    await local.rpc("evm_mine");
    const after = await chain.latestBlock();
    expect((await openState(chain, before, proofOfTwo)).getSlot(address, slotZero)).toBe(SEVEN);
    expect((await openState(chain, after, proofOfTwo)).getSlot(address, slotZero)).toBe(slotOne);
    const { header, nodes } = await readProof(chain, before, proofOfTwo);
    expect(() => openStateProofs({ header, nodes: [...nodes] }, after.hash)).toThrow(/not to the block/);
  });

  test("does not show what was not asked for", async () => {
    const { chain } = await openFixture();
    const block = await chain.latestBlock();
    const state = await openState(chain, block, { kind: "proof", address, slots: [] });
    expect(() => state.getSlot(address, slotZero)).toThrow(/is missing/);
  });

  test("travels with the header of a block that was not the newest, and names each node once", async () => {
    const { chain, node } = await openFixture();
    const { nodes } = await readProof(chain, await findOlderBlock(chain), proofOfTwo);
    expect(new Set(nodes).size).toBe(nodes.length);
    expect(node.requests.map((batch) => batch.map(({ method }) => method))).toEqual([
      ["eth_getBlockByNumber"],
      ["eth_getBlockByHash", "eth_getProof"],
    ]);
    expect(chain.provesState()).toBe(true);
  });

  test("needs no second answer for the header of the newest block", async () => {
    const { chain, node } = await openFixture();
    await openState(chain, await chain.latestBlock(), proofOfTwo);
    expect(node.requests.flat().map(({ method }) => method)).toEqual(["eth_getProof"]);
    expect(chain.provesState()).toBe(true);
  });

  test("asks for the header by its hash where the newest block came without all fields", async () => {
    const { chain, node } = await openFixture();
    answerInstead(node, "eth_getBlockByNumber", (honest) => ({ ...(honest as object), logsBloom: null }));
    await openState(chain, await chain.latestBlock(), proofOfTwo);
    expect(node.requests.flat().map(({ method }) => method)).toContain("eth_getBlockByHash");
  });
});

describe("a node that answers badly", () => {
  test.each<[string, (honest: unknown) => unknown]>([
    ["null", () => null],
    ["no account proof", () => ({ storageProof: [] })],
    ["nodes that are not hex", () => ({ accountProof: ["0xzz"], storageProof: [] })],
  ])("with %s for a proof gives none", async (_, result) => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    answerInstead(node, "eth_getProof", result);
    const [proof] = await chain.readAt(block, [proofOfTwo]);
    expect(proof.status).toBe("unanswered");
    expect(chain.provesState()).toBe(false);
  });

  test("with a header that does not hash to the block's hash is one of an unknown form", async () => {
    const { chain, node } = await openFixture();
    const block = await findOlderBlock(chain);
    answerInstead(node, "eth_getBlockByHash", (honest) => ({ ...(honest as object), gasUsed: "0x123" }));
    const [header] = await chain.readAt(block, [{ kind: "header" }]);
    expect(header).toEqual({ status: "absent" });
  });

  test("with no header does not have the block yet, and is asked again", async () => {
    const { chain, node } = await openFixture();
    const block = await findOlderBlock(chain);
    answerInstead(node, "eth_getBlockByHash", () => null);
    const [none] = await chain.readAt(block, [{ kind: "header" }]);
    expect(none).toEqual({ status: "unanswered", reason: "unknown_block" });
    let lacking = 3;
    answerInstead(node, "eth_getBlockByHash", (honest) => (lacking-- > 0 ? null : honest));
    const [header] = await chain.readAt(block, [{ kind: "header" }]);
    expect(header.status).toBe("value");
  });
});

test("what was read at a block is not used for another block of the same number", async () => {
  const { chain } = await openFixture();
  const block = await chain.latestBlock();
  const other = { ...block, hash: keccak256(block.hash) };
  const reads = [
    { kind: "logs", fromBlock: 0, addresses: [address] },
    { kind: "feeHistory", blockCount: 1, percentiles: [] },
    { kind: "code", address },
  ] as const;
  for (const read of reads) {
    const [key, otherKey] = [block, other].map((at) => createReadQuery(at, read).key);
    expect([read.kind, key === otherKey]).toEqual([read.kind, false]);
  }
});
