import { AssayError } from "@assay/protocol";
import { expect, test } from "vitest";
import { createPageReader } from "./createPageReader.js";
import { createRefusalMemory } from "./refusalMemory.js";
import type { FetchedPage, PageParser } from "./types.js";

const URLS = ["https://a.org/deep", "https://a.org/other"] as const;

function readerOf(refusal: AssayError) {
  const counts = { fetched: 0, parsed: 0 };
  const parser: PageParser = {
    async parse() {
      counts.parsed += 1;
      throw refusal;
    },
    listSheets: async () => [],
    close: async () => undefined,
  };
  const fetcher = {
    async fetch(): Promise<FetchedPage> {
      counts.fetched += 1;
      return {} as FetchedPage;
    },
    fetchSheets: async () => [],
    fetchResource: () => Promise.reject(new Error("not asked for")),
    close: async () => undefined,
  };
  return { counts, reader: createPageReader(fetcher, parser, null, createRefusalMemory()) };
}

test("an unsupported page is fetched and parsed once, however often it is asked for", async () => {
  const { counts, reader } = readerOf(new AssayError("web_page_unsupported", "Too deep."));
  for (let n = 0; n < 5; n++)
    await expect(reader.read(URLS[0])).rejects.toMatchObject({
      code: "web_page_unsupported",
      message: "Too deep.",
    });
  expect(counts).toEqual({ fetched: 1, parsed: 1 });
  await expect(reader.read(URLS[1])).rejects.toThrow("Too deep.");
  expect(counts).toEqual({ fetched: 2, parsed: 2 });
});

test.each(["web_page_unavailable", "overloaded"] as const)("%s is not remembered", async (code) => {
  const { counts, reader } = readerOf(new AssayError(code, "Not now."));
  for (let n = 0; n < 2; n++) await expect(reader.read(URLS[0])).rejects.toMatchObject({ code });
  expect(counts.fetched).toBe(2);
});

test("refusals are kept for ten minutes, and no more than two thousand of them", () => {
  let nowMs = 0;
  const memory = createRefusalMemory(() => nowMs);
  const refusal = new AssayError("web_page_unsupported", "Too large.");
  for (let n = 0; n <= 2_000; n++) memory.remember(`https://a.org/${n}`, refusal);
  expect(() => memory.verify("https://a.org/0")).not.toThrow();
  expect(() => memory.verify("https://a.org/1")).toThrow("Too large.");
  nowMs = 600_000;
  expect(() => memory.verify("https://a.org/1")).not.toThrow();
});
