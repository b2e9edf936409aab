import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import type { Hex } from "@assay/protocol";
import { decodeFunctionData, maxUint256, parseAbi } from "viem";
import { expect, test } from "vitest";
import { encode } from "../accuracy/accuracyWorld.js";
import { transfer } from "../accuracy/caseTools.js";
import { changeAmounts } from "./changeAmounts.js";

const [ALICE, SMALL]: [Hex, Hex] = [
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x00000000000000000000000000000000a11ce0aa",
];
const now = 1_800_000_000;
const kept = { words: new Set([BigInt(SMALL)]), now };

/** The values that 200 changes give a call, each once. */
function changeOften(data: Hex, value: bigint) {
  const changed = Array.from({ length: 200 }, (_, seed) =>
    changeAmounts(createSeededChoices(seed), { from: ALICE, to: ALICE, data, value }, kept),
  );
  return {
    data: [...new Set(changed.map((one) => one.data))],
    values: new Set(changed.map((one) => one.value)),
  };
}

test("amounts change, while addresses, deadlines, ticks, fees, offsets and lengths stay", () => {
  const mint =
    "mint(address small, address alice, uint24 fee, int24 tick, uint256 amount, uint256 deadline, bytes path)";
  const args = [SMALL, ALICE, 500, 887_270, 5_000_000n, BigInt(now + 1800), "0x0102030405"] as const;
  const abi = parseAbi([`function ${mint}`]);
  const { data, values } = changeOften(encode(mint, args), 10n ** 18n);
  const seen = data.map((one) => decodeFunctionData({ abi, data: one }).args as readonly unknown[]);
  const amounts = new Set(seen.map((one) => one[4] as bigint));
  expect(amounts.size).toBeGreaterThan(100);
  expect([...amounts].some((amount) => amount > 5_000_000n)).toBe(true);
  expect(values.size).toBeGreaterThan(100);
  for (const one of seen) {
    const others = one.filter((_, index) => index !== 4).map((value) => String(value).toLowerCase());
    expect(others).toEqual(args.filter((_, index) => index !== 4).map(String));
  }
});

test("amounts of calls inside change, too, and an unlimited amount becomes a limited one", () => {
  const batch = "multicall(bytes[] calls)";
  const abi = parseAbi([`function ${batch}`, "function transfer(address to, uint256 amount)"]);
  const { data } = changeOften(
    encode(batch, [[transfer(ALICE, 7_000_000n), transfer(ALICE, maxUint256)]]),
    0n,
  );
  const inner = data.map((one) => {
    const [calls] = decodeFunctionData({ abi, data: one }).args as readonly [readonly Hex[]];
    return calls.map((call) => decodeFunctionData({ abi, data: call }).args as readonly [Hex, bigint]);
  });
  expect(new Set(inner.map(([first]) => first?.[1])).size).toBeGreaterThan(100);
  expect(inner.some(([, second]) => (second?.[1] ?? maxUint256) < 10n ** 12n + 1n)).toBe(true);
  expect(inner.flat().every(([to]) => to.toLowerCase() === ALICE)).toBe(true);
});
