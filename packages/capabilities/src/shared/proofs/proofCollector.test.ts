import { type ChainFixture, openFixture } from "@assay/chain/testing/chainFixture";
import { contracts, slotZero, unusedAddress } from "@assay/chain/testing/contracts";
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
    { kind: "proof", address: unusedAddress, slots: [] },
  ]);
  return { block, header, ofWhole, ofCode, ofNobody, collector: createProofCollector(block.hash) };
}

test("a collector without nodes proves nothing", async () => {
  const { collector } = await openProofs();
  expect(collector.finish()).toBeNull();
  expect(() => collector.getCodeHash(address)).toThrow(/no proof for account/);
});

test("it keeps every node once and returns what they prove", async () => {
  const { collector, header, ofWhole, ofNobody } = await openProofs();
  expect(collector.add(header, ofWhole, whole)?.getSlot(address, slotZero)).toBe(SEVEN);
  collector.add(header, ofNobody, { address: unusedAddress, slots: [] });
  collector.add(header, ofWhole, whole);
  const nodes = collector.finish()?.nodes ?? [];
  expect(new Set(nodes).size).toBe(nodes.length);
  expect(collector.getCodeHash(address)).toBe(keccak256(code));
  expect(collector.getCodeHash(unusedAddress)).toBeNull();
  expect(() => collector.getSlot(unusedAddress, slotZero)).not.toThrow();
});

test.each(["more", "less"])("an address added again with %s slots is proven as far as ever", async (than) => {
  const { collector, header, ofWhole, ofCode } = await openProofs();
  const additions = [
    () => collector.add(header, ofCode, onlyCode),
    () => collector.add(header, ofWhole, whole),
  ];
  for (const add of than === "more" ? additions : additions.reverse()) expect(add()).toBeDefined();
  expect(collector.getSlot(address, slotZero)).toBe(SEVEN);
  expect(collector.finish()).not.toBeNull();
});

describe("it is incomplete, and stays so,", () => {
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
    const { collector, header, ofWhole } = parts;
    collector.add(header, ofWhole, whole);
    expect(collector.finish()).not.toBeNull();
    expect(collector.add(...choose(parts), whole)).toBeUndefined();
    expect(collector.finish()).toBeNull();
    expect(collector.add(header, ofWhole, whole)).toBeDefined();
    expect(collector.finish()).toBeNull();
  });
});
