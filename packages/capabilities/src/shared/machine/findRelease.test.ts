import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { exploreTrade } from "./exploreTrade.js";
import { findRelease } from "./findRelease.js";

const DAY = 86_400;
const NOW = { time: 1_800_000_000n, number: 20_000_000n };

function follow(code: Hex) {
  const slices = exploreTrade(code);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

const push4 = (value: bigint): string => `63${value.toString(16).padStart(8, "0")}`;
/** CALL of the caller, without anything. */
const PAYS = "5f5f5f5f5f335af100";
/** Reverts where the end is more than the clock, and calls otherwise. */
const keepUntil = (clock: string, end: string): Hex => `0x${clock}${end}11601357${PAYS}5b5f5ffd`;

const words = new Map([["0x0", NOW.time + BigInt(10 * DAY)]]);
/** The time is in the first word. */
const STORED = "425f5411";

test.each<[string, Hex, number | null]>([
  ["calls whenever it is asked to", `0x${PAYS}`, null],
  ["calls after ten days", keepUntil("42", push4(NOW.time + BigInt(10 * DAY))), 10 * DAY],
  // A block of Base may take a fifth of a second.
  ["calls after 400,000 blocks", keepUntil("43", push4(NOW.number + 400_000n)), DAY],
  ["calls after 5,000,000 blocks", keepUntil("43", push4(NOW.number + 5_000_000n)), 12 * DAY],
  ["calls after the time in its storage", `0x${STORED}601057${PAYS}5b5f5ffd`, 10 * DAY],
  // Where the first word is not zero, the second is written to where the time is.
  ["lets that time be written", `0x5f35601957${STORED}601557${PAYS}5b5f5ffd5b6004355f5500`, null],
])("a keeper that %s is read as such", (_, code, wait) => {
  const release = findRelease(follow(code), words, NOW);
  expect(release).toBe(wait === null ? null : Number(NOW.time) + wait);
});
