/** An answer is not shown, or nothing was asked. The sentence says why, and what to do. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}
