import type { FetchedPage, PageFetcher, PageParser, ParsedPage } from "./types.js";

export interface ReadPage {
  readonly fetched: FetchedPage;
  readonly parsed: ParsedPage;
}

/** Fetches and parses public pages. */
export interface PageReader {
  read(url: string): Promise<ReadPage>;
  close(): Promise<void>;
}

/** Callers who ask for one URL at the same time share one reading. */
export function createPageReader(fetcher: PageFetcher, parser: PageParser): PageReader {
  const underWay = new Map<string, Promise<ReadPage>>();

  async function readOnce(url: string): Promise<ReadPage> {
    const fetched = await fetcher.fetch(url);
    return { fetched, parsed: await parser.parse(fetched) };
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
