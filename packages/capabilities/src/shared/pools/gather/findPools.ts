import { createRequire } from "node:module";
import type { CallRead, StateOverrides } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { LaunchVenues } from "../launchVenues.js";
import type { LaunchPools } from "../poolReadings.js";

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

interface Venue {
  readonly isConcentrated: boolean;
  readonly factory: Hex;
  readonly token: Hex;
  readonly quote: Hex;
  readonly fee: number;
}

/** Every pool asked for; the pair of the quote tokens, which prices one in the other, comes last. */
function listVenues(venues: LaunchVenues, token: Hex): Venue[] {
  const { weth, stablecoin, classic, concentrated } = venues;
  const own = [weth, stablecoin]
    .filter((quote) => quote !== token)
    .flatMap((quote): Venue[] => [
      { isConcentrated: false, factory: classic.factory, token, quote, fee: 3000 },
      ...FEES.map((fee) => ({ isConcentrated: true, factory: concentrated.factory, token, quote, fee })),
    ]);
  return [
    ...own,
    { isConcentrated: false, factory: classic.factory, token: stablecoin, quote: weth, fee: 3000 },
  ];
}

export function readPools(venues: LaunchVenues, token: Hex, sender: Hex): CallRead {
  return callLaunchProbe(sender, "findPools", [listVenues(venues, token)], {});
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
      found: asked.map(({ isConcentrated, quote, fee }, index) => {
        const { isRead, pool, quoteBalance, tokenBalance } = pools[index] as RawPool;
        return {
          kind: isConcentrated ? "concentrated" : "classic",
          quote,
          fee,
          isRead,
          pool: BigInt(pool) === 0n ? null : (pool.toLowerCase() as Hex),
          quoteBalance: quoteBalance.toString(),
          tokenBalance: tokenBalance.toString(),
        };
      }),
      pricing: {
        weth: (pricing?.quoteBalance ?? 0n).toString(),
        stablecoin: (pricing?.tokenBalance ?? 0n).toString(),
      },
    };
  });
}
