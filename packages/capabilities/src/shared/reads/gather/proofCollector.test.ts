import { type ChainFixture, openFixture } from "@assay/chain/testing/chainFixture";
import { contracts, nobody, slotZero } from "@assay/chain/testing/contracts";
import { absent, type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { createProofCollector } from "./proofCollector.js";

const { address, code } = contracts.answers42;
const slotOne: Hex = `0x${"1".padStart(64, "0")}`;
const SEVEN = `0x${"7".padStart(64, "0")}`;
const whole = { address, slots: [slotZero, slotOne] };
const onlyCode = { address, slots: [] };

async function openProofs() {
  const { chain }: ChainFixture = await openFixture();
  const block = await chain.latestBlock();
  const [header, ofWhole, ofCode, ofNobody] = await chain.readAt(block, [
    { kind: "header" },
    { kind: "proof", ...whole },
    { kind: "proof", ...onlyCode },
    { kind: "proof", address: nobody, slots: [] },
  ]);
  return { block, header, ofWhole, ofCode, ofNobody, basket: createProofCollector(block.hash) };
}

test("an empty basket proves nothing", async () => {
  const { basket } = await openProofs();
  expect(basket.finish()).toBeNull();
  expect(() => basket.getCodeHash(address)).toThrow(/no proof for account/);
});

test("it keeps every node once and tells what they prove", async () => {
  const { basket, header, ofWhole, ofNobody } = await openProofs();
  expect(basket.add(header, ofWhole, whole)?.getSlot(address, slotZero)).toBe(SEVEN);
  basket.add(header, ofNobody, { address: nobody, slots: [] });
  basket.add(header, ofWhole, whole);
  const nodes = basket.finish()?.nodes ?? [];
  expect(new Set(nodes).size).toBe(nodes.length);
  expect(basket.getCodeHash(address)).toBe(keccak256(code));
  expect(basket.getCodeHash(nobody)).toBeNull();
  expect(() => basket.getSlot(nobody, slotZero)).not.toThrow();
});

test.each(["more", "less"])("an address added again with %s slots is proven as far as ever", async (than) => {
  const { basket, header, ofWhole, ofCode } = await openProofs();
  const additions = [() => basket.add(header, ofCode, onlyCode), () => basket.add(header, ofWhole, whole)];
  for (const add of than === "more" ? additions : additions.reverse()) expect(add()).toBeDefined();
  expect(basket.getSlot(address, slotZero)).toBe(SEVEN);
  expect(basket.finish()).not.toBeNull();
});

describe("it is spoilt, and stays so,", () => {
  type Parts = Awaited<ReturnType<typeof openProofs>>;
  const last = (nodes: Reading<readonly Hex[]>, node: Hex): Reading<readonly Hex[]> =>
    nodes.status === "value" ? valueReading(nodes.value.with(-1, node)) : nodes;
  test.each<[string, (parts: Parts) => [Reading<Hex>, Reading<readonly Hex[]>]]>([
    ["by a proof not given", ({ header }) => [header, unanswered("timeout")]],
    ["by a header not given", ({ ofWhole }) => [unanswered("timeout"), ofWhole]],
    ["by a header of unknown form", ({ ofWhole }) => [absent, ofWhole]],
    ["by the header of another block", ({ ofWhole }) => [valueReading("0xc0"), ofWhole]],
    ["by a proof of too few slots", ({ header, ofCode }) => [header, ofCode]],
    ["by a proof of another account", ({ header, ofNobody }) => [header, last(ofNobody, "0xc0")]],
    ["by a tampered node", ({ header, ofWhole }) => [header, last(ofWhole, "0xc0")]],
    ["by a node that is no RLP", ({ header, ofWhole }) => [header, last(ofWhole, "0xff")]],
  ])("%s", async (_, choose) => {
    const parts = await openProofs();
    const { basket, header, ofWhole } = parts;
    basket.add(header, ofWhole, whole);
    expect(basket.finish()).not.toBeNull();
    expect(basket.add(...choose(parts), whole)).toBeUndefined();
    expect(basket.finish()).toBeNull();
    expect(basket.add(header, ofWhole, whole)).toBeDefined();
    expect(basket.finish()).toBeNull();
  });
});
