import { AssayError } from "@assay/protocol";

/** The job checks the rows again once a minute. */
const RETRY_SECONDS = 60;

/** The stored rows contradict each other, or what was signed. To callers it is `log_inconsistent`. */
export class LogFault extends AssayError {
  constructor(readonly fault: string) {
    super("log_inconsistent", `Nothing more is signed: ${fault}.`, { retryAfterSeconds: RETRY_SECONDS });
  }
}

/** What the work found wrong, as a value, so that the transaction around it can write it down. */
export async function findFault(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof LogFault) return error.fault;
    throw error;
  }
}
