import { AssayError } from "@assay/protocol";

const KEPT_MS = 600_000;
/** Each entry holds a URL of at most 2 KB and a sentence. */
const MAX_KEPT = 2_000;

export interface RefusalMemory {
  /** Throws the refusal again, if the page was refused. */
  verify(url: string): void;
  /** Keeps errors about the page itself. Errors about its server or about load may be over at once. */
  remember(url: string, error: unknown): void;
}

/** Remembers unsupported pages for ten minutes, so that no caller can have the same one read over and over for free. */
export function createRefusalMemory(now: () => number = Date.now): RefusalMemory {
  const kept = new Map<string, { message: string; untilMs: number }>();
  return {
    verify(url) {
      const refusal = kept.get(url);
      if (refusal && refusal.untilMs > now()) throw new AssayError("web_page_unsupported", refusal.message);
    },
    remember(url, error) {
      if (!(error instanceof AssayError) || error.code !== "web_page_unsupported") return;
      kept.delete(url);
      kept.set(url, { message: error.message, untilMs: now() + KEPT_MS });
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT) break;
        kept.delete(oldest);
      }
    },
  };
}

/** The refusals of this process, which a repeated question gets before anyone pays. */
export const refusedPages = createRefusalMemory();
