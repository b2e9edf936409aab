import { sqlError, type View } from "./rowStore.js";
import { type CallRow, isLive, type Tables } from "./tables.js";

/** The partial unique indexes and the checks of `invocations`. */
export function putCall(view: View, { invocations }: Tables, row: CallRow): CallRow {
  const { offer_key: offerKey, payment_identifier: identifier, payer, invocation_id: id } = row;
  const isTaken = (index: "offer" | "identifier", key: string) =>
    view.conflict(invocations, index, key, id) !== undefined;
  if (isLive(row) && offerKey !== null && isTaken("offer", offerKey))
    throw sqlError("23505", "duplicate key: one_call_per_offer", "one_call_per_offer");
  if (isLive(row) && identifier !== null && isTaken("identifier", `${payer} ${identifier}`))
    throw sqlError("23505", "duplicate key: one_call_per_identifier", "one_call_per_identifier");
  if ((row.state === "settling" || row.state === "settled") && row.result_hash === null)
    throw sqlError("23514", "charged only with an answer", "charged_only_with_answer");
  if (row.state === "settled" && row.transaction_hash === null && row.channel_no === null)
    throw sqlError("23514", "settled has a transaction", "settled_has_transaction");
  view.put(invocations, id, row);
  return row;
}

export const NEW_CALL = {
  attempt: 1,
  actual_status: null,
  credit_hold: null,
  result_hash: null,
  artifact_id: null,
  transaction_hash: null,
  channel_no: null,
  voucher_ceiling: null,
  voucher_signature: null,
  redelivered_by: null,
  failure: null,
  settled_at: null,
  computed_at: null,
  x402_receipt_hash: null,
  log_index: null,
} as const;

/** A row of JSON as `json_to_recordset` reads it. */
export interface Given {
  readonly invocation_id: string;
  readonly capability_id: string;
  readonly payer: string;
  readonly authorization_nonce: string;
  readonly attempt: number;
  readonly digest_version: number;
  readonly state: CallRow["state"];
  readonly failure: string | null;
  readonly actual_status: CallRow["actual_status"];
  readonly result_hash: string | null;
  readonly artifact_id: string | null;
  readonly bytes_from: number;
  readonly bytes_length: number;
  readonly is_sealed: boolean;
  readonly effects: unknown;
  readonly valid_after: string;
  readonly valid_before: string;
  readonly signature: string;
  readonly transaction_hash: string | null;
  readonly payment_response: string;
  readonly packed_payment_response: string;
  readonly x402_receipt_hash: string;
  readonly channel_no: string;
  readonly charged: string;
  readonly charged_before: string;
  readonly voucher_ceiling: string;
  readonly holder: string;
  readonly created_at: string;
  readonly amount: string;
  readonly reserved_at_block: string | number;
  readonly list_price_micro_usd: string;
  readonly credit_micro_usd: string;
  readonly price_micro_usd: string;
  readonly cause: string;
  readonly debit_account: string;
  readonly credit_account: string;
  readonly amount_micro_usd: string;
  readonly paid: string;
  readonly credit: string;
}
/** Whose answer is stored, and whose money may still move. */
export const isUnsettled = ({ state }: CallRow) => state === "settling" || state === "unknown";

/** Its part of the bodies that came with a batch. No answer of the simulation is packed. */
export const bodyOf = ({ bytes_from: from, bytes_length: length, is_sealed }: Given, bytes: unknown) => ({
  body: (bytes as Buffer).subarray(from - 1, from - 1 + length),
  packed_body: null,
  is_sealed,
});

export const parseRows = (json: unknown) => JSON.parse(json as string) as Given[];

export function callOf(
  given: Given,
  more: Partial<CallRow> & Pick<CallRow, "state" | "lease_until" | "created_at">,
): CallRow {
  return {
    ...NEW_CALL,
    ...(given as unknown as CallRow),
    digest_version: Number(given.digest_version) as CallRow["digest_version"],
    amount: BigInt(given.amount),
    valid_before: BigInt(given.valid_before),
    reserved_at_block: BigInt(given.reserved_at_block),
    list_price_micro_usd: BigInt(given.list_price_micro_usd),
    credit_micro_usd: BigInt(given.credit_micro_usd),
    price_micro_usd: BigInt(given.price_micro_usd),
    ...more,
  } as CallRow;
}
