import { AssayError } from "@assay/protocol";
import { type RefusalMemory, refusedPages } from "./refusalMemory.js";
import type { FetchedPage, PageFetcher, PageParser, ParsedPage } from "./types.js";

export interface ReadPage {
  readonly fetched: FetchedPage;
  readonly parsed: ParsedPage;
}

/** Fetches and parses public pages. */
export interface PageReader {
  /** `url` is normalized. */
  read(url: string): Promise<ReadPage>;
  close(): Promise<void>;
}

/** Callers that ask for one URL at the same time share one reading; later callers share its refusal. */
export function createPageReader(
  fetcher: PageFetcher,
  parser: PageParser,
  refusals: RefusalMemory = refusedPages,
): PageReader {
  const underWay = new Map<string, Promise<ReadPage>>();

  async function readOnce(url: string): Promise<ReadPage> {
    refusals.verify(url);
    try {
      const fetched = await fetcher.fetch(url);
      const requests = await parser.listSheets(fetched);
      const sheets = requests.length === 0 ? [] : await fetcher.fetchSheets(fetched.finalUrl, requests);
      const parsed = await parser.parse(fetched, sheets);
      verifyReadable(parsed);
      return { fetched, parsed };
    } catch (error) {
      refusals.remember(url, error);
      throw error;
    }
  }

  return {
    read(url) {
      const shared = underWay.get(url);
      if (shared) return shared;
      const reading = readOnce(url).finally(() => underWay.delete(url));
      underWay.set(url, reading);
      return reading;
    },
    async close() {
      await fetcher.close();
      await parser.close();
    },
  };
}

/** The only words of a page whose scripts have not run yet. */
const NOTICE = /javascript|loading|please wait|enable scripts?|noscript/i;

/** Nobody pays for a page of which nothing could be read. */
function verifyReadable({ isScriptOnly, blocks, text }: ParsedPage): void {
  if (isScriptOnly && (blocks.length === 0 || NOTICE.test(text)))
    throw new AssayError(
      "web_page_unsupported",
      "The page cannot be read. It shows its text only after its scripts have run, and scripts are not run.",
    );
}
