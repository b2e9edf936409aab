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

describe("a page made to break the parser", () => {
  test("is refused where elements are nested too deep, and the thread lives on", async () => {
    await expect(parser.parse(page(`${"<div>".repeat(600)}x`))).rejects.toMatchObject({
      code: "web_page_unsupported",
      message: expect.stringContaining("nested deeper than 500"),
    });
    expect((await parser.parse(page("<p>next</p>"))).text).toBe("next");
  });

  test.each([
    ["a hundred thousand open elements", "<b>".repeat(100_000), "nested deeper than 500"],
    ["more elements than people read", "<i>a</i>".repeat(160_000), "more than 150000 elements"],
    [
      "an element of a thousand attributes",
      `<p ${Array.from({ length: 1_000 }, (_, n) => `a${n}`).join(" ")}>`,
      "more than 500 attributes",
    ],
  ])("is refused at the tag that makes it so: %s", async (_, html, reason) => {
    // The time of one page is far too short to build it.
    const hasty = createPageParser({ timeMs: 2_500, waitMs: 60_000, heapMb: 256 });
    await expect(hasty.parse(page(html))).rejects.toMatchObject({ message: expect.stringContaining(reason) });
    await hasty.close();
  });

  test.each([
    ["one item after the other", `<ul>${"<li>a".repeat(60_000)}</ul>`],
    [
      "layout tables in one another",
      `${"<table><tr><td>".repeat(120)}a${"</table>".repeat(120)}`.repeat(200),
    ],
    [
      "inline elements in one another around blocks",
      `${"<b>".repeat(450)}<p>a</p>${"</b>".repeat(450)}`.repeat(100),
    ],
    ["character references", `<p>${"&amp;".repeat(300_000)}`],
    ["one text longer than all that is read", `<p>${"word ".repeat(400_000)}`],
  ])(
    "is read in time that grows with its length: %s",
    async (_, html) => {
      const { text, blocks } = await parser.parse(page(html));
      expect(text).not.toBe("");
      expect(blocks.length).toBeGreaterThan(0);
    },
    20_000,
  );

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

  test("holds up only pages from its own address", async () => {
    const shared = createPageParser({ timeMs: 4_000, waitMs: 60_000, heapMb: 256 });
    const ended: string[] = [];
    const slow = page(
      `<style>${".a .b > i:not(.c){color:red}".repeat(3_000)}</style>${"<i class=b>a</i>".repeat(90_000)}`,
      "192.0.2.1",
    );
    const slowOnes = [1, 2, 3].map(async (n) => {
      await shared.parse(slow).catch(() => undefined);
      ended.push(`slow ${n}`);
    });
    await shared.parse(page("<p>quick</p>", "192.0.2.2"));
    ended.push("quick");
    await Promise.all(slowOnes);
    expect(ended[0]).toBe("quick");
    await shared.close();
  }, 60_000);

  test("keeps no caller waiting for ever", async () => {
    const crowded = createPageParser({ timeMs: 2_000, waitMs: 0, heapMb: 256 });
    const [, second] = await Promise.allSettled([crowded.parse(page("a")), crowded.parse(page("b"))]);
    expect(second).toMatchObject({ reason: { code: "overloaded" } });
    await crowded.close();
  });
});
