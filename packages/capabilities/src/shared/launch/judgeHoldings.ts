import type { Hex } from "@assay/protocol";
import { BURN_ADDRESSES } from "../control/judgeOwnership.js";
import type { LaunchPool } from "../pools/poolReadings.js";
import type { Note } from "../verdict/note.js";
import { readOneWord } from "../words/readOneWord.js";
import type { LaunchLiquidity, LaunchReadings, LaunchShare } from "./launchReadings.js";

export type HoldingCode =
  | "LIQUIDITY_BURNT"
  | "LIQUIDITY_SECURED"
  | "LIQUIDITY_SPREAD"
  | "LIQUIDITY_WITH_ACCOUNT"
  | "LIQUIDITY_LOCK_ENDS"
  | "LIQUIDITY_HOLDER_UNKNOWN"
  | "LIQUIDITY_UNREAD"
  | "SUPPLY_CONCENTRATED"
  | "SUPPLY_HANDED_OUT"
  | "SUPPLY_EXCEEDED"
  | "UNANNOUNCED_BALANCE"
  | "POOL_SPENDABLE"
  | "POOL_SPENDABLE_BY_ACCOUNT"
  | "HOLDERS_UNREAD";
type Notes = Note<HoldingCode>[];

/** How a holder could let go of what it holds. */
type Hold = "burnt" | "free" | "locked" | "ending" | "unknown";

export interface ShareFindings {
  readonly address: string;
  readonly bps: number;
  readonly hold: Hold;
  readonly until: number | null;
}

export interface HoldingFindings {
  readonly liquidity: {
    readonly pool: string;
    readonly burntBps: number;
    readonly lockedBps: number;
    readonly lockedUntil: number | null;
    readonly unknownBps: number;
    readonly holders: readonly ShareFindings[];
  } | null;
  readonly supply: {
    readonly burntBps: number;
    readonly pooledBps: number;
    readonly topTenBps: number;
    readonly creatorBps: number | null;
    readonly holders: readonly ShareFindings[];
  } | null;
}

const WHOLE_BPS = 10_000;
/** Tokens that count balances in shares of the supply round: by less than this part. */
const ROUNDING = 1_000n;
/** A holder of this share or more moves the price by withdrawing. */
const LARGE_SHARE_BPS = 1_000;
/** In seconds. A lock that ends sooner protects nobody who buys now. */
const SHORT_LOCK = 7 * 86_400;
/** A holder that can take this much of the pool's money by selling decides about the price. */
const DUMP_BPS = 2_000;

interface PoolName {
  readonly pool: string;
  readonly id?: string;
}

/** Who could withdraw the liquidity of the deepest pool, or sell so much that little is left in it. */
export function judgeHoldings(
  readings: LaunchReadings,
  pool: PoolName | null,
): {
  notes: Notes;
  findings: HoldingFindings;
} {
  const liquidity = pool === null ? null : judgeLiquidity(readings, pool);
  const supply = pool === null ? null : judgeSupply(readings);
  return {
    notes: [...(liquidity?.notes ?? []), ...(supply?.notes ?? []), ...noteGrants(readings)],
    findings: { liquidity: liquidity?.findings ?? null, supply: supply?.findings ?? null },
  };
}

function describeHold({ code, keeper, address, knownAs }: LaunchShare, nowSeconds: number): Hold {
  if (BURN_ADDRESSES.includes(address)) return "burnt";
  if (code.status !== "value") return "unknown";
  if (code.value.form === "empty" || code.value.form === "eip7702_delegation") return "free";
  if (knownAs !== null) return "locked";
  if (keeper === null || !keeper.isComplete || keeper.drained.status !== "value") return "unknown";
  if (keeper.drained.value.length > 0) return "free";
  const isFixed = !["DELEGATECALL", "CALLCODE", "SELFDESTRUCT"].some((opcode) =>
    keeper.opcodes.includes(opcode as never),
  );
  if (!isFixed || keeper.approves === true) return "unknown";
  if (keeper.functions === 0) return "burnt";
  const end = findEnd(keeper);
  if (end === null || keeper.unexplained.length > 0) return "unknown";
  if (end < nowSeconds + SHORT_LOCK) return "ending";
  // Trials cannot show that no argument, payment or state opens it: the paths of its program must.
  return keeper.staysUntil === null ? "unknown" : "locked";
}

/** A time that a keeper has in its storage may be another than the one that it waits for. */
const findEnd = ({ until, staysUntil }: NonNullable<LaunchShare["keeper"]>): number | null =>
  until === null ? null : Math.min(until, staysUntil ?? until);

function describeShares(shares: readonly LaunchShare[], total: bigint, nowSeconds: number): ShareFindings[] {
  return shares
    .map((share) => ({
      address: share.address,
      bps: Number(((readOneWord(share.held) ?? 0n) * BigInt(WHOLE_BPS)) / total),
      hold: describeHold(share, nowSeconds),
      until: share.keeper && findEnd(share.keeper),
    }))
    .filter(({ bps }) => bps > 0)
    .sort((left, right) => right.bps - left.bps);
}

const sumOf = (shares: readonly ShareFindings[], ...holds: Hold[]): number =>
  shares.filter(({ hold }) => holds.includes(hold)).reduce((sum, { bps }) => sum + bps, 0);

/** Whether one account could withdraw a large part of a pool. */
export const isWithdrawable = (readings: LaunchReadings, pool: PoolName): boolean =>
  judgeLiquidity(readings, pool).notes.some(({ code }) => code === "LIQUIDITY_WITH_ACCOUNT");

/** What is settled about liquidity; anything else is worse. */
const SETTLED: readonly HoldingCode[] = ["LIQUIDITY_BURNT", "LIQUIDITY_SECURED", "LIQUIDITY_SPREAD"];

function judgeLiquidity({ liquidity, block }: LaunchReadings, { pool, id }: PoolName) {
  const judged = liquidity
    .filter((one) => one.pool === pool && one.id === id)
    .map((found) => judgeShares(found, block.timestamp));
  const has = (code: HoldingCode) => judged.find(({ notes }) => notes.some((note) => note.code === code));
  const isOpen = judged.find(({ notes }) => notes.some(({ code }) => !SETTLED.includes(code)));
  const limitation = "Who holds the liquidity of this kind of pool is not read.";
  return (
    has("LIQUIDITY_WITH_ACCOUNT") ??
    isOpen ??
    judged[0] ?? { notes: [{ code: "LIQUIDITY_HOLDER_UNKNOWN", limitation }] as Notes, findings: null }
  );
}

function judgeShares(found: LaunchLiquidity, nowSeconds: number) {
  const { pool } = found;
  const total = readOneWord(found.total);
  if (total === null || total === 0n || found.shares.some(({ held }) => readOneWord(held) === null)) {
    const limitation = `Who holds the liquidity of the pool ${pool} was not read.`;
    return { notes: [{ code: "LIQUIDITY_UNREAD", limitation }] as Notes, findings: null };
  }
  const holders = describeShares(found.shares, total, nowSeconds);
  const known = holders.reduce((sum, { bps }) => sum + bps, 0);
  const unknownBps = Math.max(0, WHOLE_BPS - known) + sumOf(holders, "unknown");
  const untils = holders.flatMap(({ hold, until }) => (hold === "locked" && until !== null ? [until] : []));
  return {
    notes: noteLiquidity(holders, unknownBps, found),
    findings: {
      pool,
      burntBps: sumOf(holders, "burnt"),
      lockedBps: sumOf(holders, "locked"),
      lockedUntil: untils.length === 0 ? null : Math.min(...untils),
      unknownBps,
      holders,
    },
  };
}

function noteLiquidity(
  holders: readonly ShareFindings[],
  unknownBps: number,
  { isListed }: LaunchLiquidity,
): Notes {
  if (holders.some(({ hold, bps }) => hold === "free" && bps >= LARGE_SHARE_BPS))
    return [{ code: "LIQUIDITY_WITH_ACCOUNT" }];
  if (sumOf(holders, "ending") >= LARGE_SHARE_BPS) return [{ code: "LIQUIDITY_LOCK_ENDS" }];
  // Rounding, and the shares that a pair burns itself, leave a little over.
  if (unknownBps >= LARGE_SHARE_BPS) {
    const limitation = isListed
      ? "A contract that was not understood holds a large part of the liquidity."
      : "Not every holder of the liquidity was found.";
    return [{ code: "LIQUIDITY_HOLDER_UNKNOWN", limitation }];
  }
  if (sumOf(holders, "burnt") >= WHOLE_BPS - LARGE_SHARE_BPS) return [{ code: "LIQUIDITY_BURNT" }];
  return [{ code: sumOf(holders, "locked") > 0 ? "LIQUIDITY_SECURED" : "LIQUIDITY_SPREAD" }];
}

const hasNoCode = (holders: readonly LaunchShare[], address: string): boolean => {
  const code = holders.find((holder) => holder.address === address)?.code;
  return code?.status === "value" && code.value.form === "empty";
};

/** Tokens that were made without a word: more than the supply says, or with accounts that no event names. */
function noteUnannounced({ unannounced, holders, pools }: LaunchReadings, supply: bigint): Notes {
  if (unannounced === undefined) return [];
  const held = new Map(holders.map(({ address, held: answer }) => [address, readOneWord(answer) ?? 0n]));
  const found = pools.status === "value" ? pools.value.found : [];
  for (const [pool, balance] of listPooled(found)) held.set(pool, balance);
  const sum = [...held.values()].reduce((total, amount) => total + amount, 0n);
  const notes: Notes = sum > supply + supply / ROUNDING ? [{ code: "SUPPLY_EXCEEDED" }] : [];
  const silent = unannounced?.unnamed.filter((one) => (held.get(one) ?? 0n) > supply / ROUNDING) ?? [];
  if (silent.length > 0 || (unannounced?.created.length ?? 0) > 0)
    notes.push({ code: "UNANNOUNCED_BALANCE" });
  return notes;
}

/** What a pool has, or what counts as burnt, and somebody may spend. */
function noteGrants({ grants = [], unannounced }: LaunchReadings): Notes {
  const live = grants.filter(
    ({ allowed }) => allowed.status !== "value" || (readOneWord(allowed) ?? 1n) > 0n,
  );
  const byAccount = live.filter(
    ({ allowed, code }) =>
      allowed.status === "value" &&
      code.status === "value" &&
      (code.value.form === "empty" || code.value.form === "eip7702_delegation"),
  );
  const others = [...live.filter((one) => !byAccount.includes(one)), ...(unannounced?.grants ?? [])];
  const name = (ones: readonly { readonly holder: string; readonly spender: string }[]) =>
    ones.map(({ holder, spender }) => `${spender} of ${holder}`).join(", ");
  return [
    ...(byAccount.length === 0
      ? []
      : [{ code: "POOL_SPENDABLE_BY_ACCOUNT" as const, limitation: `Who may spend: ${name(byAccount)}.` }]),
    ...(others.length === 0
      ? []
      : [{ code: "POOL_SPENDABLE" as const, limitation: `Who may spend: ${name(others)}.` }]),
  ];
}

/** What pools hold of the token, by their address: V4's manager has the tokens of all its pools. */
function listPooled(found: readonly LaunchPool[]): Map<Hex, bigint> {
  const balances = new Map<Hex, bigint>();
  for (const { pool, tokenBalance } of found)
    if (pool !== null && (balances.get(pool as Hex) ?? 0n) < BigInt(tokenBalance))
      balances.set(pool as Hex, BigInt(tokenBalance));
  return balances;
}

function judgeSupply(readings: LaunchReadings) {
  const { holders, totalSupply, pools, creator, given, block } = readings;
  const supply = readOneWord(totalSupply);
  const pooled =
    pools.status === "value"
      ? [...listPooled(pools.value.found).values()].reduce((sum, balance) => sum + balance, 0n)
      : 0n;
  if (supply === null || supply === 0n || pooled === 0n) {
    const limitation = "The supply of the token was not read.";
    return { notes: [{ code: "HOLDERS_UNREAD", limitation }] as Notes, findings: null };
  }
  const shares = describeShares(holders, supply, block.timestamp);
  const pooledBps = Number((pooled * BigInt(WHOLE_BPS)) / supply);
  const known = pooledBps + shares.reduce((sum, { bps }) => sum + bps, 0);
  // What a holder takes out by selling at once is its part of what it and the pool hold.
  const canDump = (bps: number) => bps * WHOLE_BPS >= DUMP_BPS * (bps + pooledBps);
  const notes: Notes = [];
  if (shares.some(({ hold, bps }) => hold !== "burnt" && hold !== "locked" && canDump(bps)))
    notes.push({ code: "SUPPLY_CONCENTRATED" });
  // Accounts that were given tokens may be the creator's own. What a contract keeps was put there for a purpose.
  const handedOut = shares
    .filter(
      ({ address, hold }) => hold === "free" && (given.some((one) => one === address) || address === creator),
    )
    .filter(({ address }) => hasNoCode(holders, address));
  if (handedOut.length > 1 && canDump(handedOut.reduce((sum, { bps }) => sum + bps, 0)))
    notes.push({ code: "SUPPLY_HANDED_OUT" });
  notes.push(...noteUnannounced(readings, supply));
  if (canDump(Math.max(0, WHOLE_BPS - known - 10))) {
    const limitation = "Not every large holder of the token was found.";
    notes.push({ code: "HOLDERS_UNREAD", limitation });
  }
  const free = shares.filter(({ hold }) => hold !== "burnt");
  const own = creator === null ? null : holders.find(({ address }) => address === creator);
  return {
    notes,
    findings: {
      burntBps: sumOf(shares, "burnt"),
      pooledBps,
      topTenBps: free.slice(0, 10).reduce((sum, { bps }) => sum + bps, 0),
      creatorBps:
        creator === null
          ? null
          : Number(((own ? (readOneWord(own.held) ?? 0n) : 0n) * BigInt(WHOLE_BPS)) / supply),
      holders: free.slice(0, 10),
    },
  };
}
