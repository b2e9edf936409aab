import { PERMIT2 } from "../chain-facts/knownContracts.js";
import { BURN_ADDRESSES } from "../control/judgeOwnership.js";
import { ROLES, type TradeDoubt, type TradeReading } from "../machine/tradeReading.js";
import type { Note } from "../verdict/note.js";
import { describeHolder } from "./judgeAccounts.js";
import type { LaunchReadings } from "./launchReadings.js";
import { padSlot } from "./listKeys.js";
import { refusingFunctions } from "./trialCalls.js";

export type DependenceCode = "SALE_DEPENDS_ON" | "PATHS_NOT_FOLLOWED";

const SENTENCES: Readonly<Record<TradeDoubt, string>> = {
  other_contract: "the answer of another contract",
  native_balance: "what another account has of the chain's currency",
  call_length: "what follows the arguments of the call",
  own_balances: "what other accounts have of the token or allowed, or its supply",
  history: "what trades before it wrote",
  time: "the time, together with something else",
  unknown_storage: "storage whose place is computed from the trade",
  stale_balance:
    "a balance from before the other party's changed, so that a transfer to oneself may make tokens",
  open_setting: "something that a function writes for callers who cannot be named",
};

/** What a sale depends on besides what its parties have and allowed. */
export function judgeDependence(readings: LaunchReadings): Note<DependenceCode>[] {
  const trade = readings.program?.trade;
  // Not read in older answers.
  if (trade === undefined) return [];
  if (trade === null || !trade.isComplete) {
    const limitation = "What a trade depends on has more paths than were followed.";
    return [{ code: "PATHS_NOT_FOLLOWED", limitation }];
  }
  const found = [
    ...trade.doubts.map((doubt) => `${SENTENCES[doubt.on]} (${doubt.function})`),
    ...trade.settings
      .filter((setting) => !isHarmless(readings, setting))
      .map((setting) => `a setting that ${setting.function} writes (${setting.guards.join(", ")})`),
    ...(hasUnseenTime(readings, trade) ? ["times at which no sale was simulated"] : []),
  ];
  return [...new Set(found)].map((what) => ({
    code: "SALE_DEPENDS_ON",
    limitation: `A sale depends on ${what}.`,
  }));
}

type Setting = TradeReading["settings"][number];

function isHarmless(readings: LaunchReadings, { guards, proof, function: selector }: Setting): boolean {
  const holders = guards.map((guard) => findHolder(readings, guard));
  if (holders.some((holder) => holder === "nobody" || holder === "shared")) return true;
  // What is done to balances was tried.
  if (proof === "holding") return true;
  if (proof === "none") return false;
  const accepted = (readings.actors ?? []).flatMap(({ exercises }) =>
    exercises.flatMap((exercise) =>
      exercise.status === "value"
        ? [...exercise.value.accepted.map(({ data }) => data.slice(0, 10)), ...exercise.value.unchanged]
        : [],
    ),
  );
  return accepted.includes(selector) || refusingFunctions.has(selector);
}

function findHolder(readings: LaunchReadings, guard: string): "nobody" | "shared" | "somebody" {
  if (guard === ROLES) return findMembers(readings);
  const [kind, name = ""] = guard.split(" ");
  const address = kind === "account" ? name : kind === "slot" ? readSlot(readings, name) : null;
  if (address === null) return "somebody";
  if (BigInt(address) === 0n || BURN_ADDRESSES.includes(address as never)) return "nobody";
  // Uniswap's Permit2 spends with the holder's signature alone.
  if (address === PERMIT2) return "shared";
  return describeHolder(readings, address) === "shared" ? "shared" : "somebody";
}

/** Who has any role, where every grant is known. */
function findMembers(readings: LaunchReadings): "nobody" | "shared" | "somebody" {
  const { events } = readings;
  if (events.status !== "value" || !events.value.everGranted) return "somebody";
  const { roleMembers } = events.value;
  if (roleMembers.length === 0) return "nobody";
  return roleMembers.every((member) => describeHolder(readings, member) === "shared") ? "shared" : "somebody";
}

/** The account that a slot names, at the place where the program reads one. */
function readSlot({ words, program }: LaunchReadings, slot: string): string | null {
  const padded = padSlot(slot as `0x${string}`);
  const storage = program?.analysis.status === "value" ? program.analysis.value.storage : [];
  const record = storage.find(
    (one) => one.type === "address" && padSlot(one.slot as `0x${string}`) === padded,
  );
  const word = words.find((one) => one.slot === padded)?.word;
  if (word?.status !== "value") return null;
  const address = (BigInt(word.value) >> BigInt((record?.offset ?? 0) * 8)) & (2n ** 160n - 1n);
  return `0x${address.toString(16).padStart(40, "0")}`;
}

/** Whether a condition has another outcome for a while in which no sale was simulated. */
function hasUnseenTime({ later }: LaunchReadings, { changes, countsBlocks }: TradeReading): boolean {
  if (countsBlocks) return true;
  if (changes.length === 0) return false;
  if (later?.status !== "value") return true;
  const waits = later.value.sales.map(({ wait }) => wait);
  return changes.some((from, index) => {
    const to = changes[index + 1] ?? Number.POSITIVE_INFINITY;
    return !waits.some((wait) => wait >= from && wait < to);
  });
}
