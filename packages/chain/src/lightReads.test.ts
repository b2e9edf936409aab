import { type Hex, unanswered } from "@assay/protocol";
import { expect, test } from "vitest";
import { LIGHT_GAS, lightenReads } from "./lightReads.js";
import { useLocalChain } from "./testing/useLocalChain.js";

const local = useLocalChain();
const ENDLESS: Hex = "0x00000000000000000000000000000000c0de5171";
const TOO_HEAVY = unanswered("too_heavy");

test("a transaction without end is too heavy, and all the rest is answered", async () => {
  // JUMPDEST, PUSH0, JUMP.
  await local.devnet.request("hardhat_setCode", [ENDLESS, "0x5b5f56"]);
  await local.devnet.mine();
  const light = lightenReads(local.chain);
  const block = await local.chain.latestBlock();
  const from = local.devnet.deployer.address as Hex;
  const run = { from, to: ENDLESS, data: "0x" as Hex };
  const readings = await light.readAt(block, [
    { kind: "code", address: ENDLESS },
    { kind: "call", ...run, gas: LIGHT_GAS * 16 },
    { kind: "gasEstimate", ...run, value: 0n },
    { kind: "trace", ...run, value: 0n },
  ]);
  expect(readings).toEqual([{ status: "value", value: "0x5b5f56" }, TOO_HEAVY, TOO_HEAVY, TOO_HEAVY]);
  expect(light.isTooHeavy()).toBe(true);
});

test("one that ends is answered, so that the node was slow and the code is not", async () => {
  const light = lightenReads(local.chain);
  const block = await local.chain.latestBlock();
  const call = {
    kind: "call",
    to: local.devnet.contracts.weth as Hex,
    data: "0x18160ddd",
    gas: 16_000_000,
  } as const;
  const [reading] = await light.readAt(block, [call]);
  expect(reading).toMatchObject({ status: "value" });
  expect(light.isTooHeavy()).toBe(false);
});
