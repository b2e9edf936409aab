import { joinResult } from "../evidence/cutResult.js";
import { findPackedCall } from "../evidence/packedCalls.js";
import type { Queryable } from "../store/database.js";
import { unpackBody, unpackPaymentResponse } from "./packedResponse.js";

/** The stored answer of a settled call. */
export interface StoredResponse {
  /** Null once a private answer has been deleted. */
  readonly body: Buffer | null;
  readonly isSealed: boolean;
  readonly paymentResponse: string;
}

interface ResponseRow {
  invocation_id: string;
  payer: string;
  capability_id: string;
  artifact_id: string | null;
  packed: Buffer | null;
  packed_payment_response: Buffer | null;
}

interface WholeResponseRow extends ResponseRow {
  body: Buffer | null;
  is_sealed: boolean | null;
  packed_body: Buffer | null;
  first_body: Buffer | null;
  payment_response: string | null;
}

export async function getStoredResponse(db: Queryable, invocationId: string): Promise<StoredResponse> {
  const [row] = await db.query<WholeResponseRow>({
    name: "response_find",
    text: `SELECT i.invocation_id, i.payer, i.capability_id, i.artifact_id, i.packed, r.packed_payment_response,
             r.body, r.is_sealed, r.packed_body, first.body AS first_body, r.payment_response
           FROM invocations i LEFT JOIN responses r USING (invocation_id)
           LEFT JOIN artifacts a ON a.artifact_id = i.artifact_id AND r.packed_body IS NOT NULL
           LEFT JOIN responses first ON first.invocation_id = a.invocation_id
           WHERE i.invocation_id = $1 AND i.state = 'settled' AND (r.invocation_id IS NOT NULL OR i.packed IS NOT NULL)`,
    values: [invocationId],
  });
  if (!row) throw new Error(`invocation ${invocationId} is not settled or has no stored response`);
  const call = await findPackedCall(db, row);
  if (call)
    return {
      body: Buffer.from(joinResult(call.rest, call.shared)),
      isSealed: false,
      paymentResponse: Buffer.from(call.payment_response).toString("base64"),
    };
  // Calls settled before responses were packed have theirs as text.
  const paymentResponse = unpackOwn(row) ?? (row.payment_response as string);
  return { body: readBody(row), isSealed: row.is_sealed ?? false, paymentResponse };
}

function readBody({ body, packed_body, first_body }: WholeResponseRow): Buffer | null {
  if (body || !packed_body) return body;
  if (!first_body) throw new Error("an answer was packed against one that is not there");
  return Buffer.from(unpackBody(packed_body, first_body.toString("utf8")));
}

/** PAYMENT-RESPONSE of a settled call. Undefined for an old one, which has it as text and its receipt's hash in a column. */
export async function findPackedPaymentResponse(
  db: Queryable,
  invocationId: string,
): Promise<string | undefined> {
  const [row] = await db.query<ResponseRow>({
    name: "payment_response_find",
    text: `SELECT i.invocation_id, i.payer, i.capability_id, i.artifact_id, i.packed, r.packed_payment_response
           FROM invocations i LEFT JOIN responses r USING (invocation_id) WHERE i.invocation_id = $1`,
    values: [invocationId],
  });
  const call = row && (await findPackedCall(db, row));
  return call ? Buffer.from(call.payment_response).toString("base64") : row && unpackOwn(row);
}

const unpackOwn = ({ packed_payment_response: packed, payer, capability_id: capabilityId }: ResponseRow) =>
  packed ? unpackPaymentResponse(packed, { payer, capabilityId }) : undefined;

/** Deletes private answers an hour after their settlement, and those of calls that were not and cannot be charged. */
export async function deletePrivateAnswers(db: Queryable): Promise<void> {
  await db.query({
    text: `UPDATE responses r SET body = NULL FROM invocations i
           WHERE i.invocation_id = r.invocation_id AND r.is_sealed AND r.body IS NOT NULL
             AND (i.state = 'void' OR (i.state = 'failed' AND i.valid_before < extract(epoch FROM now()))
               OR (i.state = 'settled' AND i.settled_at < now() - interval '1 hour'))`,
  });
}
