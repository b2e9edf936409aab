import type { Hex } from "@assay/protocol";
import { WETH } from "../chain-facts/knownContracts.js";
import { BOTTOM_ROOT, holdingsAt, type Range, rootAt, rootOf, TOP_ROOT } from "../pools/positionMath.js";
import type { Note } from "../verdict/note.js";
import type { DecodedCall } from "./decodeCalls.js";
import { groupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { isReduced } from "./judgeValue.js";
import { findValue, isKnownAsset, isSmallSum } from "./priceAssets.js";

type PositionCode = "VALUE_REDUCED" | "VALUE_LOST" | "PRICE_UNREAD";

interface Position {
  readonly token0: Hex;
  readonly token1: Hex;
  readonly range: Range;
}

/**
 * A pool takes both tokens at its own price, and anybody may have set that: what is added at another price than the market's is
 * there for everybody to take. What a position is worth at the market's price is set against what was put in.
 */
export function judgePositions(one: IntentCase, group: ReadonlySet<Hex>): Note<PositionCode>[] {
  const positions = one.calls
    .filter(({ caller }) => group.has(caller) || one.calls.some(({ to }) => to === caller))
    .flatMap((call) => findPosition(one, call));
  const leaves = groupFlows(one, group)?.leaves ?? [];
  const [position] = positions;
  if (position === undefined || leaves.length === 0 || isSmallSum(one, leaves)) return [];
  // Of a token that nobody published there is no price, and what stands on it is judged by that.
  const isKnown = (token: Hex) => isKnownAsset(one, { kind: "erc20", token, id: null });
  if (!isKnown(position.token0) || !isKnown(position.token1)) return [];
  const isMixed = positions.length > 1 || one.listed.acts.some(({ kind }) => kind === "swap");
  const worth = isMixed ? undefined : weighPosition(one, position, leaves);
  if (worth === undefined) return [{ code: "PRICE_UNREAD", limitation: NOT_WEIGHED }];
  const { given, gotten } = worth;
  if (!isReduced(given, gotten, true)) return [];
  return [{ code: gotten * 2n < given ? "VALUE_LOST" : "VALUE_REDUCED" }];
}

const NOT_WEIGHED =
  "Whether the pool takes its tokens at the market's price was not judged: one of them has no price here, or other calls move them too.";

/** Undefined where one of the tokens has no price. */
function weighPosition(
  one: IntentCase,
  { token0, token1, range }: Position,
  leaves: readonly { readonly asset: { readonly token: Hex | null }; readonly amount: bigint }[],
): { given: bigint; gotten: bigint } | undefined {
  const [price0, price1] = [findPrice(one, token0), findPrice(one, token1)];
  if (price0 === undefined || price1 === undefined) return undefined;
  const put = (of: Hex) =>
    leaves
      .filter(({ asset: { token } }) => token === of || (token === null && of === WETH))
      .reduce((sum, { amount }) => sum + amount, 0n);
  const amounts = [put(token0), put(token1)] as const;
  const market = rootOf(price0.value * price1.units, price0.units * price1.value);
  const later = holdingsAt(range, amounts, market);
  const sum = ([first, second]: readonly [bigint, bigint]) =>
    (first * price0.value) / price0.units + (second * price1.value) / price1.units;
  return { given: sum(amounts), gotten: sum(later) };
}

/** Micro-dollars of so many units that they are a dollar at least. */
function findPrice(one: IntentCase, token: Hex): { value: bigint; units: bigint } | undefined {
  for (let units = 1n; units < 10n ** 36n; units *= 10n) {
    const value = findValue(one, { asset: { kind: "erc20", token, id: null }, amount: units });
    if (value === undefined) return undefined;
    if (value >= 1_000_000n) return { value, units };
  }
  return undefined;
}

type Values = Readonly<Record<string, unknown>>;
const isAddress = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value);
const everywhere: Range = { lower: BOTTOM_ROOT, upper: TOP_ROOT };

/** The tokens and the range of what a call adds to, by its arguments or by what the position manager says of a position. */
function findPosition({ readings }: IntentCase, { signature, args, to }: DecodedCall): Position[] {
  if (args === null || signature === null) return [];
  const params = ((args.params as Values | undefined) ?? args) as Values;
  if (signature.startsWith("mint((address,address,"))
    return order(params.token0, params.token1, params.tickLower, params.tickUpper);
  if (signature.startsWith("increaseLiquidity(")) {
    const known = readings.itemOwners.find(({ token, id }) => token === to && id === params.tokenId);
    const words =
      known?.position.status === "value" ? (known.position.value.slice(2).match(/.{64}/g) ?? []) : [];
    const token = (index: number) => `0x${(words[index] ?? "").slice(24)}`;
    const tick = (index: number) => BigInt.asIntN(24, BigInt(`0x${words[index] ?? "0"}`));
    return order(token(2), token(3), tick(5), tick(6));
  }
  // Pools of two tokens of the same worth price them in another way.
  const isOrdinary = args.stable === undefined || args.stable === false;
  if (/^addLiquidity(ETH)?\(address,/.test(signature) && isOrdinary) {
    const [token0, token1] = [args.tokenA ?? args.token, args.tokenB ?? WETH];
    return isAddress(token0) && isAddress(token1) ? [{ token0, token1, range: everywhere }] : [];
  }
  return [];
}

function order(token0: unknown, token1: unknown, lower: unknown, upper: unknown): Position[] {
  if (!isAddress(token0) || !isAddress(token1)) return [];
  const [first, last] = [rootAt(Number(lower)), rootAt(Number(upper))];
  return first < last ? [{ token0, token1, range: { lower: first, upper: last } }] : [];
}
