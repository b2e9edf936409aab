import { AssayClientError } from "./assayClientError.js";

/** An argument that the client cannot use. Nothing was asked, signed or paid. */
export class InvalidArgumentError extends AssayClientError {
  override readonly name = "InvalidArgumentError";
  override readonly code = "invalid_argument";
  override readonly retryable = false;
}
