import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { decodeFunctionData, encodeFunctionResult } from "viem";
import { expect, test } from "vitest";
import { callLaunchProbe, launchProbe } from "../../pools/gather/findPools.js";
import { createBatch } from "../../reads/gather/createBatch.js";
import { createJoint, type Probe } from "./jointProbes.js";

const { abi } = launchProbe;
const TRADER: Hex = "0x00000000000000000000000000000000000000d1";
const QUOTE: Hex = "0x00000000000000000000000000000000000000f1";
const slotOf = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const probe = (number: number, changes: Partial<Probe> = {}): Probe => ({
  read: callLaunchProbe(TRADER, "codeHashes", [[slotOf(number).replace("0x".padEnd(26, "0"), "0x")]], {
    [QUOTE]: { stateDiff: { [slotOf(number)]: slotOf(1) } },
  }),
  scene: "as it is",
  leastGas: 1_000_000,
  usualGas: 1_000_000,
  ...changes,
});
const readsOf = (batch: ReturnType<typeof createBatch>) => batch.reads as readonly CallRead[];
const together = (...answers: Hex[]): Reading<Hex> =>
  valueReading(encodeFunctionResult({ abi, functionName: "several", result: answers }));

test("probes of one scene share a call, the greediest first, with what each of them replaces", () => {
  const [joint, batch] = [createJoint(), createBatch()];
  const [small, greedy] = [probe(1), probe(2, { leastGas: 14_000_000, usualGas: 4_000_000 })];
  const [first, second] = [joint.ask(small), joint.ask(greedy)];
  joint.send(batch);
  expect(batch.reads).toHaveLength(1);
  const [call] = readsOf(batch);
  const { functionName, args } = decodeFunctionData({ abi, data: call?.data as Hex });
  expect([functionName, args?.[0]]).toEqual(["several", [greedy.read.data, small.read.data]]);
  expect(Object.keys(call?.overrides?.[QUOTE]?.stateDiff ?? {})).toHaveLength(2);
  batch.settle([together("0x02", "0x01")]);
  expect([first(), second()]).toEqual([valueReading("0x01"), valueReading("0x02")]);
});

test("probes of other scenes, and more than the gas of a call allows, have calls of their own", () => {
  const [joint, batch] = [createJoint(), createBatch()];
  joint.ask(probe(1, { scene: "other clock" }));
  for (let i = 2; i < 6; i++) joint.ask(probe(i, { usualGas: 6_000_000 }));
  joint.send(batch);
  // One by itself as it is, and four in two calls.
  expect(readsOf(batch).filter(({ data }) => data === probe(1).read.data)).toHaveLength(1);
  expect(batch.reads).toHaveLength(3);
});

test("what a shared call leaves open is asked by itself, and what the node leaves open is not", () => {
  const [joint, batch, later] = [createJoint(), createBatch(), createBatch()];
  const answers = [probe(1), probe(2), probe(3, { isWhole: () => false })].map((one) => joint.ask(one));
  joint.send(batch);
  batch.settle([together("0x01", "0x", "0x03")]);
  joint.sendAgain(later);
  expect(readsOf(later).map(({ data }) => data)).toEqual([probe(2).read.data, probe(3).read.data]);
  later.settle([valueReading<Hex>("0x22"), valueReading<Hex>("0x33")]);
  expect(answers.map((answer) => answer())).toEqual(["0x01", "0x22", "0x33"].map(valueReading));

  const [silent, nothing, none] = [createJoint(), createBatch(), createBatch()];
  const unread = [probe(1), probe(2)].map((one) => silent.ask(one));
  silent.send(nothing);
  nothing.settle([noAnswer]);
  silent.sendAgain(none);
  expect([unread.map((answer) => answer()), none.reads]).toEqual([[noAnswer, noAnswer], []]);
});
