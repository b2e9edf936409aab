import type { ChainRead } from "@assay/chain";
import { absent, type Hex, mapReading, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { numberToHex } from "viem";
import { describeProgram, listInstructions } from "../../code/describeProgram.js";
import { analyseCode } from "../../code/gather/analyseCode.js";
import { BURN_ADDRESSES } from "../../control/judgeOwnership.js";
import { readKeeper } from "../../machine/gather/readProgram.js";
import { findParty } from "../../parties/findParty.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import type { DeepPool } from "../../pools/rankPools.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import { readOneWord } from "../../words/readOneWord.js";
import type { LaunchLiquidity, LaunchShare } from "../launchReadings.js";
import { padSlot, readPlace } from "../listKeys.js";
import { patchClock } from "../patchProgram.js";
import { encodeTrials } from "../trialCalls.js";
import { encodeBalanceOf } from "./encodeBalanceOf.js";
import { parseDrain, parsePositions, readDrain, readPositions } from "./holdingProbe.js";
import type { Market } from "./launchProbe.js";

/** Words of a keeper's storage in which keys and times are searched for. */
const KEEPER_WORDS = 16;
/** Of the accounts that events name, those that are asked. */
const MAX_NAMED = 6;
const MAX_POOLS = 6;

interface FoundShare {
  readonly address: Hex;
  readonly held: Reading<Hex>;
  readonly code: Reading<Hex>;
  readonly words: readonly Reading<Hex>[];
}

export interface FoundLiquidity {
  readonly market: { readonly pool: Pick<DeepPool, "pool" | "quote" | "id"> } | null;
  readonly total: Reading<Hex>;
  readonly shares: readonly FoundShare[];
  readonly isListed: boolean;
  /** What is held: the pair's own shares, or the tokens of a manager of positions. */
  readonly token: Hex;
  /** Who ever let another account spend it, as events say. */
  readonly approvers: readonly Hex[];
}

interface LiquidityQuestion {
  readonly markets: readonly Market[];
  readonly venues: LaunchVenues;
  readonly sender: Hex;
  readonly candidates: readonly Hex[];
  readonly shareHolders: ReadonlyMap<Hex, Reading<readonly Hex[]>>;
  readonly shareApprovers: ReadonlyMap<Hex, readonly Hex[]>;
}

/** Who holds the liquidity of each pool that is deep enough. */
export function planLiquidity(batch: Batch, question: LiquidityQuestion): { parse(): FoundLiquidity[] } {
  const planned = question.markets.slice(0, MAX_POOLS).flatMap((market) => {
    const { kind } = market.pool;
    if (kind === "classic" || kind === "routed") return [planShares(batch, question, market)];
    const manager = findManager(question.venues, market);
    return manager === undefined ? [] : [planPositions(batch, question, market, manager)];
  });
  return { parse: () => planned.map((parse) => parse()) };
}

function findManager({ concentrated, slipstream }: LaunchVenues, { pool }: Market): Hex | undefined {
  if (pool.kind === "concentrated") return concentrated.positions;
  return slipstream.find(({ factory }) => factory === pool.factory)?.positions;
}

function planShares(
  batch: Batch,
  { candidates, shareHolders, shareApprovers }: LiquidityQuestion,
  market: Market,
): () => FoundLiquidity {
  const { pool } = market.pool;
  const parse = planHolders(batch, pool, candidates, shareHolders.get(pool) ?? noAnswer, market);
  return () => ({ ...parse(), approvers: shareApprovers.get(pool) ?? [] });
}

/** Who holds a token, or the shares of a pair: accounts that are asked in any case, and those that events name. */
export function planHolders(
  batch: Batch,
  pool: Hex,
  candidates: readonly Hex[],
  listed: Reading<readonly Hex[]>,
  market: Market | null,
): () => FoundLiquidity {
  const total = batch.ask({ kind: "call", to: pool, data: "0x18160ddd" });
  const named = listed.status === "value" ? listed.value.slice(0, MAX_NAMED) : [];
  const accounts = [...new Set([...candidates, ...named])].filter((one) => one !== pool);
  const asked = accounts.map((address) => {
    const held = batch.ask({ kind: "call", to: pool, data: encodeBalanceOf(address) });
    const isBurnt = BURN_ADDRESSES.includes(address);
    const code = isBurnt ? () => absent : batch.ask({ kind: "code", address });
    const words =
      isBurnt || !named.includes(address)
        ? []
        : Array.from({ length: KEEPER_WORDS }, (_, index) =>
            batch.ask({ kind: "storage", address, slot: padSlot(numberToHex(index)) }),
          );
    return (): FoundShare => ({
      address,
      held: cutAnswer(held(), WORD_ANSWER_BYTES),
      code: code(),
      words: words.map((word) => word()),
    });
  });
  return () => ({
    market,
    total: cutAnswer(total(), WORD_ANSWER_BYTES),
    shares: asked.map((parse) => parse()),
    isListed: listed.status === "value" && listed.value.length <= MAX_NAMED,
    token: pool,
    approvers: [],
  });
}

function planPositions(
  batch: Batch,
  { sender, candidates }: LiquidityQuestion,
  market: Market,
  manager: Hex,
): () => FoundLiquidity {
  const { pool } = market.pool;
  const total = batch.ask({ kind: "call", to: pool, data: "0x1a686502" });
  const slot0 = batch.ask({ kind: "call", to: pool, data: "0x3850c7bd" });
  const owners = candidates.filter((one) => BigInt(one) !== 0n);
  const positions = batch.ask(readPositions(market, manager, sender, owners));
  return () => {
    const tick = mapReading(slot0(), (data) => Number(BigInt.asIntN(24, BigInt(`0x${data.slice(66, 130)}`))));
    const found = parsePositions(positions());
    const inRange = (lower: number, upper: number) =>
      tick.status === "value" && tick.value >= lower && tick.value < upper;
    const sums = new Map<Hex, bigint>();
    const codes = new Map<Hex, Hex>();
    for (const { owner, code } of found.status === "value" ? found.value : [])
      if (!codes.has(owner)) codes.set(owner, code);
    for (const { owner, liquidity, tickLower, tickUpper } of found.status === "value" ? found.value : [])
      if (inRange(tickLower, tickUpper)) sums.set(owner, (sums.get(owner) ?? 0n) + liquidity);
    return {
      market,
      total: found.status === "value" ? cutAnswer(total(), WORD_ANSWER_BYTES) : noAnswer,
      shares: [...sums].map(([address, sum]) => ({
        address,
        held: valueReading(numberToHex(sum, { size: 32 })),
        code: valueReading(codes.get(address) ?? "0x"),
        words: [],
      })),
      isListed: false,
      token: manager,
      approvers: [],
    };
  };
}

interface KeeperQuestion {
  readonly sender: Hex;
  readonly nobody: Hex;
  readonly nowSeconds: number;
  readonly blockNumber: number;
  readonly strangers: ReadonlySet<Hex>;
  /** Keepers about which everything is asked already, by what they hold and their address. */
  readonly planned: Map<string, ParseKeeper>;
  price<R extends ChainRead>(read: R): R;
}

type ParseKeeper = () => LaunchShare["keeper"];
type ParseShare = () => LaunchShare;

/** What contracts that hold liquidity let happen to it. */
export async function planKeepers(
  batch: Batch,
  found: readonly FoundLiquidity[],
  question: KeeperQuestion,
): Promise<{ parse(): LaunchLiquidity[] }> {
  const planned = await Promise.all(
    found.map(async (liquidity) => {
      const total = readOneWord(liquidity.total) ?? 0n;
      const relevant = liquidity.shares.filter(({ address, held }) => {
        const share = readOneWord(held) ?? 0n;
        // Unread ones are kept, so that they are judged as unread.
        return held.status !== "value" || BURN_ADDRESSES.includes(address) || share * 1_000n > total;
      });
      const shares: ParseShare[] = await Promise.all(
        relevant.slice(0, 24).map((share) => planShare(batch, liquidity, share, question)),
      );
      return (): LaunchLiquidity => ({
        pool: liquidity.market?.pool.pool ?? liquidity.token,
        ...(liquidity.market?.pool.id !== undefined && { id: liquidity.market.pool.id }),
        total: liquidity.total,
        shares: shares.map((parse) => parse()),
        isListed: liquidity.isListed,
      });
    }),
  );
  return { parse: () => planned.map((parse) => parse()) };
}

/** Where nothing more is asked about the contracts that hold it. */
export const describeWithoutKeepers = ({
  market,
  token,
  total,
  shares,
  isListed,
}: FoundLiquidity): LaunchLiquidity => ({
  pool: market?.pool.pool ?? token,
  ...(market?.pool.id !== undefined && { id: market.pool.id }),
  total,
  shares: shares.map(({ address, held, code }) => ({
    address,
    held,
    code: fingerprintReading(BURN_ADDRESSES.includes(address) ? absent : code),
    knownAs: findLocker(address),
    keeper: null,
  })),
  isListed,
});

async function planShare(
  batch: Batch,
  liquidity: FoundLiquidity,
  { address, held, code, words }: FoundShare,
  question: KeeperQuestion,
): Promise<ParseShare> {
  const knownAs = findLocker(address);
  if (BURN_ADDRESSES.includes(address))
    return () => ({ address, held, code: fingerprintReading(absent), knownAs, keeper: null });
  const fingerprint = fingerprintReading(code);
  const isContract =
    code.status === "value" && fingerprint.status === "value" && fingerprint.value.form === "contract";
  const name = `${liquidity.token} ${address}`;
  const keeper =
    isContract && words.length > 0
      ? (question.planned.get(name) ??
        (await planKeeper(batch, liquidity, { address, held, bytes: code.value, words }, question)))
      : null;
  if (keeper !== null) question.planned.set(name, keeper);
  return () => ({ address, held, code: fingerprint, knownAs, keeper: keeper?.() ?? null });
}

/** Launchpads publish the contracts that keep the liquidity of every token they launch. */
function findLocker(address: Hex): string | null {
  const party = findParty(address);
  return party?.role === "vault" && party.name.endsWith("locker") ? party.name : null;
}

/** Times after the block that the storage or the code of a keeper holds: when it may let go. */
function findUntil(words: readonly Reading<Hex>[], bytes: Hex, nowSeconds: number): number | null {
  const century = nowSeconds + 3_200_000_000;
  const stored = words.flatMap((word) =>
    word.status === "value"
      ? [BigInt(word.value), BigInt(word.value) >> 160n, BigInt(word.value) & 0xffffffffffn]
      : [],
  );
  // A variable that is set once is pushed as a whole word; shorter numbers may be selectors.
  const pushed = listInstructions(bytes).flatMap(({ pushed: value }) =>
    value?.length === 66 ? [BigInt(value)] : [],
  );
  const times = [...stored, ...pushed].filter(
    (value) => value > BigInt(nowSeconds) && value < BigInt(century),
  );
  return times.length === 0 ? null : Number(times.reduce((most, value) => (value > most ? value : most)));
}

const listWords = (words: readonly Reading<Hex>[]): ReadonlyMap<string, bigint> =>
  new Map(
    words.flatMap((word, slot) =>
      word.status === "value" ? [[`0x${slot.toString(16)}`, BigInt(word.value)] as const] : [],
    ),
  );

async function planKeeper(
  batch: Batch,
  { market, token, approvers }: FoundLiquidity,
  share: { address: Hex; held: Reading<Hex>; bytes: Hex; words: readonly Reading<Hex>[] },
  { sender, nobody, nowSeconds, blockNumber, strangers, price }: KeeperQuestion,
): Promise<ParseKeeper> {
  const analysis = await analyseCode(share.bytes);
  const { opcodes, addresses } = describeProgram(share.bytes);
  const changing =
    analysis.status === "value" ? analysis.value.functions.filter(({ isView }) => !isView) : [];
  const stored = share.words.flatMap((word) =>
    word.status === "value" ? [0, 1, 12].flatMap((offset) => readPlace(word.value, offset) ?? []) : [],
  );
  const keys = [...new Set([...stored, ...addresses])]
    .filter(
      (one) => !strangers.has(one) && !BURN_ADDRESSES.includes(one) && one !== share.address && one !== token,
    )
    .slice(0, 6);
  const until = findUntil(share.words, share.bytes, nowSeconds);
  const stays = await readKeeper(share.bytes, listWords(share.words), {
    time: BigInt(nowSeconds),
    number: BigInt(blockNumber),
  });
  const held = readOneWord(share.held) ?? 0n;
  const trials = [...keys, nobody].flatMap((caller) =>
    changing.flatMap(({ selector, parameters }) =>
      encodeTrials(selector as Hex, parameters, {
        trader: token,
        pool: token,
        caller,
        quote: token,
        supply: held,
        held,
        numbers: [],
        nowSeconds: BigInt(nowSeconds),
      }).map((calls) => ({ caller, calls })),
    ),
  );
  const some = trials.slice(0, 90);
  const place = {
    keeper: share.address,
    shares: token,
    quote: (market?.pool.quote ?? token) as Hex,
    pool: market?.pool.pool ?? share.address,
  };
  const now = batch.ask(price(readDrain(sender, place, some)));
  const afterwards =
    until === null
      ? null
      : batch.ask(
          price(
            readDrain(sender, place, some, {
              [share.address]: { code: patchClock(share.bytes), balance: BigInt(until) + 1n },
            }),
          ),
        );
  return () => {
    const outcomes = parseDrain(now());
    const later = afterwards ? parseDrain(afterwards()) : outcomes;
    const isAccepted = (selector: string) =>
      later.status === "value" &&
      some.some(({ calls }, index) => calls[0]?.startsWith(selector) && (later.value[index] ?? 0) > 1);
    return {
      keys,
      until,
      functions: changing.length,
      // Functions that nobody may call even when the time has come have a key that was not found.
      unexplained: changing
        .map(({ selector }) => selector as Hex)
        .filter((selector) => !isAccepted(selector)),
      opcodes,
      staysUntil: stays,
      approves: approvers.includes(share.address),
      drained: mapReading(outcomes, (list) =>
        some.flatMap(({ calls }, index) => (list[index] === 3 && calls[0] ? [calls[0]] : [])),
      ),
      isComplete:
        analysis.status === "value" &&
        trials.length === some.length &&
        outcomes.status === "value" &&
        outcomes.value.every((outcome) => outcome > 0),
    };
  };
}
