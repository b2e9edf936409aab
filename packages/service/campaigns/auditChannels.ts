import type { Devnet } from "@assay/devnet";
import { BATCH_SETTLEMENT, type ChannelConfig, type Hex, voucherDigestOf } from "@assay/protocol";
import { createPublicClient, http, parseAbi } from "viem";
import { findSigner } from "../src/base/secp256k1.js";
import type { Queryable } from "../src/store/database.js";

const abi = parseAbi([
  "function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)",
  "function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)",
  "function balanceOf(address) view returns (uint256)",
]);

interface Row {
  channel_no: bigint;
  channel_id: Hex;
  config: ChannelConfig;
  charged: bigint;
  voucher_signature: Buffer | null;
}

interface CallRow {
  invocation_id: string;
  channel_no: bigint;
  amount: bigint;
  voucher_ceiling: bigint;
  voucher_signature: Buffer;
}

export interface ChannelAudit {
  readonly violations: string[];
  readonly channels: number;
  /** Settled calls by their id, each with what its channel was charged with it. */
  readonly ceilings: ReadonlyMap<string, bigint>;
  readonly charged: bigint;
  readonly unclaimed: bigint;
}

/** Money in wallets, in atomic units, by wallet in lower case. */
export type Balances = ReadonlyMap<string, bigint>;

const readerOf = (devnet: Devnet) => createPublicClient({ transport: http(devnet.rpcUrl), cacheTime: 0 });

export async function readBalances(devnet: Devnet, wallets: readonly string[]): Promise<Balances> {
  const reader = readerOf(devnet);
  const balances = new Map<string, bigint>();
  for (const wallet of wallets)
    balances.set(
      wallet.toLowerCase(),
      await reader.readContract({
        address: devnet.stablecoin.address as Hex,
        abi,
        functionName: "balanceOf",
        args: [wallet as Hex],
      }),
    );
  return balances;
}

const toHex = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`;

const isSigned = ({ channel_id, config }: Row, ceiling: bigint, signature: Buffer | null): boolean =>
  signature !== null &&
  findSigner(voucherDigestOf({ channelId: channel_id, maxClaimableAmount: ceiling }), toHex(signature)) ===
    config.payerAuthorizer.toLowerCase();

/**
 * Compares the channels of the database with their calls, their vouchers and the chain. `before` is what the wallets of all payers
 * and ours had before the first call; given when nothing is under way.
 */
export async function auditChannels(db: Queryable, devnet: Devnet, before?: Balances): Promise<ChannelAudit> {
  const violations: string[] = [];
  const reader = readerOf(devnet);
  const rows = await db.query<Row>({
    text: "SELECT channel_no, channel_id, config, charged, voucher_signature FROM channels ORDER BY channel_no",
  });
  const calls = await db.query<CallRow>({
    text: `SELECT invocation_id, channel_no, amount, voucher_ceiling, voucher_signature FROM invocations
           WHERE state = 'settled' AND channel_no IS NOT NULL ORDER BY channel_no, voucher_ceiling`,
  });
  const [others] = await db.query<{ n: bigint }>({
    text: "SELECT count(*) n FROM invocations WHERE state <> 'settled' OR channel_no IS NULL",
  });
  if (others?.n !== 0n) violations.push(`${others?.n} calls are not settled by voucher`);
  const callsOf = new Map<bigint, CallRow[]>();
  for (const call of calls) callsOf.set(call.channel_no, [...(callsOf.get(call.channel_no) ?? []), call]);

  const held = new Map<string, bigint>();
  let [charged, claimed] = [0n, 0n];
  for (const row of rows) {
    const name = `channel ${row.channel_no}`;
    // Each call starts where the one before it ended: none is charged twice, and none shares a voucher.
    let reached = 0n;
    for (const call of callsOf.get(row.channel_no) ?? []) {
      reached += call.amount;
      if (call.voucher_ceiling !== reached)
        violations.push(
          `${name}: ${call.invocation_id} has a voucher over ${call.voucher_ceiling}, not ${reached}`,
        );
      if (!isSigned(row, call.voucher_ceiling, call.voucher_signature))
        violations.push(`${name}: ${call.invocation_id} has a voucher that its payer did not sign`);
    }
    if (reached !== row.charged)
      violations.push(`${name}: charged ${row.charged}, its calls cost ${reached}`);
    if (row.charged > 0n && !isSigned(row, row.charged, row.voucher_signature))
      violations.push(`${name}: its voucher is not over the ${row.charged} that it was charged`);
    const [balance, totalClaimed] = await reader.readContract({
      address: BATCH_SETTLEMENT,
      abi,
      functionName: "channels",
      args: [row.channel_id],
    });
    if (row.charged > balance) violations.push(`${name}: charged ${row.charged}, but it holds ${balance}`);
    if (totalClaimed > row.charged) violations.push(`${name}: claimed ${totalClaimed} of ${row.charged}`);
    if (before && totalClaimed !== row.charged)
      violations.push(`${name}: ${totalClaimed} of ${row.charged} could be claimed`);
    charged += row.charged;
    claimed += totalClaimed;
    const payer = row.config.payer.toLowerCase();
    held.set(payer, (held.get(payer) ?? 0n) + balance);
  }
  if (before) violations.push(...(await auditMoney(devnet, before, held, charged)));
  return {
    violations,
    channels: rows.length,
    ceilings: new Map(calls.map((call) => [call.invocation_id, call.voucher_ceiling])),
    charged,
    unclaimed: charged - claimed,
  };
}

/** Deposits less refunds are what the channels hold, and we have what they were charged. */
async function auditMoney(
  devnet: Devnet,
  before: Balances,
  held: ReadonlyMap<string, bigint>,
  charged: bigint,
): Promise<string[]> {
  const violations: string[] = [];
  const after = await readBalances(devnet, [...before.keys()]);
  const receiver = devnet.payTo.toLowerCase();
  for (const [wallet, had] of before) {
    const gone = had - (after.get(wallet) ?? 0n);
    if (wallet !== receiver && gone !== (held.get(wallet) ?? 0n))
      violations.push(`${wallet} gave ${gone} away, its channels hold ${held.get(wallet) ?? 0n}`);
  }
  const [totalClaimed, totalSettled] = await readerOf(devnet).readContract({
    address: BATCH_SETTLEMENT,
    abi,
    functionName: "receivers",
    args: [devnet.payTo as Hex, devnet.stablecoin.address as Hex],
  });
  if (totalClaimed !== charged) violations.push(`claimed ${totalClaimed} in all, charged ${charged}`);
  const paidOut = (after.get(receiver) ?? 0n) - (before.get(receiver) ?? 0n);
  if (paidOut !== totalSettled) violations.push(`paid out ${totalSettled}, but ${paidOut} arrived`);
  return violations;
}
