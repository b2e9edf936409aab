import { type Chain, RpcError } from "@assay/chain";
import { type Hex, NETWORK } from "@assay/protocol";
import type { Logger } from "pino";
import { z } from "zod";
import type { Settings } from "../../base/settings.js";
import type { Database } from "../../store/database.js";
import { MAX_VALIDITY_SECONDS } from "../checkAuthorization.js";
import { AUTHORIZATION_USED, asTopic, type EventLog, TRANSFER } from "../settlement/transferCall.js";
import { recoverChannels } from "./recoverChannels.js";
import { listOpenRestorations, type OpenRestoration } from "./restorations.js";

export interface RecoveryContext {
  readonly database: Database;
  readonly chain: Chain;
}

/** Where payments went. */
export interface Till {
  readonly token: string;
  readonly payTo: string;
}

export const tillOf = ({ settings }: { readonly settings: Settings }): Till => ({
  token: settings.stablecoin.address,
  payTo: settings.payTo,
});

/** Before anyone is answered: a payment that a restored database lacks would be refused as one that paid for something else. */
export async function recoverAtStart(
  context: RecoveryContext & { readonly logger: Logger; readonly settings: Settings },
): Promise<void> {
  const recovered = await recoverPayments(context, tillOf(context));
  if (recovered > 0)
    context.logger.warn(
      { recovered },
      "found payments of calls that this restored database lacks; see assay-admin refunds",
    );
}

/** A payment as its transaction shows it. */
interface SeenPayment {
  readonly payer: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly transaction: string;
  readonly block: number;
}

/** A database and a chain whose clocks differ by more are in trouble of another kind. */
const CLOCK_DIFFERENCE_SECONDS = 600;
const MAX_SPAN_BLOCKS = 9_000;
/** Receipts asked for at once. */
const RECEIPTS = 20;

/**
 * After a restoration: reads every payment to us from the chain since the moment that the database was put back to, and records
 * those that no settled call carried. Then its payer gets an answer for it, or it is refunded. It may be interrupted at any time
 * and run by several processes. Returns how many were recorded now.
 */
export async function recoverPayments(context: RecoveryContext, till: Till): Promise<number> {
  let found = 0;
  for (const restoration of await listOpenRestorations(context.database))
    found += await readOn(context, till, restoration);
  return found;
}

async function readOn(
  { database, chain }: RecoveryContext,
  till: Till,
  open: OpenRestoration,
): Promise<number> {
  const { restorationId, stateOf, restoredAt } = open;
  const finalized = await chain.findFinalizedBlock();
  const head = await chain.latestBlock();
  const since = Math.floor(stateOf.getTime() / 1000) - CLOCK_DIFFERENCE_SECONDS;
  let from = open.nextBlock ?? (await findFirstBlock(chain, since, head.number));
  let found = 0;
  const span = Math.max(1, Math.min(MAX_SPAN_BLOCKS, chain.logSpan()));
  for (; from <= head.number; from += span) {
    const to = Math.min(head.number, from + span - 1);
    found += await record(database, till, await readPayments(chain, till, from, to));
    // Blocks that are not final are read again: they may be replaced.
    const next = Math.min(to, finalized?.number ?? 0) + 1;
    await database.query({
      text: `UPDATE restorations SET next_block = greatest(next_block, $2) WHERE restoration_id = $1 AND $2 > 1`,
      values: [restorationId, next],
    });
  }
  if (!open.isCaughtUp) await recoverChannels(database, chain);
  // What a process accepted until the end could be delivered for as long as its authorization was valid.
  const lastDelivery = restoredAt.getTime() / 1000 + MAX_VALIDITY_SECONDS + CLOCK_DIFFERENCE_SECONDS;
  const isFinished =
    finalized !== undefined && finalized.number <= head.number && finalized.timestamp > lastDelivery;
  await database.query({
    text: `UPDATE restorations SET caught_up_at = coalesce(caught_up_at, now()),
             finished_at = CASE WHEN $2 THEN now() END WHERE restoration_id = $1`,
    values: [restorationId, isFinished],
  });
  return found;
}

/** The first block at or after that time, by its header. */
async function findFirstBlock(chain: Chain, seconds: number, head: number): Promise<number> {
  let [from, to] = [1, head];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const header = await chain.findBlock(middle);
    if (!header) throw new Error(`no node has block ${middle}: payments since then cannot be found`);
    if (header.timestamp < seconds) from = middle + 1;
    else to = middle;
  }
  return from;
}

const logSchema = z.object({
  address: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  transactionHash: z.string(),
  removed: z.boolean().optional(),
});
const receiptSchema = z.object({
  status: z.string(),
  transactionHash: z.string(),
  blockNumber: z.string(),
  logs: z.array(logSchema),
});

async function readPayments(chain: Chain, till: Till, from: number, to: number): Promise<SeenPayment[]> {
  const logs = await searchTransfers(chain, till, from, to);
  const hashes = [...new Set(logs.filter(({ removed }) => !removed).map((log) => log.transactionHash))];
  const seen: SeenPayment[] = [];
  for (let start = 0; start < hashes.length; start += RECEIPTS) {
    const asked = hashes.slice(start, start + RECEIPTS);
    const receipts = await Promise.all(
      asked.map((hash) => chain.request("eth_getTransactionReceipt", [hash])),
    );
    for (const answer of receipts) {
      const receipt = receiptSchema.parse(answer);
      if (receipt.status === "0x1")
        for (const payment of listPayments(receipt.logs, till))
          seen.push({
            ...payment,
            transaction: receipt.transactionHash.toLowerCase(),
            block: Number(receipt.blockNumber),
          });
    }
  }
  return seen;
}

/** Transfers to us. A node that searches fewer blocks at once is asked for half of them, and half again. */
async function searchTransfers(
  chain: Chain,
  till: Till,
  from: number,
  to: number,
): Promise<z.output<typeof logSchema>[]> {
  try {
    const toHex = (block: number): Hex => `0x${block.toString(16)}`;
    const filter = {
      address: till.token,
      fromBlock: toHex(from),
      toBlock: toHex(to),
      topics: [TRANSFER, null, asTopic(till.payTo)],
    };
    return z.array(logSchema).parse(await chain.request("eth_getLogs", [filter]));
  } catch (error) {
    if (!(error instanceof RpcError) || from === to) throw error;
    const middle = Math.floor((from + to) / 2);
    return [
      ...(await searchTransfers(chain, till, from, middle)),
      ...(await searchTransfers(chain, till, middle + 1, to)),
    ];
  }
}

/** Each use of an authorization whose very next event of the token is its transfer to us (EIP-3009). */
export function listPayments(
  logs: readonly EventLog[],
  { token, payTo }: Till,
): Pick<SeenPayment, "payer" | "nonce" | "amount">[] {
  const ours = logs.filter((log) => log.address.toLowerCase() === token.toLowerCase());
  return ours.flatMap(({ topics }, i) => {
    const [event, payer, nonce] = topics;
    const transfer = ours[i + 1];
    const isPaid =
      event === AUTHORIZATION_USED &&
      transfer?.topics[0] === TRANSFER &&
      transfer.topics[1] === payer &&
      transfer.topics[2] === asTopic(payTo) &&
      transfer.data.length === 66;
    if (!isPaid || payer === undefined || nonce === undefined) return [];
    const amount = BigInt(transfer.data);
    return amount === 0n ? [] : [{ payer: `0x${payer.slice(26)}`, nonce: nonce.toLowerCase(), amount }];
  });
}

async function record(database: Database, till: Till, payments: readonly SeenPayment[]): Promise<number> {
  if (payments.length === 0) return 0;
  const rows = payments.map(({ payer, nonce, amount, transaction, block }) => ({
    payer,
    nonce,
    amount: String(amount),
    transaction,
    block,
  }));
  const inserted = await database.query<{ is_new: boolean }>({
    text: `INSERT INTO recovered_payments AS known
             (authorization_id, asset, payer, authorization_nonce, pay_to, amount, transaction_hash, block_number)
           SELECT key, $2, payer, nonce, $3, amount, transaction, block
           FROM json_to_recordset($1) AS g (payer text, nonce text, amount bigint, transaction text, block bigint)
           CROSS JOIN LATERAL (SELECT authorization_key($4, $2, payer, nonce) AS key) named
           WHERE NOT EXISTS (
             SELECT 1 FROM invocations i
             WHERE coalesce(i.authorization_id, authorization_key(i.network, i.asset, i.payer, i.authorization_nonce)) = key
               AND i.state IN ('settled', 'reorged'))
           ORDER BY key
           ON CONFLICT (authorization_id) DO UPDATE
             SET transaction_hash = excluded.transaction_hash, block_number = excluded.block_number
             WHERE known.transaction_hash <> excluded.transaction_hash OR known.block_number <> excluded.block_number
           RETURNING xmax = 0 AS is_new`,
    values: [JSON.stringify(rows), till.token.toLowerCase(), till.payTo.toLowerCase(), NETWORK],
  });
  return inserted.filter(({ is_new }) => is_new).length;
}
