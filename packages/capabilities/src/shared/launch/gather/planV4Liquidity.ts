import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { decodeFunctionResult, numberToHex } from "viem";
import { callLaunchProbe, launchProbe } from "../../pools/gather/findPools.js";
import type { V4Pool } from "../../pools/gather/findV4Pools.js";
import { quoteOf, type V4Position, worthOf } from "../../pools/gather/v4Positions.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { FoundLiquidity } from "./planLiquidity.js";

const { abi } = launchProbe;
/** Of the holders of a pool's liquidity, those that are asked about. */
const MAX_HOLDERS = 24;

/** What a position counts for. */
type Weigh = (position: V4Position) => bigint;
/** A pool whose positions hold less than this part of what they would hold at a higher price has hardly been bought from. */
const TENTHS = 10n;
/** Holdings are compared in thousandths of the whole. */
const PARTS = 1_000n;

/**
 * Who holds the liquidity of a V4 pool: the owners of positions, and contracts that called the manager themselves. A position out of
 * range is the market as soon as the price gets there. But who withdraws takes what buyers paid, and tokens that wait at a high
 * price, which cost their maker nothing, have no part in that: where holders have other parts of the quote than of the whole worth,
 * each is a reading of its own.
 */
export function planV4Liquidity(
  batch: Batch,
  { pool, state, isQuoteFirst, positions: listed }: V4Pool,
  positions: Hex | undefined,
  sender: Hex,
): () => FoundLiquidity[] {
  const all = listed ?? [];
  const sumOf = (weigh: Weigh) => all.reduce((sum, position) => sum + weigh(position), 0n);
  const byWorth: Weigh = (position) => worthOf(position, state);
  const byPresent: Weigh = (position) => quoteOf(position, state, isQuoteFirst).now;
  const byPurchases: Weigh = (position) => quoteOf(position, state, isQuoteFirst).later;
  const weights = [
    byWorth,
    byPurchases,
    ...(sumOf(byPresent) * TENTHS < sumOf(byPurchases) ? [] : [byPresent]),
  ];
  const ranges = chooseLargest(all, weights);
  const owned = ranges.filter(({ holder }) => holder === positions);
  const others = [
    ...new Set(ranges.filter(({ holder }) => holder !== positions).map(({ holder }) => holder)),
  ];
  const owners =
    positions === undefined || owned.length === 0
      ? null
      : batch.ask(
          readOwners(
            sender,
            positions,
            owned.map(({ salt }) => BigInt(salt)),
          ),
        );
  const codes = others.map((address) => [address, batch.ask({ kind: "code", address })] as const);
  return () => {
    const named = owners === null ? null : parseOwners(owners());
    const code = new Map<Hex, Reading<Hex>>(codes.map(([address, read]) => [address, read()]));
    const holderOf = new Map<V4Position, Hex>(
      ranges.filter(({ holder }) => holder !== positions).map((position) => [position, position.holder]),
    );
    owned.forEach((position, index) => {
      const owner = named?.status === "value" ? named.value[index] : undefined;
      if (owner === undefined) return;
      holderOf.set(position, owner.address);
      if (owner.code !== null) code.set(owner.address, valueReading(owner.code));
    });
    const found = weights.map((weigh): FoundLiquidity => {
      const held = new Map<Hex, bigint>();
      for (const [position, holder] of holderOf) held.set(holder, (held.get(holder) ?? 0n) + weigh(position));
      return {
        market: { pool },
        total: listed === null ? noAnswer : valueReading(toWord(sumOf(weigh))),
        shares: [...held].map(([address, weight]) => ({
          address,
          held: valueReading(toWord(weight)),
          code: code.get(address) ?? noAnswer,
          words: [],
        })),
        isListed: listed !== null,
        token: positions ?? pool.pool,
        approvers: [],
      };
    });
    return found.filter((one, index) => found.findIndex((other) => haveSameParts(one, other)) === index);
  };
}

/** The largest by each weight in turn. */
function chooseLargest(all: readonly V4Position[], weights: readonly Weigh[]): V4Position[] {
  const sorted = weights.map((weigh) => all.toSorted((left, right) => (weigh(left) < weigh(right) ? 1 : -1)));
  const turns = all.flatMap((_, index) => sorted.flatMap((list) => list[index] ?? []));
  return [...new Set(turns)].slice(0, MAX_HOLDERS);
}

const toWord = (value: bigint): Hex => numberToHex(value, { size: 32 });

/** Whether every holder has the same part of both. */
function haveSameParts(one: FoundLiquidity, other: FoundLiquidity): boolean {
  const partsOf = ({ total, shares }: FoundLiquidity) =>
    shares.map(({ held }) =>
      total.status === "value" && held.status === "value" && BigInt(total.value) > 0n
        ? (BigInt(held.value) * PARTS) / BigInt(total.value)
        : null,
    );
  const [left, right] = [partsOf(one), partsOf(other)];
  return left.every((part, index) => {
    const second = right[index] ?? null;
    if (part === null || second === null) return part === second;
    return part - second <= 1n && second - part <= 1n;
  });
}

const readOwners = (sender: Hex, manager: Hex, ids: readonly bigint[]): CallRead =>
  callLaunchProbe(sender, "ownersOf", [manager, ids], {});

/** Each with its code the first time. */
function parseOwners(
  answer: Reading<Hex>,
): Reading<readonly { readonly address: Hex; readonly code: Hex | null }[]> {
  return parseProbeAnswer(answer, (data) => {
    const [owners, codes] = decodeFunctionResult({ abi, functionName: "ownersOf", data }) as readonly [
      readonly Hex[],
      readonly Hex[],
    ];
    return owners.map((owner, index) => ({
      address: owner.toLowerCase() as Hex,
      code: owners.indexOf(owner) === index ? (codes[index] ?? "0x") : null,
    }));
  });
}
