import { createRequire } from "node:module";
import type { CallRead, StateOverrides } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { LaunchVenues } from "../launchVenues.js";
import type { LaunchPools, PoolKind } from "../poolReadings.js";

/** The contract that finds pools and trades in them, injected at a trader's own address. */
export const launchProbe = createRequire(import.meta.url)("@assay/contracts/out/LaunchProbe.json") as {
  readonly abi: Abi;
  readonly deployedBytecode: Hex;
};
const { abi, deployedBytecode } = launchProbe;

/** Below the chain's cap for a transaction, which some nodes put on calls too. */
export const PROBE_GAS = 16_000_000;
/** Ample for any share of any pool, in wei. */
export const TRADER_BALANCE = 10n ** 25n;
/** Fees of concentrated pools, in hundredths of a basis point. */
const FEES = [100, 500, 3000, 10_000];

export function callLaunchProbe(
  sender: Hex,
  functionName: string,
  args: readonly unknown[],
  others: StateOverrides,
): CallRead {
  return {
    kind: "call",
    // The trader itself, so that tokens which compare the caller with the origin see what they would see.
    from: sender,
    to: sender,
    data: encodeFunctionData({ abi, functionName, args }),
    gas: PROBE_GAS,
    overrides: { ...others, [sender]: { code: deployedBytecode, balance: TRADER_BALANCE } },
  };
}

/**
 * Code for another account that runs the trader's program in its own name, as a clone does (EIP-1167): the program itself, for
 * each of many accounts, would make requests of a megabyte, which some gateways refuse.
 */
export const actThrough = (trader: Hex): Hex =>
  `0x363d3d373d3d3d363d73${trader.slice(2)}5af43d82803e903d91602b57fd5bf3`;

interface Venue {
  readonly kind: PoolKind;
  readonly factory: Hex;
  readonly token: Hex;
  readonly quote: Hex;
  readonly fee: number;
  readonly tickSpacing?: number;
  readonly isStable?: boolean;
  readonly perEther?: bigint;
}

/** Of concentrated pools with a tick spacing, those that tokens are launched in. */
const TICK_SPACINGS = [1, 50, 100, 200, 2000];

/** Every pool asked for; the pair of the quote tokens, which prices one in the other, comes last. */
export function listVenues(venues: LaunchVenues, token: Hex): Venue[] {
  const { weth, stablecoin, classic, concentrated, routed, slipstream } = venues;
  const quotes: readonly { address: Hex; perEther?: bigint }[] = [
    { address: weth },
    { address: stablecoin },
    ...venues.quotes,
  ];
  const own = quotes
    .filter(({ address }) => address !== token)
    .flatMap(({ address: quote, perEther }): Venue[] => {
      const pair = { token, quote, ...(perEther !== undefined && { perEther }) };
      return [
        { ...pair, kind: "classic", factory: classic.factory, fee: 3000 },
        ...FEES.map((fee): Venue => ({ ...pair, kind: "concentrated", factory: concentrated.factory, fee })),
        ...(routed === null
          ? []
          : [false, true].map(
              (isStable): Venue => ({ ...pair, kind: "routed", factory: routed.factory, fee: 0, isStable }),
            )),
        ...slipstream.flatMap(({ factory }) =>
          TICK_SPACINGS.map(
            (tickSpacing): Venue => ({ ...pair, kind: "slipstream", factory, fee: 0, tickSpacing }),
          ),
        ),
      ];
    });
  return [...own, { kind: "classic", factory: classic.factory, token: stablecoin, quote: weth, fee: 3000 }];
}

export const poolKindNumbers: Readonly<Record<PoolKind, number>> = {
  classic: 0,
  concentrated: 1,
  routed: 2,
  slipstream: 3,
  singleton: 4,
};

export function readPools(venues: LaunchVenues, token: Hex, sender: Hex): CallRead {
  const asked = listVenues(venues, token).map((venue) => ({
    ...venue,
    kind: poolKindNumbers[venue.kind],
    tickSpacing: venue.tickSpacing ?? 0,
    isStable: venue.isStable ?? false,
  }));
  return callLaunchProbe(sender, "findPools", [asked], {});
}

interface RawPool {
  readonly isRead: boolean;
  readonly pool: Hex;
  readonly quoteBalance: bigint;
  readonly tokenBalance: bigint;
}

export function parsePools(venues: LaunchVenues, token: Hex, answer: Reading<Hex>): Reading<LaunchPools> {
  const asked = listVenues(venues, token).slice(0, -1);
  return parseProbeAnswer(answer, (data) => {
    const pools = decodeFunctionResult({ abi, functionName: "findPools", data }) as readonly RawPool[];
    const pricing = pools.at(-1);
    return {
      found: asked.flatMap(({ kind, quote, fee, tickSpacing, isStable, factory, perEther }, index) => {
        const { isRead, pool, quoteBalance, tokenBalance } = pools[index] as RawPool;
        const isUsual = (kind === "classic" || kind === "concentrated") && perEther === undefined;
        // A chain without these exchanges, or a factory without such a pool, has nothing to record.
        if (!isUsual && BigInt(pool) === 0n) return [];
        return [
          {
            kind,
            quote,
            fee,
            ...(tickSpacing !== undefined && { tickSpacing }),
            ...(isStable !== undefined && { isStable }),
            ...(!isUsual && { factory }),
            ...(perEther !== undefined && { perEther: perEther.toString() }),
            isRead,
            pool: BigInt(pool) === 0n ? null : (pool.toLowerCase() as Hex),
            quoteBalance: quoteBalance.toString(),
            tokenBalance: tokenBalance.toString(),
          },
        ];
      }),
      pricing: {
        weth: (pricing?.quoteBalance ?? 0n).toString(),
        stablecoin: (pricing?.tokenBalance ?? 0n).toString(),
      },
    };
  });
}
