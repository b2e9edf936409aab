import { randomBytes } from "node:crypto";
import type { CacheStatus } from "@assay/protocol";
import { noFailpoints } from "../../base/failpoints.js";
import { createPriceBook } from "../../quotes/priceBook.js";
import type { Database, Queryable } from "../../store/database.js";
import { finishSettled } from "../finishSettled.js";
import { findInvocation, type Invocation } from "../invocations.js";
import type { SettlementContext } from "../paymentsContext.js";

/** A call whose answer is stored and whose money is on its way. */
export interface SettlingCall {
  readonly payer: string;
  readonly capabilityId?: string;
  readonly inputHash: string;
  readonly status: CacheStatus;
  readonly priceMicroUsd?: bigint;
  /** The code at `address` that a computed answer rests on; null for an account without code. */
  readonly code?: { readonly address: string; readonly hash: string | null; readonly block: number };
  /** Whether the answer was made for this call; left out, all but hits are. */
  readonly isComputed?: boolean;
  readonly answerLivesMs?: number;
}

const sha256Id = () => `sha256:${randomBytes(32).toString("hex")}`;

/** Stores the call as payments does, up to the moment before the money moves. */
export async function storeSettlingCall(db: Queryable, call: SettlingCall): Promise<Invocation> {
  const { payer, inputHash, status, code, capabilityId = "contract.guard", priceMicroUsd = 20_000n } = call;
  const invocationId = `inv_${randomBytes(16).toString("hex")}`;
  const artifactId = sha256Id();
  const effects = {
    artifact: {
      artifactId,
      capabilityId,
      capabilityVersion: "1.0.0",
      inputHash,
      input: {},
      verdict: "allow",
      block: { number: code?.block ?? 1, hash: "0x00", timestamp: 1 },
      validUntilBlock: 100,
      freshUntilMs: Date.now() + (call.answerLivesMs ?? 60_000),
    },
    fingerprint: code ? { address: code.address, codeHash: code.hash, bytecodeBytes: 1 } : null,
    observation: null,
  };
  await db.query({
    text: `WITH call AS (
             INSERT INTO invocations (invocation_id, capability_id, capability_version, input_hash, state, lease_until,
               network, asset, payer, authorization_nonce, payment_digest, pay_to, amount, valid_before,
               reserved_at_block, quoted_status, actual_status, list_price_micro_usd, credit_micro_usd, price_micro_usd,
               result_hash, artifact_id, computed_at)
             VALUES ($1, $2, '1.0.0', $3, 'settling', now(), 'eip155:8453', 'asset', $4, $1, 'digest', 'payee', $5, 1, 1,
               $6, $6, $5, 0, $5, 'hash', $7, now()))
           INSERT INTO responses (invocation_id, body, effects) VALUES ($1, '', $8)`,
    values: [
      invocationId,
      capabilityId,
      inputHash,
      payer,
      priceMicroUsd,
      status,
      artifactId,
      JSON.stringify((call.isComputed ?? status !== "hit") ? effects : null),
    ],
  });
  const stored = await findInvocation(db, invocationId);
  if (!stored) throw new Error("the call was not stored");
  return stored;
}

/** As much of a service as settling takes. */
export const createSettlementContext = (
  database: Database,
  isSimulated: (wallet: string) => boolean = () => false,
): SettlementContext =>
  ({
    database,
    failpoints: noFailpoints,
    prices: createPriceBook(),
    signer: { signBytes: (preimage: string) => preimage },
    settings: { isSimulated, publicUrl: "http://assay.test" },
  }) as unknown as SettlementContext;

/** Settles the calls together, in one transaction. */
export const settleTogether = (context: SettlementContext, calls: readonly Invocation[]) =>
  Promise.all(calls.map((call) => finishSettled(context, call, "0x01")));
