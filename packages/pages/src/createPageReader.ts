import { createRefusalMemory } from "./refusalMemory.js";
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
export function createPageReader(fetcher: PageFetcher, parser: PageParser): PageReader {
  const underWay = new Map<string, Promise<ReadPage>>();
  const refusals = createRefusalMemory();

  async function readOnce(url: string): Promise<ReadPage> {
    refusals.verify(url);
    try {
      const fetched = await fetcher.fetch(url);
      const requests = await parser.listSheets(fetched);
      const sheets = requests.length === 0 ? [] : await fetcher.fetchSheets(fetched.finalUrl, requests);
      return { fetched, parsed: await parser.parse(fetched, sheets) };
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
