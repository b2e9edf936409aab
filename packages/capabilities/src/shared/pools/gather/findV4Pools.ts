import type { CallRead, ChainLog, ChainRead } from "@assay/chain";
import { type Hex, keccak256, mapReading, type Reading } from "@assay/protocol";
import {
  encodeAbiParameters,
  encodeFunctionData,
  numberToHex,
  pad,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
} from "viem";
import type { LaunchVenues } from "../launchVenues.js";
import type { LaunchPool } from "../poolReadings.js";
import {
  decodeOrNull,
  listPositions,
  MODIFY_LIQUIDITY,
  measureDepth,
  type V4Position,
  type V4State,
} from "./v4Positions.js";

const abi = parseAbi(["function extsload(bytes32[] slots) view returns (bytes32[])"]);
const keyParameters = parseAbiParameters(
  "address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks",
);
const INITIALIZE = toEventSelector("Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)");
const initialized = parseAbiParameters("uint24, int24, address, uint160, int24");
const ZERO: Hex = "0x0000000000000000000000000000000000000000";
/** The place of the pools in the manager's storage; of a pool, the first word is its price, the fourth its liquidity. */
const POOLS_SLOT = numberToHex(6, { size: 32 });
const LIQUIDITY_OFFSET = 3n;
/** A fee and the tick spacing that belongs to it: pools of other forms, or with unknown hooks, are found by their events. */
const FORMS = [
  [100, 1],
  [500, 10],
  [3000, 60],
  [10_000, 200],
] as const;
const Q96 = 2n ** 96n;
/** Anybody can open a pool; of those that only events name, the oldest are read. */
const MAX_NAMED = 16;

interface Identified {
  /** The manager. */
  readonly pool: Hex;
  readonly id: Hex;
}
/** What names a pool, and the quote token's price. */
type Form = Pick<LaunchPool, "quote" | "fee" | "perEther" | "isNamed"> & {
  readonly tickSpacing: number;
  readonly hooks: Hex;
  readonly id: Hex;
};
/** A pool that only an event names; what it holds is read later. */
export type NamedForm = Form & { readonly isNamed: true };

export interface V4Pool {
  readonly pool: LaunchPool & Identified;
  readonly state: V4State;
  readonly isQuoteFirst: boolean;
  /** Null where not all of them are known. */
  readonly positions: readonly V4Position[] | null;
}

function listQuotes({ weth, stablecoin, quotes }: LaunchVenues, token: Hex) {
  const all: readonly { address: Hex; perEther?: bigint }[] = [
    { address: ZERO },
    { address: weth },
    { address: stablecoin },
    ...quotes,
  ];
  return all
    .filter(({ address }) => address !== token)
    .map(({ address, perEther }) => ({
      quote: address,
      ...(perEther !== undefined && { perEther: perEther.toString() }),
    }));
}

/** Pools whose key is known beforehand: without hooks, and with those that a launchpad publishes. */
function listForms(venues: LaunchVenues, token: Hex): Form[] {
  const keys = [
    ...FORMS.map(([fee, tickSpacing]) => ({ fee, tickSpacing, hooks: ZERO })),
    ...(venues.singleton?.hooks ?? []),
  ];
  return listQuotes(venues, token).flatMap((quote) =>
    keys.map((key) => {
      const [first, second] = quote.quote < token ? [quote.quote, token] : [token, quote.quote];
      const id = keccak256(
        encodeAbiParameters(keyParameters, [
          first as Hex,
          second as Hex,
          key.fee,
          key.tickSpacing,
          key.hooks,
        ]),
      );
      return { ...quote, ...key, id };
    }),
  );
}

function readStates(manager: Hex, ids: readonly Hex[]): CallRead {
  const slots = ids.flatMap((id) => {
    const state = BigInt(keccak256(`${id}${POOLS_SLOT.slice(2)}`));
    return [state, state + LIQUIDITY_OFFSET].map((slot) =>
      numberToHex(BigInt.asUintN(256, slot), { size: 32 }),
    );
  });
  return { kind: "call", to: manager, data: encodeFunctionData({ abi, args: [slots] }) };
}

/** Price and liquidity of each pool that a token may have in Uniswap V4 and whose key is known beforehand. */
export function readV4Pools(venues: LaunchVenues, token: Hex): CallRead[] {
  const { singleton } = venues;
  if (singleton === null) return [];
  return [
    readStates(
      singleton.manager,
      listForms(venues, token).map(({ id }) => id),
    ),
  ];
}

type Search = Extract<ChainRead, { kind: "logs" }>;

/**
 * The events by which all other pools of the token are found. Anybody can open pools with other currencies, so only those with a
 * quote are searched for. The currency with the lower address is a pool's first: there is a search for each side that has quotes.
 */
export function readV4Openings(venues: LaunchVenues, token: Hex): Search[] {
  const { singleton } = venues;
  if (singleton === null) return [];
  const quotes = listQuotes(venues, token).map(({ quote }) => quote as Hex);
  const lower = quotes.filter((quote) => quote < token).map((quote) => pad(quote));
  const higher = quotes.filter((quote) => quote > token).map((quote) => pad(quote));
  const search = (...currencies: readonly (Hex | readonly Hex[])[]): Search => ({
    kind: "logs",
    addresses: [singleton.manager],
    topics: [INITIALIZE, null, ...currencies],
    fromBlock: 0,
  });
  return [
    ...(higher.length > 0 ? [search(pad(token), higher)] : []),
    ...(lower.length > 0 ? [search(lower, pad(token))] : []),
  ];
}

/** Who gave the liquidity of the pools whose key is known beforehand. */
export const readKnownLiquidity = (venues: LaunchVenues, token: Hex): Search[] =>
  venues.singleton === null
    ? []
    : [
        readLiquidityEvents(
          venues.singleton.manager,
          listForms(venues, token).map(({ id }) => id),
        ),
      ];

export const readLiquidityEvents = (manager: Hex, ids: readonly Hex[]) =>
  ({ kind: "logs", addresses: [manager], topics: [MODIFY_LIQUIDITY, ids], fromBlock: 0 }) as const;

/** The pools that exist. */
export const parseV4Pools = (
  venues: LaunchVenues,
  token: Hex,
  answer: Reading<Hex> | undefined,
  held: bigint | null,
  events: Reading<readonly ChainLog[]>,
): V4Pool[] => parseStates(venues, token, listForms(venues, token), answer, held, events);

/** Pools that only events name. */
export function parseNamedV4Pools(
  venues: LaunchVenues,
  token: Hex,
  events: readonly (Reading<readonly ChainLog[]> | undefined)[],
): NamedForm[] {
  const known = new Set(listForms(venues, token).map(({ id }) => id));
  const quotes = listQuotes(venues, token);
  return events
    .flatMap((reading) => (reading?.status === "value" ? reading.value : []))
    .toSorted((left, right) => left.blockNumber - right.blockNumber)
    .flatMap(({ topics: [, id, first, second], data }): NamedForm[] => {
      if (id === undefined || known.has(id) || first === undefined || second === undefined) return [];
      const other: Hex = `0x${(first === pad(token) ? second : first).slice(26)}`;
      const quote = quotes.find((one) => one.quote === other);
      if (quote === undefined) return [];
      const terms = decodeOrNull(initialized, data);
      if (terms === null) return [];
      const [fee, tickSpacing, hooks] = terms;
      return [{ ...quote, fee, tickSpacing, hooks: hooks.toLowerCase() as Hex, id, isNamed: true }];
    })
    .slice(0, MAX_NAMED);
}

export function readNamedStates({ singleton }: LaunchVenues, forms: readonly NamedForm[]): CallRead[] {
  const ids = forms.map(({ id }) => id);
  return singleton === null || ids.length === 0 ? [] : [readStates(singleton.manager, ids)];
}

/** What they hold: no more of the token than their manager has, in `held`. */
export function parseStates(
  { singleton }: LaunchVenues,
  token: Hex,
  forms: readonly Form[],
  answer: Reading<Hex> | undefined,
  held: bigint | null,
  events: Reading<readonly ChainLog[]>,
): V4Pool[] {
  const words = readWords(answer);
  if (singleton === null || words === null) return [];
  return forms.flatMap((form, index): V4Pool[] => {
    const word = BigInt(words[index * 2] ?? 0);
    const liquidity = BigInt(words[index * 2 + 1] ?? 0) & (2n ** 128n - 1n);
    const root = word & (2n ** 160n - 1n);
    if (root === 0n || liquidity === 0n) return [];
    const state = { root, tick: Number(BigInt.asIntN(24, word >> 160n)), liquidity };
    const positions = events.status === "value" ? listPositions(events.value, form.id, state) : null;
    const isQuoteFirst = form.quote < token;
    const [first, second] = [(liquidity * Q96) / root, (liquidity * root) / Q96];
    const [inQuote, inToken] = isQuoteFirst ? [first, second] : [second, first];
    const depth = positions === null ? { inQuote, inToken } : measureDepth(positions, state, isQuoteFirst);
    const ofToken = held !== null && held < depth.inToken ? held : depth.inToken;
    return [
      { pool: presentForm(form, singleton.manager, depth.inQuote, ofToken), state, isQuoteFirst, positions },
    ];
  });
}

/** Where positions are not known, what one holds of each token is what its liquidity stands for over the whole range. */
export const presentForm = (
  { hooks, ...form }: Form,
  manager: Hex,
  inQuote = 0n,
  inToken = 0n,
): LaunchPool & Identified => ({
  kind: "singleton",
  ...form,
  ...(BigInt(hooks) !== 0n && { hooks }),
  isRead: true,
  pool: manager,
  quoteBalance: inQuote.toString(),
  tokenBalance: inToken.toString(),
});

const WORDS = parseAbiParameters("bytes32[]");

const readWords = (answer: Reading<Hex> | undefined): readonly Hex[] | null => {
  if (answer === undefined) return null;
  const words = mapReading(answer, (data) => decodeOrNull(WORDS, data)?.[0] ?? null);
  return words.status === "value" ? words.value : null;
};
