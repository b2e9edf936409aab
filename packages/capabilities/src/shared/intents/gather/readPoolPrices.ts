import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from "viem";
import { findCanonicalToken } from "../../chain-facts/canonicalTokens.js";
import { findParty } from "../../parties/findParty.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { PoolPrices } from "../poolPrices.js";
import { hasOwnPrice } from "../priceAssets.js";

const { bytecode } = createRequire(import.meta.url)("@assay/contracts/out/PoolLens.json") as {
  readonly bytecode: Hex;
};
const parameters = parseAbiParameters([
  "address token, Question[] questions",
  "struct Question { address factory; bytes4 selector; address quote; uint256 form; }",
]);
const answer = parseAbiParameters([
  "Sight[] sights",
  "struct Sight { address pool; uint256 quoteBalance; uint256 tokenBalance; uint256 sqrtPriceX96; }",
]);

const SELECTORS = {
  /** `getPair(address,address)` of Uniswap V2. */
  classic: "0xe6a43905",
  /** `getPool(address,address,uint24)` of Uniswap V3. */
  concentrated: "0x1698ee82",
  /** `getPool(address,address,bool)` of Aerodrome. */
  routed: "0x79bc57d5",
  /** `getPool(address,address,int24)` of Slipstream. */
  slipstream: "0x28af8d0b",
} as const;
/** Hundredths of a basis point. */
const FEES = [100, 500, 3000, 10_000];
const TICK_SPACINGS = [1, 50, 100, 200];
const MAX_PRICED = 4;

/** Tokens of these whose price a pool may give: published ones that have none of their own. */
export const listUnpriced = (tokens: readonly Hex[]): Hex[] =>
  tokens
    .filter((token) => !hasOwnPrice(token))
    .filter((token) => findCanonicalToken(token) !== undefined || findParty(token)?.role === "token")
    .slice(0, MAX_PRICED);

function listQuestions({ weth, stablecoin, classic, concentrated, routed, slipstream }: LaunchVenues) {
  return [weth, stablecoin].flatMap((quote) => [
    { factory: classic.factory, selector: SELECTORS.classic, quote, form: 0n },
    ...FEES.map((fee) => ({
      factory: concentrated.factory,
      selector: SELECTORS.concentrated,
      quote,
      form: BigInt(fee),
    })),
    // Volatile pools alone: what a stable one holds says nothing about its price.
    ...(routed ? [{ factory: routed.factory, selector: SELECTORS.routed, quote, form: 0n }] : []),
    ...slipstream.flatMap(({ factory }) =>
      TICK_SPACINGS.map((spacing) => ({
        factory,
        selector: SELECTORS.slipstream,
        quote,
        form: BigInt(spacing),
      })),
    ),
  ]);
}

/** Every pool of a token against wrapped ether and dollars, in one call. */
export function askPools(venues: LaunchVenues, token: Hex): CallRead {
  const args = encodeAbiParameters(parameters, [token, listQuestions(venues)]);
  return { kind: "call", to: null, data: `${bytecode}${args.slice(2)}`, gas: 15_000_000 };
}

export function parsePools(venues: LaunchVenues, token: Hex, reading: Reading<Hex>): PoolPrices[number] {
  const questions = listQuestions(venues);
  const pools = parseProbeAnswer(reading, (data) => {
    const [sights] = decodeAbiParameters(answer, data);
    return sights.flatMap(({ pool, quoteBalance, tokenBalance, sqrtPriceX96 }, index) =>
      BigInt(pool) === 0n
        ? []
        : [
            {
              pool: pool.toLowerCase() as Hex,
              quote: questions[index]?.quote as Hex,
              quoteBalance: quoteBalance.toString(),
              tokenBalance: tokenBalance.toString(),
              sqrtPriceX96: sqrtPriceX96.toString(),
            },
          ],
    );
  });
  return { token, pools };
}
