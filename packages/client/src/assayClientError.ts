/** Every failure that this client reports is one of these. A call that its caller aborts throws the reason of the signal instead. */
export abstract class AssayClientError extends Error {
  /** For programs: the code that the service gave, else one of the client's own. It never changes its meaning. */
  abstract readonly code: string;
  /** Whether the same call, made again, may succeed. False wherever a second call might pay a second time. */
  abstract readonly retryable: boolean;

  /** The section about this code in docs/errors.md, which is in this package. */
  get docs(): string {
    return `docs/errors.md#${this.code}`;
  }
}
