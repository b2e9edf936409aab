import type { BaseContext } from "../base/context.js";
import type { Invocation } from "./invocations.js";

/** Seconds after which others may take over a call whose process has gone while its payment was being settled. */
export const SETTLE_LEASE_SECONDS = 12;
/** Often enough that a slow statement does not cost the lease. */
const RENEW_MS = 4_000;

/** Keeps the call's lease for as long as the work takes. Most payments are settled before the first renewal. */
export async function holdLease<T>(
  { database, logger }: BaseContext,
  { invocationId, attempt }: Invocation,
  work: () => Promise<T>,
): Promise<T> {
  const renew = () =>
    database
      .query({
        name: "invocation_renew_lease",
        text: `UPDATE invocations SET lease_until = now() + ($3::int * interval '1 second')
               WHERE invocation_id = $1 AND attempt = $2 AND state IN ('settling', 'unknown')`,
        values: [invocationId, attempt, SETTLE_LEASE_SECONDS],
      })
      .catch((err: unknown) => logger.warn({ err, invocationId }, "lease not renewed"));
  const timer = setInterval(renew, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
