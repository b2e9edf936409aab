import type { Queryable } from "../store/database.js";
import type { Invocation } from "./invocations.js";
import { unpackBody, unpackPaymentResponse } from "./packedResponse.js";

/** The stored answer of a settled call. */
export interface StoredResponse {
  /** Null once a private answer has been deleted. */
  readonly body: Buffer | null;
  readonly isSealed: boolean;
  readonly paymentResponse: string;
}

interface ResponseRow {
  body: Buffer | null;
  is_sealed: boolean;
  packed_body: Buffer | null;
  first_body: Buffer | null;
  payment_response: string | null;
  packed_payment_response: Buffer | null;
  payer: string;
  capability_id: string;
}

export async function getStoredResponse(db: Queryable, invocationId: string): Promise<StoredResponse> {
  const [row] = await db.query<ResponseRow>({
    name: "response_find",
    text: `SELECT r.body, r.is_sealed, r.packed_body, first.body AS first_body, r.payment_response,
             r.packed_payment_response, i.payer, i.capability_id
           FROM responses r JOIN invocations i USING (invocation_id)
           LEFT JOIN artifacts a ON a.artifact_id = i.artifact_id AND r.packed_body IS NOT NULL
           LEFT JOIN responses first ON first.invocation_id = a.invocation_id
           WHERE r.invocation_id = $1 AND i.state = 'settled'`,
    values: [invocationId],
  });
  if (!row) throw new Error(`invocation ${invocationId} is not settled or has no stored response`);
  return { body: readBody(row), isSealed: row.is_sealed, paymentResponse: readPaymentResponse(row) };
}

function readBody({ body, packed_body, first_body }: ResponseRow): Buffer | null {
  if (!packed_body) return body;
  if (!first_body) throw new Error("an answer was packed against one that is not there");
  return Buffer.from(unpackBody(packed_body, first_body.toString("utf8")));
}

/** PAYMENT-RESPONSE of a settled call if it is packed, as all are that settled since their receipts' hashes are not kept. */
export async function findPackedPaymentResponse(
  db: Queryable,
  { invocationId, payer, capabilityId }: Pick<Invocation, "invocationId" | "payer" | "capabilityId">,
): Promise<string | undefined> {
  const [row] = await db.query<{ packed: Buffer }>({
    name: "payment_response_find",
    text: `SELECT packed_payment_response AS packed FROM responses
           WHERE invocation_id = $1 AND packed_payment_response IS NOT NULL`,
    values: [invocationId],
  });
  return row && unpackPaymentResponse(row.packed, { payer, capabilityId });
}

/** Calls settled before responses were packed have theirs as text. */
function readPaymentResponse(row: ResponseRow): string {
  const { packed_payment_response, payer, capability_id } = row;
  if (packed_payment_response)
    return unpackPaymentResponse(packed_payment_response, { payer, capabilityId: capability_id });
  return row.payment_response as string;
}

/** Private answers are deleted an hour after settlement, and at once when nothing was charged for them. */
export async function deletePrivateAnswers(db: Queryable): Promise<void> {
  await db.query({
    text: `UPDATE responses r SET body = NULL FROM invocations i
           WHERE i.invocation_id = r.invocation_id AND r.is_sealed AND r.body IS NOT NULL
             AND (i.state IN ('void', 'failed') OR (i.state = 'settled' AND i.settled_at < now() - interval '1 hour'))`,
  });
}
