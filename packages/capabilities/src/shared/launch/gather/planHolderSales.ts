import type { ChainRead } from "@assay/chain";
import { type Hex, noAnswer } from "@assay/protocol";
import { encodeFunctionData, erc20Abi } from "viem";
import { BURN_ADDRESSES } from "../../control/judgeOwnership.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import type { LaunchReadings } from "../launchReadings.js";

const MOST = 4;
/** A part of the supply that limits of launches let through. */
const SMALL_PART = 2_000n;

interface HolderQuestion {
  readonly token: Hex;
  /** What receives the tokens of a sale; null where there is no pool. */
  readonly pool: Hex | null;
  readonly supply: bigint;
  /** What accounts have, as events say. */
  readonly balances: ReadonlyMap<Hex, bigint>;
  /** The largest first. */
  readonly holders: readonly Hex[];
  readonly creator: Hex | null;
  price<R extends ChainRead>(read: R): R;
}

/** Real holders send the pool what a sale would, each with its own balance, allowances and history. */
export function planHolderSales(
  batch: Batch,
  { token, pool, supply, balances, holders, creator, price }: HolderQuestion,
): { parse(): NonNullable<LaunchReadings["holderSales"]> } {
  const asked = holders
    .filter((holder) => !BURN_ADDRESSES.includes(holder) && holder !== creator && holder !== token)
    .flatMap((holder) => {
      const amount = min((balances.get(holder) ?? 0n) / 2n, supply / SMALL_PART);
      return pool === null || amount === 0n ? [] : [{ holder, amount, pool }];
    })
    .slice(0, MOST)
    .map(({ holder, amount, pool: to }) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
      return {
        holder,
        amount,
        answer: batch.ask(price({ kind: "call", from: holder, to: token, data })),
        code: batch.ask({ kind: "code", address: holder }),
      };
    });
  return {
    parse: () =>
      asked.map(({ holder, amount, answer, code }) => ({
        holder,
        code: fingerprintReading(code()),
        amount: amount.toString(),
        answer: cutAnswer(answer() ?? noAnswer, WORD_ANSWER_BYTES),
      })),
  };
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);
