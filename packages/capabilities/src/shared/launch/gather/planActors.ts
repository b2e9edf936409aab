import type { ChainRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import type { CodeAnalysis } from "../../code/codeAnalysis.js";
import { BURN_ADDRESSES } from "../../control/judgeOwnership.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import type { LaunchActor } from "../launchReadings.js";
import { clearPlace, type KeyPlace, padSlot, readPlace, writePlace } from "../listKeys.js";
import { standardFunctions, type TrialTargets } from "../trialCalls.js";
import type { FreshAccounts } from "./freshAccounts.js";
import type { Joint } from "./jointProbes.js";
import { isExerciseWhole, type Market, parseExercise, readExercise } from "./launchProbe.js";
import { listTrials } from "./listTrials.js";

/** Seconds, and blocks, between the purchase and the sale where the clock was replaced: longer than any honest cooldown. */
const PATIENCE = 86_400;
const MAX_PRETENDED = 3;
const MAX_CALLS = 12;
/** The purchase, a sale, and what must be left for the last trial to begin. */
const EXERCISE_GAS = 5_000_000;
const TRIAL_GAS = 60_000;
/** A quote, a purchase and a sale may each use two million. */
const LEAST_GAS = 7_500_000;

interface ActorQuestion {
  readonly market: Market;
  readonly isClockReplaced: boolean;
  readonly analysis: CodeAnalysis;
  readonly numbers: readonly bigint[];
  readonly keys: readonly Hex[];
  readonly words: ReadonlyMap<Hex, Reading<Hex>>;
  readonly fresh: FreshAccounts;
  readonly supply: bigint;
  readonly nowSeconds: bigint;
  readonly readsOrigin: boolean;
  price<R extends ChainRead>(read: R): R;
}

interface Actor {
  readonly caller: Hex;
  readonly role: LaunchActor["role"];
  readonly place: KeyPlace | null;
  readonly words: Readonly<Record<Hex, Hex>>;
  readonly isOrigin: boolean;
}

/** What each key, a stranger, and the holder of a key that nobody has could do to a sale. */
export function planActors(
  batch: Batch,
  joint: Joint,
  question: ActorQuestion,
): { parse(): LaunchActor[]; readonly leftOut: Hex[] } {
  const { market, isClockReplaced, analysis, keys, fresh, supply, numbers, nowSeconds, readsOrigin, price } =
    question;
  const [trader] = fresh.traders;
  const { pool } = market.pool;
  const actors: readonly Actor[] = [
    ...keys.map((caller): Actor => ({ caller, role: "key", place: null, words: {}, isOrigin: false })),
    // A key may be asked for by the origin of the transaction instead of the caller.
    ...(readsOrigin ? keys : []).map(
      (caller): Actor => ({ caller, role: "key", place: null, words: {}, isOrigin: true }),
    ),
    { caller: fresh.nobody, role: "anyone", place: null, words: {}, isOrigin: false },
    ...listPretenders(question),
    ...listBeginners(question),
  ];
  const leftOut = new Set<Hex>();
  const planned = actors.map(({ caller, role, place, words, isOrigin }) => {
    const targets: TrialTargets = {
      trader,
      pool,
      caller,
      quote: market.venues.weth,
      supply,
      held: BigInt(market.pool.tokenBalance) / 1_000n,
      numbers: role === "key" ? numbers : role === "anyone" ? numbers.filter(isUnusual).slice(0, 4) : [],
      nowSeconds,
    };
    const plan = listTrials(analysis, targets, role !== "key");
    for (const selector of plan.leftOut) leftOut.add(selector);
    const calls = plan.calls.slice(0, MAX_CALLS);
    for (const trials of plan.calls.slice(MAX_CALLS))
      for (const { selector } of trials) leftOut.add(selector);
    const wait = isClockReplaced ? PATIENCE : 0;
    const answers = calls.map((trials) => {
      const origin = isOrigin ? caller : trader;
      const read = price(readExercise(market, trader, caller, trials, { wait, words, origin }));
      // Other actors replace code or words that a trade without them may need.
      if (role !== "anyone") return batch.ask(read);
      const scene = isClockReplaced ? "other clock" : "as it is";
      const usualGas = EXERCISE_GAS + trials.length * TRIAL_GAS;
      return joint.ask({ read, scene, leastGas: LEAST_GAS, usualGas, isWhole: isExerciseWhole });
    });
    return (): LaunchActor => ({
      caller,
      role,
      isOrigin,
      place,
      exercises: calls.map((trials, index) => parseExercise(trials, answers[index]?.() as Reading<Hex>)),
    });
  });
  return { parse: () => planned.map((parse) => parse()), leftOut: [...leftOut] };
}

/** Too large for a setting, and no address that a key could have: an amount that stands for a command. */
const isUnusual = (number: bigint): boolean => number >= 2n ** 64n;

/**
 * A fresh account in front of functions that can be used once, with what they look at set back: a function that then lets it
 * in has no key.
 */
function listBeginners({ analysis, words, fresh }: ActorQuestion): Actor[] {
  const once = analysis.functions
    .filter(({ selector, isView }) => !isView && !standardFunctions.has(selector))
    .flatMap(({ selector }): Actor[] => {
      const own = analysis.storage.filter(
        ({ reads, writes }) => reads.includes(selector) || writes.includes(selector),
      );
      if (own.some(({ type }) => type === "address")) return [];
      const flags = own.filter(
        ({ type, writes }) => /^(?:uint\d+|bool|bytes32)$/.test(type) && writes.includes(selector),
      );
      const cleared = flags.flatMap(({ slot, offset, type }) => {
        const word = words.get(padSlot(slot as Hex));
        return word?.status === "value"
          ? [[padSlot(slot as Hex), clearPlace(word.value, offset, type)] as const]
          : [];
      });
      const [first] = flags;
      if (first === undefined || cleared.length === 0) return [];
      return [
        {
          caller: fresh.pretender,
          role: "pretender",
          place: { slot: padSlot(first.slot as Hex), offset: first.offset },
          words: Object.fromEntries(cleared),
          isOrigin: false,
        },
      ];
    });
  return once.slice(0, MAX_PRETENDED);
}

/** A fresh account in the place of each key that nobody has, in front of the functions that look there. */
function listPretenders({ analysis, words, fresh }: ActorQuestion): Actor[] {
  const views = new Set(analysis.functions.filter(({ isView }) => isView).map(({ selector }) => selector));
  return analysis.storage
    .filter(({ type, reads }) => type === "address" && reads.some((selector) => !views.has(selector)))
    .flatMap(({ slot, offset }): Actor[] => {
      const word = words.get(padSlot(slot as Hex));
      if (word?.status !== "value") return [];
      const held = readPlace(word.value, offset);
      if (held === null || !BURN_ADDRESSES.includes(held)) return [];
      const place = { slot: padSlot(slot as Hex), offset };
      return [
        {
          caller: fresh.pretender,
          role: "pretender",
          place,
          words: { [place.slot]: writePlace(word.value, offset, fresh.pretender) },
          isOrigin: false,
        },
      ];
    })
    .slice(0, MAX_PRETENDED);
}
