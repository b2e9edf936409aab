import { randomBytes } from "node:crypto";
import { recordObservations } from "../src/evidence/observations.js";
import { type PublishedAnswer, publishAnswers } from "../src/evidence/publishAnswers.js";
import type { Database } from "../src/store/database.js";

/** A call whose answer is stored and not yet settled, for tests of what settling makes public. */
export async function storeAnsweredCall(database: Database, effects: PublishedAnswer): Promise<string> {
  const { capabilityId, capabilityVersion, inputHash, artifactId } = effects.artifact;
  const invocationId = `inv_${randomBytes(8).toString("hex")}`;
  await database.query({
    text: `WITH call AS (
             INSERT INTO invocations (invocation_id, capability_id, capability_version, input_hash, state, lease_until,
               network, asset, payer, authorization_nonce, payment_digest, pay_to, amount, valid_before,
               reserved_at_block, quoted_status, list_price_micro_usd, credit_micro_usd, price_micro_usd, result_hash,
               artifact_id)
             VALUES ($1, $2, $3, $4, 'settling', now(), 'eip155:8453', 'asset', 'payer', $1, 'digest', 'payee', 1, 1,
               1, 'miss', 1, 0, 1, 'hash', $5))
           INSERT INTO responses (invocation_id, body, effects) VALUES ($1, '', $6)`,
    values: [invocationId, capabilityId, capabilityVersion, inputHash, artifactId, JSON.stringify(effects)],
  });
  return invocationId;
}

/** What settling does with the answers of these calls, in one transaction. */
export async function settleAnsweredCalls(
  database: Database,
  invocationIds: readonly string[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await publishAnswers(tx, invocationIds);
    await recordObservations(tx, invocationIds);
  });
}
