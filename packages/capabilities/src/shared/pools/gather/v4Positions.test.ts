import type { ChainLog } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, parseAbiParameters, zeroHash } from "viem";
import { expect, test } from "vitest";
import { listPositions, MODIFY_LIQUIDITY } from "./v4Positions.js";

const ID: Hex = `0x${"1d".repeat(32)}`;
const HOLDER: Hex = `0x${"ab".repeat(20)}`;
const STATE = { root: 2n ** 96n, tick: 0 };
const types = parseAbiParameters("int24, int24, int256, bytes32");

const change = (lower: number, upper: number, liquidity: bigint, id: Hex = ID) =>
  ({
    topics: [MODIFY_LIQUIDITY, id, `0x${"0".repeat(24)}${HOLDER.slice(2)}`],
    data: encodeAbiParameters(types, [lower, upper, liquidity, zeroHash]),
  }) as unknown as ChainLog;
const narrow = { holder: HOLDER, salt: zeroHash, lower: -60, upper: 60, liquidity: 7n };
const above = { ...narrow, lower: 600, upper: 1200, liquidity: 5n };
const events = [change(-60, 60, 10n), change(600, 1200, 5n), change(-60, 60, -3n)];

test("what events added and took away are the positions, those beside the price too", () => {
  expect(listPositions(events, ID, { ...STATE, liquidity: 7n })).toEqual([narrow, above]);
});

test("a position from which all was taken, and those of other pools, are none", () => {
  const other: Hex = `0x${"2d".repeat(32)}`;
  const logs = [...events, change(600, 1200, -5n), change(-60, 60, 9n, other)];
  expect(listPositions(logs, ID, { ...STATE, liquidity: 7n })).toEqual([narrow]);
});

test.each([[8n], [6n], [12n], [0n]])(
  "events that add up to 7 say nothing where the manager counts %s in range",
  (liquidity) => {
    expect(listPositions(events, ID, { ...STATE, liquidity })).toBeNull();
  },
);
