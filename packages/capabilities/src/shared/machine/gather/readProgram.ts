import { setImmediate } from "node:timers/promises";
import type { Hex } from "@assay/protocol";
import { isScannable } from "../../code/isScannable.js";
import { rememberedFingerprint } from "../../code/rememberedFingerprint.js";
import { MAX_SCANNED_BYTES } from "../../code/selectorScan.js";
import { type Exploration, exploreInSlices } from "../exploreCode.js";
import { exploreTrade, type TradeFunction } from "../exploreTrade.js";
import { findRelease } from "../findRelease.js";
import { listDoubts } from "../listDoubts.js";
import type { Words } from "../listSettings.js";
import { LOCKED_ALONE, type LockReading, listLocks } from "../lockReading.js";
import { type ProgramReading, summarizeProgram } from "../programReading.js";
import type { Now } from "../rangeCheck.js";
import type { TradeReading } from "../tradeReading.js";

interface Followed {
  readonly program: ProgramReading;
  readonly locks: LockReading;
}

/** Programs of which it is known what they do, or is being found out. */
const MAX_KNOWN = 2_000;
const known = new Map<Hex, Promise<Followed>>();

/** What the paths of this code show; null where there is no program, or one too large to follow. */
export const readProgram = async (code: Hex | undefined): Promise<ProgramReading | null> =>
  (await follow(code))?.program ?? null;

/** Which functions of this code have conditions that nobody can name; null as above. */
export const readLocks = async (code: Hex | undefined): Promise<LockReading | null> =>
  (await follow(code))?.locks ?? null;

async function follow(code: Hex | undefined): Promise<Followed | null> {
  if (code === undefined) return null;
  const print = rememberedFingerprint(code);
  if (!isScannable(print) || print.bytecodeBytes > MAX_SCANNED_BYTES) return null;
  const found = known.get(print.codeHash);
  if (found) return found;
  const reading = summarize(code);
  known.set(print.codeHash, reading);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return reading;
}

async function summarize(code: Hex): Promise<Followed> {
  const all = await explore(code, null);
  // The functions of a trade have few paths by themselves.
  const alone = all.isComplete ? all : await explore(code, LOCKED_ALONE);
  return { program: summarizeProgram(all), locks: listLocks(all, alone) };
}

/** Lets the process answer others between two slices. */
async function explore(code: Hex, only: ReadonlySet<number> | null): Promise<Exploration> {
  const slices = exploreInSlices(code, only);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await setImmediate();
  }
}

/** Expressions are large, and few tokens are asked about again within moments. */
const MAX_EXPLORED = 8;
const explored = new Map<Hex, Promise<readonly TradeFunction[]>>();

/** What trades of a token depend on, given the first words of its storage; null as above. */
export async function readTrade(code: Hex | undefined, words: Words, now: Now): Promise<TradeReading | null> {
  if (code === undefined) return null;
  const print = rememberedFingerprint(code);
  if (!isScannable(print) || print.bytecodeBytes > MAX_SCANNED_BYTES) return null;
  return listDoubts(await followTrade(code, print.codeHash), words, now);
}

/** Until when a program makes no call, for any caller; null where that is not certain. */
export const readKeeper = async (code: Hex, words: Words, now: Now): Promise<number | null> =>
  findRelease(await followTrade(code, rememberedFingerprint(code).codeHash), words, now);

function followTrade(code: Hex, codeHash: Hex): Promise<readonly TradeFunction[]> {
  const functions = explored.get(codeHash) ?? followAnew(code);
  // Last, because it was asked for last.
  explored.delete(codeHash);
  explored.set(codeHash, functions);
  for (const oldest of explored.keys()) {
    if (explored.size <= MAX_EXPLORED) break;
    explored.delete(oldest);
  }
  return functions;
}

async function followAnew(code: Hex): Promise<readonly TradeFunction[]> {
  const slices = exploreTrade(code);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await setImmediate();
  }
}
