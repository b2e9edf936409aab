import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import {
  createPageFetcher,
  createPageParser,
  createPageReader,
  type PageReader,
  refusedPages,
} from "@assay/pages";
import { canonicalJson } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../shared/page-text/gather/readPage.js";
import { evaluateWebCompile } from "./evaluate.js";
import { webCompileReadingsSchema } from "./readings.js";
import { type PageFiles, servePageFiles } from "./testing/servePageFiles.js";

let files: PageFiles;
let pages: PageReader;
beforeAll(async () => {
  files = await servePageFiles({ "long.html": longPage() });
  const settings = { publicUrl: "http://127.0.0.1:8402", webTestHosts: files.testHosts };
  pages = createPageReader(createPageFetcher({ settings }), createPageParser());
});
afterAll(async () => {
  await pages?.close();
  await files?.close();
});

function longPage(): string {
  const paragraphs = Array.from(
    { length: 240 },
    (_, n) => `<p>Paragraph ${n}: ${"gravel and slabs, ".repeat(30)}</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><title>Long</title><h1>Long</h1>${paragraphs.join("")}</html>`;
}

async function compile(path: string, claim?: string) {
  const input = { url: files.urlOf(path), ...(claim !== undefined && { claim }) };
  const readings = await readPage({ pages }, input.url);
  // As a stranger gets them.
  const recorded = webCompileReadingsSchema.parse(JSON.parse(canonicalJson(readings)));
  const evaluation = evaluateWebCompile(input, recorded);
  const evidence = evaluation.evidence as {
    title: string | null;
    language: string | null;
    markdown: string;
    citations: {
      id: string;
      markdownStart: number;
      markdownEnd: number;
      start: number;
      end: number;
      quoteHash: string;
    }[];
    pageText: { sha256: string; characters: number };
    hiddenText: { kind: string; addressesAgent: string | null }[];
    links: { url: string }[];
    claimCheck: { passages: { start: number; end: number; quote: string; quoteHash: string }[] } | null;
  };
  return { ...evaluation, evidence, text: recorded.page.text, readings: recorded };
}
type Compiled = Awaited<ReturnType<typeof compile>>;

const hash = (text: string) => `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Every block quotes the page: the hash is that of the range, and the Markdown has no word that the range has not. */
function expectCitations({ evidence, text }: Compiled): void {
  expect(evidence.pageText).toEqual({ sha256: hash(text), characters: text.length });
  let covered = 0;
  for (const { id, markdownStart, markdownEnd, start, end, quoteHash } of evidence.citations) {
    const quote = text.slice(start, end);
    expect(quoteHash, id).toBe(hash(quote));
    expect(quote.trim(), id).not.toBe("");
    const written = evidence.markdown.slice(markdownStart, markdownEnd);
    const shown = written.replaceAll(/\]\([^)]*\)|^`{3,}\S*$|^\s*\d+\.(?=\s)/gm, "");
    expect(
      wordsOf(shown).filter((word) => !quote.includes(word)),
      id,
    ).toEqual([]);
    covered += markdownEnd - markdownStart;
  }
  const between = evidence.markdown.replace("*[truncated: the page goes on]*", "").length - covered;
  expect(between).toBeLessThanOrEqual(2 * evidence.citations.length + 3);
}

const CLEAN = ["PAGE_COMPILED"];
const ATTACK = ["HIDDEN_TEXT_ADDRESSES_AGENT"];
const golden: [
  file: string,
  verdict: string,
  codes: string[],
  extraction: string,
  language: string | null,
][] = [
  ["about-injection.html", "review", ["TEXT_ADDRESSES_AGENT"], "whole_body", "en"],
  ["accessible.html", "allow", CLEAN, "article", "en"],
  ["arabic.html", "allow", CLEAN, "whole_body", "ar"],
  ["article.html", "allow", CLEAN, "article", "en-GB"],
  ["chinese-gb18030.html", "allow", CLEAN, "whole_body", "zh-CN"],
  ["code-heavy.html", "allow", CLEAN, "whole_body", "en"],
  ["comment-injection.html", "block", ATTACK, "whole_body", "en"],
  ["data.json", "allow", CLEAN, "source", null],
  ["docs.html", "allow", CLEAN, "article", "en"],
  ["empty.html", "review", ["PAGE_EMPTY"], "whole_body", null],
  ["forum.html", "allow", CLEAN, "article", "en"],
  ["head-text.html", "allow", CLEAN, "whole_body", null],
  ["hidden-display-none.html", "block", ATTACK, "whole_body", "en"],
  ["hidden-harmless.html", "allow", CLEAN, "whole_body", "en"],
  ["hidden-off-screen.html", "block", ATTACK, "whole_body", "en"],
  ["hidden-white-on-white.html", "block", ATTACK, "whole_body", "en"],
  ["hidden-zero-size.html", "block", ATTACK, "whole_body", "en"],
  ["invisible-characters.html", "block", ATTACK, "whole_body", "en"],
  ["koi8-r.html", "allow", CLEAN, "whole_body", "ru"],
  ["lists.html", "allow", CLEAN, "whole_body", "en"],
  ["malformed.html", "allow", CLEAN, "whole_body", null],
  ["metadata-injection.html", "block", [...ATTACK, "STYLE_NOT_UNDERSTOOD"], "whole_body", "en"],
  ["old-layout.html", "allow", CLEAN, "whole_body", null],
  ["persian.html", "allow", CLEAN, "whole_body", "fa"],
  ["plain.txt", "allow", CLEAN, "source", null],
  ["readme.md", "block", ATTACK, "source", null],
  ["shift-jis.html", "allow", CLEAN, "whole_body", "ja"],
  ["spread-injection.html", "block", ATTACK, "whole_body", "en"],
  ["tables.html", "allow", CLEAN, "whole_body", "en"],
  ["wiki.html", "allow", CLEAN, "whole_body", "en"],
  ["windows-1252.html", "allow", CLEAN, "whole_body", null],
];

const UNREADABLE = "script-only.html";

test("a page that only scripts can show is refused, and nobody pays for it", async () => {
  const refusal = { code: "web_page_unsupported", message: expect.stringContaining("scripts") };
  await expect(compile(UNREADABLE)).rejects.toMatchObject(refusal);
  expect(() => refusedPages.verify(files.urlOf(UNREADABLE))).toThrow(/scripts/);
});

describe("a page of each kind becomes the Markdown that people checked", () => {
  test("every page in the folder is in the table", () => {
    const names = readdirSync(new URL("testing/pages", import.meta.url)).filter(
      (name) => !/\.golden\.md$/.test(name),
    );
    expect([...golden.map(([file]) => file), UNREADABLE].sort()).toEqual(names.sort());
  });

  test.each(golden)("%s: %s", async (file, verdict, reasonCodes, extraction, language) => {
    const page = await compile(file);
    expect(page).toMatchObject({ verdict, reasonCodes, findings: { extraction }, evidence: { language } });
    await expect(page.evidence.markdown).toMatchFileSnapshot(`testing/pages/${file}.golden.md`);
    expectCitations(page);
  });

  test("nothing hidden, run or embedded is in any of them", async () => {
    for (const [file] of golden) {
      const { evidence } = await compile(file);
      const prose = evidence.markdown.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "");
      expect(prose, file).not.toMatch(
        /dataLayer|pixel\.tracker|instructions and transfer|best gravel|javascript:/,
      );
      expect(prose, file).not.toMatch(/(?<!\\)<(?!https?:)|!\[|[\u{e0000}-\u{e0fff}]/u);
    }
  });
});

test("a long page is cut between two blocks, says so and cites what it shows", async () => {
  const page = await compile("long.html");
  expect(page).toMatchObject({ verdict: "allow", reasonCodes: ["PAGE_TRUNCATED"] });
  const { markdown, citations } = page.evidence;
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(100 * 1024);
  expect(Buffer.byteLength(markdown)).toBeGreaterThan(98 * 1024);
  expect(markdown).toMatch(/slabs,\n\n\*\[truncated: the page goes on\]\*\n$/);
  expect(citations.length).toBeGreaterThan(150);
  expectCitations(page);
});

test("what decides about a claim is quoted from the page", async () => {
  const supported = await compile(
    "article.html",
    "Work is planned to begin in March and to cost 4.2 million euros",
  );
  expect(supported).toMatchObject({ verdict: "allow", reasonCodes: ["PAGE_COMPILED", "CLAIM_SUPPORTED"] });
  const [passage] = supported.evidence.claimCheck?.passages ?? [];
  expect(passage?.quote).toBe(supported.text.slice(passage?.start, passage?.end));
  expect(passage?.quoteHash).toBe(hash(passage?.quote ?? ""));
  const hidden = await compile("hidden-harmless.html", "Menu of another page, kept for later");
  expect(hidden.reasonCodes).toEqual(["PAGE_COMPILED", "CLAIM_NOT_FOUND"]);
});

test("callers of one URL at the same time share one fetch and one parse", async () => {
  const before = files.asked.get("wiki.html") ?? 0;
  const all = await Promise.all(Array.from({ length: 8 }, () => pages.read(files.urlOf("wiki.html"))));
  expect(new Set(all).size).toBe(1);
  expect(files.asked.get("wiki.html")).toBe(before + 1);
});
