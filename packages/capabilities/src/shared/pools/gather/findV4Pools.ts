import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from "viem";
import type { LaunchVenues } from "../launchVenues.js";
import type { LaunchPool } from "../poolReadings.js";

const abi = parseAbi(["function extsload(bytes32 startSlot, uint256 nSlots) view returns (bytes32[])"]);
const keyParameters = parseAbiParameters(
  "address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks",
);
const ZERO: Hex = "0x0000000000000000000000000000000000000000";
/** The place of the pools in the manager's storage. */
const POOLS_SLOT = numberToHex(6, { size: 32 });
/** A fee and the tick spacing that belongs to it: pools of other forms, or with hooks, are found only by their events. */
const FORMS = [
  [100, 1],
  [500, 10],
  [3000, 60],
  [10_000, 200],
] as const;
const Q96 = 2n ** 96n;

interface Question {
  readonly quote: Hex;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly slot: Hex;
}

function listQuestions({ weth, stablecoin }: LaunchVenues, token: Hex): Question[] {
  return [ZERO, weth, stablecoin]
    .filter((quote) => quote !== token)
    .flatMap((quote) =>
      FORMS.map(([fee, tickSpacing]) => {
        const [first, second] = quote < token ? [quote, token] : [token, quote];
        const id = keccak256(encodeAbiParameters(keyParameters, [first, second, fee, tickSpacing, ZERO]));
        return { quote, fee, tickSpacing, slot: keccak256(`${id}${POOLS_SLOT.slice(2)}`) };
      }),
    );
}

/** Price and liquidity of each pool without hooks that a token may have in Uniswap V4. */
export function readV4Pools(venues: LaunchVenues, token: Hex): CallRead[] {
  const { singleton } = venues;
  if (singleton === null) return [];
  return listQuestions(venues, token).map(({ slot }) => ({
    kind: "call",
    to: singleton.manager,
    data: encodeFunctionData({ abi, args: [slot, 4n] }),
  }));
}

/** The pools that exist. What one holds of each token is what its liquidity stands for over the whole range. */
export function parseV4Pools(
  venues: LaunchVenues,
  token: Hex,
  answers: readonly Reading<Hex>[],
): LaunchPool[] {
  const { singleton } = venues;
  if (singleton === null) return [];
  return listQuestions(venues, token).flatMap(({ quote, fee, tickSpacing }, index): LaunchPool[] => {
    const words = readWords(answers[index]);
    if (words === null) return [];
    const price = BigInt(words[0] ?? 0) & (2n ** 160n - 1n);
    const liquidity = BigInt(words[3] ?? 0) & (2n ** 128n - 1n);
    if (price === 0n || liquidity === 0n) return [];
    const [first, second] = [(liquidity * Q96) / price, (liquidity * price) / Q96];
    const isQuoteFirst = quote < token;
    return [
      {
        kind: "singleton",
        quote,
        fee,
        tickSpacing,
        isRead: true,
        pool: singleton.manager,
        quoteBalance: (isQuoteFirst ? first : second).toString(),
        tokenBalance: (isQuoteFirst ? second : first).toString(),
      },
    ];
  });
}

function readWords(answer: Reading<Hex> | undefined): readonly Hex[] | null {
  if (answer?.status !== "value") return null;
  try {
    return decodeAbiParameters([{ type: "bytes32[]" }], answer.value)[0];
  } catch {
    return null;
  }
}
