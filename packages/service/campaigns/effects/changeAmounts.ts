import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Hex } from "@assay/protocol";
import { maxUint160, maxUint256 } from "viem";
import type { Transaction } from "../accuracy/accuracyWorld.js";

const WORD = 32;
const SELECTOR = 4;
/** Smaller words are offsets, lengths, fees of pools, shares and numbers of items; larger ones are addresses and hashes. */
const LEAST = 10_000n;
const MOST = 2n ** 112n;
const UNLIMITED = [maxUint256, maxUint256 / 2n + 1n, maxUint160, 2n ** 127n];
const FAR_DEADLINE = 4_000_000_000n;
/** Deadlines lie this many seconds around the newest block. */
const NEAR = 40n * 86_400n;
/** The ends of a position over all prices (Uniswap V3, spacing of 10). */
const LAST_TICK = 887_270n;

/** What is no amount, although its size is that of one. */
export interface Kept {
  readonly words: ReadonlySet<bigint>;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * The transaction with other amounts in value and calldata, also in the calls inside. Mostly all of them change by the same
 * share, so that a least amount still fits what it is the least of.
 */
export function changeAmounts(choices: SeededChoices, transaction: Transaction, kept: Kept): Transaction {
  const bytes = Buffer.from(transaction.data.slice(2), "hex");
  const common = pickShare(choices);
  const isCommon = choices.chance(0.8);
  const change = (amount: bigint) => (isCommon ? common : pickShare(choices))(amount);
  for (const at of listWords(bytes, SELECTOR, bytes.length)) {
    const word = readWord(bytes, at);
    if (UNLIMITED.includes(word)) {
      if (choices.chance(0.5)) writeWord(bytes, at, BigInt(choices.integer(1, 10 ** choices.integer(3, 12))));
    } else if (isAmount(word, kept)) writeWord(bytes, at, change(word));
  }
  return { ...transaction, data: `0x${bytes.toString("hex")}`, value: change(transaction.value) };
}

/** The same amount, a part of it, several times as much, more than anybody holds, or nothing. */
function pickShare(choices: SeededChoices): (amount: bigint) => bigint {
  const kind = choices.next();
  if (kind < 0.15) return (amount) => amount;
  const part = BigInt(choices.integer(1, 1_000_000));
  if (kind < 0.75) return (amount) => (amount * part) / 1_000_000n;
  if (kind < 0.95) return (amount) => (amount * (1_000_000n + 9n * part)) / 1_000_000n;
  return kind < 0.97 ? (amount) => amount * part : () => 0n;
}

function isAmount(word: bigint, { words, now }: Kept): boolean {
  const isDeadline = word > BigInt(now) - NEAR && word < BigInt(now) + NEAR;
  return (
    word > LEAST &&
    word < MOST &&
    !isDeadline &&
    word !== FAR_DEADLINE &&
    word !== LAST_TICK &&
    !words.has(word)
  );
}

/** Places of words, also of those in calls that are given as bytes. Bytes of any other form are left out. */
function listWords(bytes: Buffer, start: number, end: number): number[] {
  const places: number[] = [];
  let at = start;
  while (at + WORD <= end) {
    const inner = findBytes(bytes, at, end);
    if (inner === undefined) {
      places.push(at);
      at += WORD;
      continue;
    }
    if (inner.length % WORD === SELECTOR)
      places.push(...listWords(bytes, inner.start + SELECTOR, inner.start + inner.length));
    at = inner.next;
  }
  return places;
}

/** Bytes whose length is no number of words, padded with zeros as the ABI requires. */
function findBytes(bytes: Buffer, at: number, end: number) {
  const word = readWord(bytes, at);
  if (word === 0n || word % BigInt(WORD) === 0n || word > BigInt(end)) return undefined;
  const length = Number(word);
  const start = at + WORD;
  const next = start + Math.ceil(length / WORD) * WORD;
  const isPadded = next <= end && bytes.subarray(start + length, next).every((byte) => byte === 0);
  return isPadded ? { start, length, next } : undefined;
}

const readWord = (bytes: Buffer, at: number): bigint =>
  BigInt(`0x${bytes.subarray(at, at + WORD).toString("hex")}` as Hex);

function writeWord(bytes: Buffer, at: number, value: bigint): void {
  bytes.write(value.toString(16).padStart(WORD * 2, "0"), at, "hex");
}
