import { AssayClientError } from "../assayClientError.js";

/** The command line asks for something that cannot be done; the message says what to change. */
export class UsageError extends AssayClientError {
  override readonly name = "UsageError";
  override readonly code = "usage";
  override readonly retryable = false;
}
