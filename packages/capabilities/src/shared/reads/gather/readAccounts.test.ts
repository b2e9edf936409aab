import { openFixture } from "@assay/chain/testing/chainFixture";
import { contracts, slotZero, unusedAddress } from "@assay/chain/testing/contracts";
import type { FaultyNode } from "@assay/chain/testing/faultyNode";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { createGatherContext } from "../../../testing/createGatherContext.js";
import { readAccounts } from "./readAccounts.js";

const { answers42, revertsEmpty } = contracts;
const slotOne: Hex = `0x${"1".padStart(64, "0")}`;
const value = (read: string) => ({ status: "value", value: read });
const SEVEN = value(`0x${"7".padStart(64, "0")}`);
const ZERO = value(`0x${"0".repeat(64)}`);
const requests = [
  { address: answers42.address, slots: [slotZero, slotOne] },
  { address: unusedAddress, slots: [] },
  { address: revertsEmpty.address, slots: [slotZero] },
];
const others = [{ kind: "call", to: answers42.address, data: "0x" }] as const;
const expected = {
  accounts: [
    { code: value(answers42.code), slots: [SEVEN, ZERO] },
    { code: { status: "absent" }, slots: [] },
    { code: value(revertsEmpty.code), slots: [ZERO] },
  ],
  others: [value(`0x${"2a".padStart(64, "0")}`)],
};

/** A node that has given a header and a proof before, and the newest block. */
async function openKnown() {
  const { chain, node, local } = await openFixture();
  await chain.readAt(await chain.latestBlock(), [
    { kind: "header" },
    { kind: "proof", address: unusedAddress, slots: [] },
  ]);
  await local.rpc("evm_mine");
  const context = createGatherContext(chain, await chain.latestBlock());
  node.requests.length = 0;
  return { chain, node, context };
}
const methodsOf = (node: FaultyNode) => node.requests.map((batch) => batch.map(({ method }) => method));
const countOf = (methods: readonly string[] | undefined, wanted: string) =>
  methods?.filter((method) => method === wanted).length;

test("everything comes in one batch, slots from their proofs", async () => {
  const { context, node } = await openKnown();
  expect(await readAccounts(context, requests, others)).toEqual(expected);
  const [batch, ...further] = methodsOf(node);
  expect(further).toEqual([]);
  // The header came with the name of the block.
  expect(batch).toHaveLength(3 * 2 + 1);
  expect(countOf(batch, "eth_getStorageAt")).toBe(0);
  expect(context.proofs.finish()).not.toBeNull();
});

test("slots are also asked for by themselves while no proof was ever given, in the same batch", async () => {
  const { chain, node } = await openFixture();
  const context = createGatherContext(chain, await chain.latestBlock());
  node.requests.length = 0;
  expect(await readAccounts(context, requests, others)).toEqual(expected);
  const [batch, ...further] = methodsOf(node);
  expect(further).toEqual([]);
  // Two slots of one account are one call.
  expect(countOf(batch, "eth_getStorageAt")).toBe(1);
  expect(countOf(batch, "eth_call")).toBe(1 + others.length);
  expect(context.proofs.finish()).not.toBeNull();
});

describe("where a proof fails that was counted on", () => {
  const isProof = (method: string) => method === "eth_getProof";
  test.each<[string, FaultyNode["fault"]]>([
    [
      "by an error",
      {
        kind: "edit",
        edit: ({ method }, honest) =>
          isProof(method) ? { error: { code: -32601, message: "not supported" } } : honest,
      },
    ],
    [
      "by being of another state",
      {
        kind: "edit",
        edit: ({ method }, honest) =>
          isProof(method) ? { result: { accountProof: ["0xc0"], storageProof: [] } } : honest,
      },
    ],
  ])("%s, the slots of all accounts are read in one further request", async (_, fault) => {
    const { context, node } = await openKnown();
    node.fault = fault;
    expect(await readAccounts(context, requests, others)).toEqual(expected);
    const slots = methodsOf(node).filter((batch) => batch.includes("eth_getStorageAt"));
    // Two slots of one account are one call.
    expect(slots).toEqual([["eth_getStorageAt", "eth_call"]]);
    expect(context.proofs.finish()).toBeNull();
  });

  test("for one account, only its own slots are read, and nothing counts as proven", async () => {
    const { context, node } = await openKnown();
    node.fault = {
      kind: "edit",
      edit: ({ method, params }, honest) =>
        isProof(method) && params[0] === revertsEmpty.address ? { result: null } : honest,
    };
    expect(await readAccounts(context, requests, others)).toEqual(expected);
    const plain = methodsOf(node)
      .flat()
      .filter((method) => method === "eth_getStorageAt");
    expect(plain).toHaveLength(1);
    expect(context.proofs.finish()).toBeNull();
  });

  test("and storage with it, the slots are unanswered, not zero", async () => {
    const { context, node } = await openKnown();
    node.fault = {
      kind: "edit",
      edit: ({ method }, honest) =>
        isProof(method) || method === "eth_getStorageAt"
          ? { error: { code: -32000, message: "missing trie node" } }
          : honest,
    };
    const { accounts } = await readAccounts(context, requests, others);
    expect(accounts[0]?.slots.map(({ status }) => status)).toEqual(["unanswered", "unanswered"]);
    expect(accounts[0]?.code).toEqual(value(answers42.code));
  });
});
