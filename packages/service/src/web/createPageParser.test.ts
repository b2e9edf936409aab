import { afterAll, describe, expect, test } from "vitest";
import { createPageParser } from "./createPageParser.js";
import type { FetchedPage } from "./types.js";

const parser = createPageParser();
afterAll(() => parser.close());

const page = (html: string): FetchedPage => ({
  requestedUrl: "https://a.org/",
  finalUrl: "https://a.org/",
  redirects: [],
  status: 200,
  contentType: "text/html",
  charset: "utf-8",
  bytes: Buffer.from(`<!DOCTYPE html><html lang="en"><body>${html}`),
  bytesSha256: `0x${"00".repeat(32)}`,
  fetchedAtMs: 0,
  remoteAddress: "127.0.0.1",
});

describe("a page made to break the parser", () => {
  test("is refused where elements are nested too deep, and the thread lives on", async () => {
    await expect(parser.parse(page(`${"<div>".repeat(600)}x`))).rejects.toMatchObject({
      code: "web_page_unsupported",
      message: expect.stringContaining("nested deeper than 500"),
    });
    expect((await parser.parse(page("<p>next</p>"))).text).toBe("next");
  });

  test("is read where only an attribute is huge", async () => {
    const { text, blocks } = await parser.parse(page(`<p title="${"x".repeat(2_000_000)}">hello</p>`));
    expect({ text, blocks: blocks.length }).toEqual({ text: "hello", blocks: 1 });
  });

  test("ends with its thread when time is up, and the next one gets a new one", async () => {
    const hasty = createPageParser({ timeMs: 300, waitMs: 60_000, heapMb: 256 });
    const slow = page(`<p>${"<span>a</span> ".repeat(130_000)}`);
    const [first, second] = await Promise.allSettled([hasty.parse(slow), hasty.parse(slow)]);
    for (const outcome of [first, second])
      expect(outcome).toMatchObject({
        reason: { code: "web_page_unsupported", message: expect.stringContaining("too long") },
      });
    await hasty.close();
  });

  test("ends with its thread when memory is up, and this process goes on", async () => {
    const narrow = createPageParser({ timeMs: 30_000, waitMs: 60_000, heapMb: 24 });
    await expect(narrow.parse(page("<p><i>a</i></p>".repeat(130_000)))).rejects.toMatchObject({
      code: "web_page_unsupported",
      message: expect.stringContaining("memory"),
    });
    await narrow.close();
  });

  test("keeps no caller waiting for ever", async () => {
    const crowded = createPageParser({ timeMs: 2_000, waitMs: 0, heapMb: 256 });
    const [, second] = await Promise.allSettled([crowded.parse(page("a")), crowded.parse(page("b"))]);
    expect(second).toMatchObject({ reason: { code: "overloaded" } });
    await crowded.close();
  });
});
