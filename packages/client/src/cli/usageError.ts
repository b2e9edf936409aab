/** The command line asks for something that cannot be done; the message says what to change. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
