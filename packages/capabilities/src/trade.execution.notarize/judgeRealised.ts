import type { EventLog, Hex } from "@assay/protocol";
import { listTransfers } from "../shared/events/transferEvents.js";
import type { DecodedSwap } from "../shared/swaps/decodeSwap.js";
import type { Note } from "../shared/verdict/note.js";
import { readOneWord } from "../shared/words/readOneWord.js";
import { type BalancePlace, listHolders, planBalances } from "./planBalances.js";
import type { TradeExecutionReadings } from "./readings.js";

export type RealisedCode =
  | "NO_TOKEN_MOVED"
  | "REALISED_CONFIRMED"
  | "REALISED_CONTRADICTED"
  | "REALISED_UNCONFIRMED"
  | "MEASURE_BOUND_REACHED";

/** What an account gained (or, negative, lost) of one token. */
export interface RealisedFlow extends BalancePlace {
  /** According to the events of this transaction; null for the native currency, which has none. */
  readonly byEvents: bigint | null;
  /** According to balances before and after the whole block, without fees; null where they were not read. */
  readonly measured: bigint | null;
  readonly agreement: "confirmed" | "contradicted" | "unconfirmed" | "measured";
}

/** Gains and losses of single items, according to events alone. */
interface RealisedItem {
  readonly holder: Hex;
  readonly token: Hex;
  readonly id: string;
  readonly byEvents: bigint;
}

export interface RealisedJudgement {
  readonly notes: Note<RealisedCode>[];
  readonly flows: readonly RealisedFlow[];
  readonly items: readonly RealisedItem[];
}

/** Gains and losses according to events, compared with balances. */
export function judgeRealised(
  sender: Hex,
  swap: DecodedSwap | null,
  logs: readonly EventLog[],
  readings: TradeExecutionReadings,
): RealisedJudgement {
  const { fungible, items } = sumEvents(listHolders(sender, swap), logs);
  const plan = planBalances(sender, swap, logs);
  const flows = plan.places.map((place) =>
    compare(
      place,
      place.token === null ? null : (fungible.get(keyOf(place))?.amount ?? 0n),
      sender,
      readings,
    ),
  );
  const notes = flows.flatMap(noteFlow);
  if (plan.isCut)
    notes.push({
      code: "MEASURE_BOUND_REACHED",
      limitation: `Of the balances that events name, ${plan.places.length} were measured; the rest is as events report it.`,
    });
  if (items.length > 0)
    notes.push({
      code: "REALISED_UNCONFIRMED",
      limitation:
        "Items of ERC-721 and ERC-1155 collections are as their events report them; who holds them was not read.",
    });
  if (fungible.size === 0 && items.length === 0) notes.push({ code: "NO_TOKEN_MOVED" });
  return { notes, flows, items };
}

const keyOf = ({ holder, token }: BalancePlace) => `${holder} ${token}`;

function sumEvents(holders: readonly Hex[], logs: readonly EventLog[]) {
  const fungible = new Map<string, { amount: bigint }>();
  const items = new Map<string, RealisedItem>();
  const add = (holder: Hex | undefined, token: Hex, id: string | null, amount: bigint) => {
    if (holder === undefined || !holders.includes(holder)) return;
    const key = keyOf({ holder, token });
    if (id === null) fungible.set(key, { amount: (fungible.get(key)?.amount ?? 0n) + amount });
    else {
      const byEvents = (items.get(`${key} ${id}`)?.byEvents ?? 0n) + amount;
      items.set(`${key} ${id}`, { holder, token, id, byEvents });
    }
  };
  for (const log of logs) {
    for (const { from, to, id, amount } of listTransfers(log)) {
      add(from, log.address, id, -amount);
      add(to, log.address, id, amount);
    }
  }
  return { fungible, items: [...items.values()] };
}

function compare(
  place: BalancePlace,
  byEvents: bigint | null,
  sender: Hex,
  { balances, execution }: TradeExecutionReadings,
): RealisedFlow {
  const found = balances.find(({ holder, token }) => holder === place.holder && token === place.token);
  const before = found ? readOneWord(found.before) : null;
  const after = found ? readOneWord(found.after) : null;
  const flow = { ...place, byEvents };
  if (before === null || after === null) return { ...flow, measured: null, agreement: "unconfirmed" };
  const fee = place.token === null && place.holder === sender ? feeOf(execution) : 0n;
  const measured = after - before + fee;
  const isShared = found?.others !== 0;
  if (byEvents === null) return { ...flow, measured, agreement: isShared ? "unconfirmed" : "measured" };
  if (measured === byEvents) return { ...flow, measured, agreement: "confirmed" };
  return { ...flow, measured, agreement: isShared ? "unconfirmed" : "contradicted" };
}

/** Wei that the sender paid for the transaction's gas and data, as a node reports it. A deposit's gas is bought on L1. */
export function feeOf({ told }: TradeExecutionReadings["execution"]): bigint {
  return BigInt(told.gasUsed) * BigInt(told.effectiveGasPrice) + BigInt(told.l1Fee ?? 0);
}

function noteFlow({ holder, token, agreement }: RealisedFlow): Note<RealisedCode>[] {
  const what = token === null ? `the native currency of ${holder}` : `${token} of ${holder}`;
  switch (agreement) {
    case "confirmed":
      return [{ code: "REALISED_CONFIRMED" }];
    case "contradicted":
      return [
        {
          code: "REALISED_CONTRADICTED",
          limitation: `Over its block ${what} changed by another amount than events report, and no other transaction of the block reports it.`,
        },
      ];
    case "unconfirmed":
      return [
        {
          code: "REALISED_UNCONFIRMED",
          limitation: `What this transaction did to ${what} is not confirmed: balances were not read, or other transactions of the block changed them too.`,
        },
      ];
    case "measured":
      return [];
  }
}
