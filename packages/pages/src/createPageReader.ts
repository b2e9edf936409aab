import { AssayError } from "@assay/protocol";
import { type RefusalMemory, refusedPages } from "./refusalMemory.js";
import type { PageRenderer } from "./render/createPageRenderer.js";
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

/**
 * Callers that ask for one URL at the same time share one reading; later callers share its refusal. A page that needs scripts is
 * rendered where there is a renderer.
 */
export function createPageReader(
  fetcher: PageFetcher,
  parser: PageParser,
  renderer: PageRenderer | null = null,
  refusals: RefusalMemory = refusedPages,
): PageReader {
  const underWay = new Map<string, Promise<ReadPage>>();

  async function parse(page: FetchedPage): Promise<ParsedPage> {
    const requests = await parser.listSheets(page);
    const sheets = requests.length === 0 ? [] : await fetcher.fetchSheets(page.finalUrl, requests);
    return parser.parse(page, sheets);
  }

  /** The page after its scripts have run; `sent` where they could not be run to their end. */
  async function renderOr(sent: ParsedPage, fetched: FetchedPage, by: PageRenderer): Promise<ParsedPage> {
    const found = await by.render(fetched);
    if (found === null) return sent;
    const { bytes, ...rendered } = found;
    const shown = await parse({ ...fetched, bytes, charset: "utf-8", contentType: "text/html" });
    return { ...shown, rendered };
  }

  async function readOnce(url: string): Promise<ReadPage> {
    refusals.verify(url);
    try {
      const fetched = await fetcher.fetch(url);
      const sent = await parse(fetched);
      const parsed = sent.isScriptOnly && renderer !== null ? await renderOr(sent, fetched, renderer) : sent;
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
