import { AssayError } from "@assay/protocol";

/** How long callers are asked to leave a page's server alone. */
const RETRY_AFTER_SECONDS = 10;

export function pageUnavailable(detail: string, cause?: unknown): AssayError {
  return new AssayError("web_page_unavailable", detail, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

/** Turns the error that ended a fetch into an AssayError. `signal` is the fetch's own time limit. */
export function toPageError(error: unknown, signal: AbortSignal): AssayError {
  if (signal.aborted && signal.reason instanceof AssayError) return signal.reason;
  if (error instanceof AssayError) return error;
  if (signal.aborted || (error instanceof DOMException && error.name === "TimeoutError"))
    return pageUnavailable("The page's server did not answer in time.", error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "HPE_HEADER_OVERFLOW")
    return new AssayError("web_page_unsupported", "The page's headers are too long.", { cause: error });
  if (/^(Z_|ERR_BROTLI|ERR__ERROR_|ERR_PADDING|ERR_TRAILING_JUNK)/.test(code))
    return new AssayError("web_page_unsupported", "The page's compressed body is broken.", { cause: error });
  const shown = /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
  return pageUnavailable(`The page's server could not be reached${shown}.`, error);
}
