import { afterAll, describe, expect, test } from "vitest";
import { createPageParser } from "./createPageParser.js";
import type { FetchedPage } from "./types.js";

const parser = createPageParser();
afterAll(() => parser.close());

const page = (html: string, remoteAddress = "127.0.0.1"): FetchedPage => ({
  requestedUrl: "https://a.org/",
  finalUrl: "https://a.org/",
  redirects: [],
  status: 200,
  contentType: "text/html",
  charset: "utf-8",
  bytes: Buffer.from(`<!DOCTYPE html><html lang="en"><body>${html}`),
  bytesSha256: `0x${"00".repeat(32)}`,
  fetchedAtMs: 0,
  remoteAddress,
});

test("a page whose article has to be found is read in the thread, too", async () => {
  const story =
    "The mill grinds barley for three villages when the tide runs out, twice on every day. ".repeat(3);
  const news = '<a href="/b">More news of the town</a> '.repeat(20);
  const { extraction, blocks } = await parser.parse(
    page(`<div><div>${`<p>${story}</p>`.repeat(5)}</div><div>${news}</div></div>`),
  );
  const markdown = blocks.map((block) => block.markdown).join("\n");
  expect([extraction, markdown.includes("grinds barley"), markdown.includes("More news")]).toEqual([
    "article",
    true,
    false,
  ]);
});

/** Parsing it takes seconds. */
const slow = `<p>${"<span>a</span> ".repeat(130_000)}`;

describe("a page made to break the parser", () => {
  test("is refused where elements are nested too deep, and the thread lives on", async () => {
    await expect(parser.parse(page(`${"<div>".repeat(600)}x`))).rejects.toMatchObject({
      code: "web_page_unsupported",
      message: expect.stringContaining("nested deeper than 500"),
    });
    expect((await parser.parse(page("<p>next</p>"))).text).toBe("next");
  });

  test("is refused at the tag that makes it so, before it is built", async () => {
    // Not enough memory for the elements of any of these.
    const narrow = createPageParser({ cpuMs: 30_000, waitMs: 60_000, heapMb: 48 });
    const attributes = Array.from({ length: 1_000 }, (_, n) => `a${n}`).join(" ");
    for (const [html, reason] of [
      ["<b>".repeat(100_000), "nested deeper than 500"],
      ["<i>a</i>".repeat(160_000), "more than 150000 elements"],
      [`<p ${attributes}>`, "more than 500 attributes"],
    ] as const)
      await expect(narrow.parse(page(html))).rejects.toMatchObject({
        message: expect.stringContaining(reason),
      });
    await narrow.close();
  });

  test("is cut where one text is longer than all that is read", async () => {
    const { text, blocks, isTruncated } = await parser.parse(page(`<p>${"word ".repeat(300_000)}`));
    expect({ characters: text.length, blocks: blocks.length, isTruncated }).toEqual({
      characters: 199_999,
      blocks: 1,
      isTruncated: true,
    });
  });

  test("is read where only an attribute is huge", async () => {
    const { text, blocks } = await parser.parse(page(`<p title="${"x".repeat(2_000_000)}">hello</p>`));
    expect({ text, blocks: blocks.length }).toEqual({ text: "hello", blocks: 1 });
  });

  test("ends with its thread when time is up, and the next one gets a new one", async () => {
    const hasty = createPageParser({ cpuMs: 100, waitMs: 60_000, heapMb: 256 });
    const [first, second] = await Promise.allSettled([hasty.parse(page(slow)), hasty.parse(page(slow))]);
    for (const outcome of [first, second])
      expect(outcome).toMatchObject({
        reason: { code: "web_page_unsupported", message: expect.stringContaining("too long") },
      });
    await hasty.close();
  });

  test("ends with its thread when memory is up, and this process goes on", async () => {
    const narrow = createPageParser({ cpuMs: 30_000, waitMs: 60_000, heapMb: 24 });
    await expect(narrow.parse(page("<p><i>a</i></p>".repeat(70_000)))).rejects.toMatchObject({
      code: "web_page_unsupported",
      message: expect.stringContaining("memory"),
    });
    await narrow.close();
  });

  test("holds up only pages from its own address", async () => {
    const shared = createPageParser({ cpuMs: 200, waitMs: 60_000, heapMb: 256 });
    const ended: string[] = [];
    const endOf = (name: string, html: string, address: string) =>
      shared
        .parse(page(html, address))
        .catch(() => undefined)
        .then(() => ended.push(name));
    await Promise.all([
      endOf("slow", slow, "192.0.2.1"),
      endOf("slow again", slow, "192.0.2.1"),
      endOf("quick", "<p>quick</p>", "192.0.2.2"),
    ]);
    expect(ended.at(-1)).toBe("slow again");
    await shared.close();
  });

  test("keeps no caller waiting without end", async () => {
    const crowded = createPageParser({ cpuMs: 2_000, waitMs: 0, heapMb: 256 });
    const [, second] = await Promise.allSettled([crowded.parse(page("a")), crowded.parse(page("b"))]);
    expect(second).toMatchObject({ reason: { code: "overloaded" } });
    await crowded.close();
  });
});
