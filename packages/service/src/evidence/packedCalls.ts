import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Queryable } from "../store/database.js";
import { CUT, cutResult } from "./cutResult.js";

/**
 * Columns of a final sale that nothing searches by, its answer and what became of its payment: all that a retried payment or
 * a receipt needs.
 */
export interface PackedCall {
  readonly capability_version: string;
  readonly input_hash: string;
  readonly result_hash: string;
  readonly network: string;
  readonly asset: string;
  readonly pay_to: string;
  readonly quoted_status: string;
  readonly actual_status: string;
  readonly digest_version: number;
  readonly payment_digest: string;
  /** As text: it may be larger than a number holds exactly. */
  readonly valid_before: string;
  readonly reserved_at_block: string;
  readonly quote_id: string | null;
  readonly credit_hold: string | null;
  readonly authorization_nonce: string;
  /** Null for a call that was paid by voucher. */
  readonly transaction_hash: string | null;
  /** PAYMENT-RESPONSE without its base64. */
  readonly payment_response: string;
  /** The answer's text without the result that it shares with the first sale. */
  readonly rest: string;
}

/** What a packed row says itself. */
interface KnownOfRow {
  readonly invocation_id: string;
  readonly capability_id: string;
  readonly payer: string;
}

/** What the first sale of the same answer has in common with every later one. Its row is never packed. */
export type FirstSale = Pick<
  PackedCall,
  "capability_version" | "input_hash" | "result_hash" | "network" | "asset" | "pay_to" | "rest"
>;

/** The order of the values. What was packed needs it, and the words below, for ever: never change them. */
const ORDER = [
  "capability_version",
  "input_hash",
  "result_hash",
  "network",
  "asset",
  "pay_to",
  "quoted_status",
  "actual_status",
  "digest_version",
  "valid_before",
  "reserved_at_block",
  "quote_id",
  "credit_hold",
  "authorization_nonce",
  "transaction_hash",
  "payment_digest",
] as const satisfies readonly (keyof PackedCall)[];
const WORDS =
  '"},"issuedAt":17,"signature":"0x\u00012\u0001"}}}}}/api/v1/claims/api/v1/capabilities/.guard/invoke","payer":"0x","transaction":"0x\u00011\u0001{"success":true,"payer":"0x","transaction":"0x\u00011\u0001","network":"eip155:8453","amount":"10000","extensions":{"offer-receipt":{"info":{"receipt":{"format":"eip712","payload":{"version":1,"network":"eip155:8453","resourceUrl":"https://';

/** What is likely to come first stands last, where a reference to it is shortest (RFC 1951 section 3.2.5). */
function wordsOf({ invocation_id, capability_id, payer }: KnownOfRow, first: FirstSale): string {
  const { capability_version, input_hash, result_hash, network, asset, pay_to, rest } = first;
  const same = [capability_version, input_hash, result_hash, network, asset, pay_to, "hit", "hit", 3, "17"];
  return `${rest}${WORDS}${capability_id} ${payer} ${invocation_id}#1",null,null,"0x\u00010\u0001","0x\u00011\u0001","${JSON.stringify(same).slice(0, -2)}`;
}

const options = { level: constants.Z_BEST_COMPRESSION, memLevel: 9 };

export function packCall(row: KnownOfRow, call: PackedCall, first: FirstSale): Buffer {
  const words = wordsOf(row, first);
  const values = JSON.stringify(ORDER.map((name) => call[name]));
  const { text, runs } = cutHex([values, call.payment_response, call.rest].join(CUT), words);
  return Buffer.concat([runs, deflateRawSync(text, { ...options, dictionary: Buffer.from(words) })]);
}

export function unpackCall(packed: Buffer, row: KnownOfRow, first: FirstSale): PackedCall {
  const { runs, end } = readRuns(packed);
  const words = Buffer.from(wordsOf(row, first));
  const cut = inflateRawSync(packed.subarray(end), { dictionary: words }).toString("utf8");
  const text = cut.replace(MARK, (_, place) => runs[Number(place)] ?? "");
  const [values = "", payment_response, ...rest] = text.split(CUT);
  const columns: unknown[] = JSON.parse(values);
  return {
    ...Object.fromEntries(ORDER.map((name, place) => [name, columns[place]])),
    payment_response,
    rest: rest.join(CUT),
  } as unknown as PackedCall;
}

/** Stands for a run of hexadecimal digits, by its number. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON text holds none, so a mark is certain
const MARK = /\u0001(\d+)\u0001/g;

/**
 * Hashes, signatures and nonces are random and would take up more as text, however well it is compressed. Each is kept once,
 * as bytes: how many there are, then each one's length and its bytes.
 */
function cutHex(text: string, words: string): { readonly text: string; readonly runs: Buffer } {
  const runs: string[] = [];
  const cut = text.replace(/[0-9a-f]{32,510}/g, (run) => {
    if (run.length % 2 === 1 || words.includes(run)) return run;
    const known = runs.indexOf(run);
    return `\u0001${known < 0 ? runs.push(run) - 1 : known}\u0001`;
  });
  const bytes = runs.flatMap((run) => [Buffer.of(run.length / 2), Buffer.from(run, "hex")]);
  return { text: cut, runs: Buffer.concat([Buffer.of(runs.length), ...bytes]) };
}

function readRuns(packed: Buffer): { readonly runs: string[]; readonly end: number } {
  let end = 1;
  const runs = Array.from({ length: packed[0] ?? 0 }, () => {
    const run = packed.subarray(end + 1, end + 1 + (packed[end] ?? 0));
    end += 1 + run.length;
    return run.toString("hex");
  });
  return { runs, end };
}

interface PerhapsPackedRow extends KnownOfRow {
  readonly artifact_id: string | null;
  readonly packed: Buffer | null;
}

/** What was packed of a row, with the text of the result that it shares; undefined where it is not packed. */
export async function findPackedCall(
  db: Queryable,
  row: PerhapsPackedRow,
): Promise<(PackedCall & { readonly shared: string }) | undefined> {
  if (!row.packed) return undefined;
  const [found] = await db.query<Omit<FirstSale, "rest"> & { body: Buffer }>({
    name: "first_sale",
    text: `SELECT i.capability_version, i.input_hash, i.result_hash, i.network, i.asset, i.pay_to, r.body
           FROM artifacts a JOIN invocations i USING (invocation_id) JOIN responses r USING (invocation_id)
           WHERE a.artifact_id = $1`,
    values: [row.artifact_id],
  });
  if (!found) throw new Error(`call ${row.invocation_id} was packed against a sale that is not there`);
  const { shared, rest } = cutResult(found.body.toString("utf8"));
  return { ...unpackCall(row.packed, row, { ...found, rest }), shared };
}
