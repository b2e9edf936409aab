import { cutOut, cutResult } from "../evidence/cutResult.js";
import { type FirstSale, type PackedCall, packCall, unpackCall } from "../evidence/packedCalls.js";
import type { Database, Transaction } from "../store/database.js";
import type { InvocationRow } from "./invocations.js";
import { unpackBody, unpackPaymentResponse } from "./packedResponse.js";

/** How long a sale stays unpacked: most retries of a payment, and most requests for a receipt, come soon after it. */
export const PACKED_AFTER_SECONDS = 3600;
/** Rows of one transaction: few enough that nobody waits for its locks. */
const SLICE = 500;

/**
 * Packs sales of answers that were sold before, once they are final and nobody is likely to ask for them: a sale is kept for
 * ever, so it is kept small. What its payment and its receipt are answered with stays the same, byte for byte. Returns how
 * many were packed.
 */
export async function packFinalCalls(
  database: Database,
  afterSeconds = PACKED_AFTER_SECONDS,
): Promise<number> {
  for (let packed = 0; ; ) {
    const slice = await database.transaction((tx) => packSome(tx, afterSeconds));
    packed += slice.packed;
    if (slice.seen < SLICE) return packed;
  }
}

/**
 * An answer that was read anew for several callers is stored whole for each, because none of them is its first sale before it is settled. An
 * empty packed body beside the whole one says of the others that they are to be packed.
 */
export async function markLaterSales(tx: Transaction, invocationIds: readonly string[]): Promise<void> {
  if (invocationIds.length === 0) return;
  await tx.query({
    name: "later_sales_mark",
    text: `UPDATE responses r SET packed_body = '' FROM invocations i JOIN artifacts a USING (artifact_id)
           WHERE r.invocation_id = ANY($1) AND i.invocation_id = r.invocation_id AND a.invocation_id <> r.invocation_id
             AND r.body IS NOT NULL`,
    values: [invocationIds],
  });
}

interface CandidateRow extends InvocationRow {
  network: string;
  packed_body: Buffer;
  /** Of a later sale that is stored whole. */
  body: Buffer | null;
  packed_payment_response: Buffer;
  first: Omit<FirstSale, "rest">;
  first_body: Buffer;
}

async function packSome(tx: Transaction, afterSeconds: number): Promise<{ seen: number; packed: number }> {
  const rows = await tx.query<CandidateRow>({
    name: "calls_to_pack",
    text: `SELECT i.*, r.packed_body, r.body, r.packed_payment_response, to_json(f) AS first, b.body AS first_body
           FROM responses r JOIN invocations i USING (invocation_id)
           JOIN artifacts a ON a.artifact_id = i.artifact_id JOIN invocations f ON f.invocation_id = a.invocation_id
           JOIN responses b ON b.invocation_id = a.invocation_id
           WHERE r.packed_body IS NOT NULL AND r.packed_payment_response IS NOT NULL AND i.state = 'settled'
             AND i.settled_at <= now() - $1 * interval '1 second' AND i.x402_receipt_hash IS NULL
             AND f.packed IS NULL AND b.body IS NOT NULL
             AND NOT EXISTS (SELECT FROM unfinal_settlements u WHERE u.invocation_id = i.invocation_id)
           LIMIT $2 FOR UPDATE OF i SKIP LOCKED`,
    values: [afterSeconds, SLICE],
  });
  if (rows.length === 0) return { seen: 0, packed: 0 };
  const packed: { invocation_id: string; packed: string }[] = [];
  const different: string[] = [];
  for (const row of rows) {
    const call = packRow(row);
    if (call) packed.push({ invocation_id: row.invocation_id, packed: call.toString("base64") });
    else different.push(row.invocation_id);
  }
  if (different.length > 0)
    await tx.query({
      name: "calls_stay_whole",
      text: "UPDATE responses SET packed_body = NULL WHERE invocation_id = ANY($1) AND body IS NOT NULL",
      values: [different],
    });
  await tx.query({
    name: "calls_pack",
    text: `WITH given AS (SELECT * FROM json_to_recordset($1) AS g (invocation_id text, packed text)),
           gone AS (DELETE FROM responses r USING given g WHERE r.invocation_id = g.invocation_id)
           UPDATE invocations i SET packed = decode(g.packed, 'base64'),
             authorization_id = authorization_key(network, asset, payer, authorization_nonce),
             capability_version = NULL, input_hash = NULL, result_hash = NULL, network = NULL, asset = NULL,
             pay_to = NULL, quoted_status = NULL, actual_status = NULL, digest_version = NULL, payment_digest = NULL,
             valid_before = NULL, reserved_at_block = NULL, quote_id = NULL, credit_hold = NULL,
             authorization_nonce = NULL, transaction_hash = NULL, lease_until = NULL, computed_at = NULL,
             offer_key = NULL
           FROM given g WHERE i.invocation_id = g.invocation_id`,
    values: [JSON.stringify(packed)],
  });
  return { seen: rows.length, packed: packed.length };
}

/**
 * Throws unless everything comes out again as it went in. Undefined for a whole answer whose result is not that of the first sale: two
 * processes that read one block may have measured another time between blocks.
 */
function packRow({
  first: firstRow,
  first_body,
  packed_body,
  body,
  packed_payment_response,
  ...row
}: CandidateRow): Buffer | undefined {
  const { payer, capability_id: capabilityId } = row;
  const firstBody = first_body.toString("utf8");
  const { shared, rest } = cutResult(firstBody);
  const ownRest = cutOut(body ? body.toString("utf8") : unpackBody(packed_body, firstBody), shared);
  if (ownRest === undefined && body) return undefined;
  const first = { ...firstRow, rest };
  const paymentResponse = unpackPaymentResponse(packed_payment_response, { payer, capabilityId });
  const call: PackedCall = {
    capability_version: row.capability_version,
    input_hash: row.input_hash,
    result_hash: row.result_hash as string,
    network: row.network,
    asset: row.asset,
    pay_to: row.pay_to,
    quoted_status: row.quoted_status,
    actual_status: row.actual_status as string,
    digest_version: row.digest_version,
    valid_before: row.valid_before.toString(),
    reserved_at_block: row.reserved_at_block.toString(),
    quote_id: row.quote_id,
    credit_hold: row.credit_hold,
    authorization_nonce: row.authorization_nonce,
    transaction_hash: row.transaction_hash,
    payment_digest: row.payment_digest,
    payment_response: Buffer.from(paymentResponse, "base64").toString("utf8"),
    rest: ownRest as string,
  };
  const packed = packCall(row, call, first);
  if (JSON.stringify(unpackCall(packed, row, first)) !== JSON.stringify(call))
    throw new Error(`call ${row.invocation_id} cannot be packed without a loss`);
  return packed;
}
