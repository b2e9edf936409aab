import type { Queryable } from "../store/database.js";
import { isAttested } from "./seederTerms.js";

/** Whether the audits of a wallet's publications, as they stand now, attest it. */
export async function isAttestedWallet(db: Queryable, wallet: string): Promise<boolean> {
  const [record] = await db.query<{ passed_with_code: bigint; last_failed_at: Date | null }>({
    name: "publisher_audits",
    text: "SELECT passed_with_code, last_failed_at FROM publishers WHERE wallet = $1",
    values: [wallet],
  });
  if (!record) return false;
  return isAttested(
    { passedWithCode: record.passed_with_code, lastFailedAt: record.last_failed_at },
    Date.now(),
  );
}
