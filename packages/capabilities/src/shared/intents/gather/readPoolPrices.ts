import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from "viem";
import { findCanonicalToken } from "../../chain-facts/canonicalTokens.js";
import { findParty } from "../../parties/findParty.js";
import { listVenues } from "../../pools/gather/findPools.js";
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
const MAX_PRICED = 4;

/** Tokens of these whose price a pool may give: published ones that have none of their own. */
export const listUnpriced = (tokens: readonly Hex[]): Hex[] =>
  tokens
    .filter((token) => !hasOwnPrice(token))
    .filter((token) => findCanonicalToken(token) !== undefined || findParty(token)?.role === "token")
    .slice(0, MAX_PRICED);

/** Against ether and dollars alone. What a stable pool holds says nothing about its price. */
function listQuestions(venues: LaunchVenues, token: Hex) {
  return listVenues({ ...venues, quotes: [] }, token)
    .filter((venue) => venue.token === token && venue.isStable !== true)
    .flatMap(({ kind, factory, quote, fee, tickSpacing }) =>
      kind === "singleton"
        ? []
        : [{ factory, selector: SELECTORS[kind], quote, form: BigInt(tickSpacing ?? fee) }],
    );
}

/** Every pool of a token against wrapped ether and dollars, in one call. */
export function askPools(venues: LaunchVenues, token: Hex): CallRead {
  const args = encodeAbiParameters(parameters, [token, listQuestions(venues, token)]);
  return { kind: "call", to: null, data: `${bytecode}${args.slice(2)}`, gas: 15_000_000 };
}

export function parsePools(venues: LaunchVenues, token: Hex, reading: Reading<Hex>): PoolPrices[number] {
  const questions = listQuestions(venues, token);
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
