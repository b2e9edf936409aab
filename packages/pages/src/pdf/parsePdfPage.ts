import { findAgentInstruction, MAX_PAGE_TEXT_CHARACTERS } from "@assay/protocol";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { boundHidden } from "../boundHidden.js";
import { boundMarkdown } from "../boundMarkdown.js";
import { createHiddenList } from "../hiddenList.js";
import { listSmuggled } from "../listSmuggled.js";
import { PageRefusal } from "../pageDocument.js";
import { escapePlain, splitLong } from "../parseSourcePage.js";
import { cleanTitle, readLanguage } from "../readHead.js";
import type { PageBlock, ParsedPage } from "../types.js";
import { describeFont } from "./describeFont.js";
import { joinGlyphs } from "./joinGlyphs.js";
import { withPdf } from "./openPdf.js";
import { type Glyph, type PageGlyphs, readGlyphs } from "./readGlyphs.js";

/** Of the file; further ones are not read. */
const MAX_PAGES = 300;
/** No further page is begun after this; what was read until then is answered. */
const MAX_CPU_MS = 2_500;

/** Reads the text layer of a PDF, page by page. `readCpuMs` states the processor time that the thread has used. */
export async function parsePdfPage(bytes: Uint8Array, readCpuMs: () => number): Promise<ParsedPage> {
  if (!Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-")) throw new PageRefusal("It is not a PDF.");
  return withPdf(bytes, async (pdf) => {
    const head = await readHead(pdf);
    const read = await readPages(pdf, readCpuMs);
    return describe(pdf.numPages, head, read);
  });
}

interface Head {
  readonly title: string | null;
  readonly language: string | null;
  /** What the file says about itself and no page shows. */
  readonly asides: readonly string[];
}

async function readHead(pdf: PDFDocumentProxy): Promise<Head> {
  const { info } = await pdf.getMetadata();
  const entries = Object.entries(info as Record<string, unknown>);
  const textOf = (wanted: string) => {
    const value = entries.find(([name]) => name === wanted)?.[1];
    return typeof value === "string" ? value : "";
  };
  return {
    title: cleanTitle(textOf("Title")),
    language: readLanguage(textOf("Language")),
    asides: ["Subject", "Keywords", "Author", "Creator", "Producer"].map(textOf),
  };
}

async function readPages(pdf: PDFDocumentProxy, readCpuMs: () => number): Promise<PageGlyphs[]> {
  const layers = await pdf.getOptionalContentConfig();
  const startedMs = readCpuMs();
  const pages: PageGlyphs[] = [];
  let characters = 0;
  while (pages.length < Math.min(pdf.numPages, MAX_PAGES)) {
    if (characters > MAX_PAGE_TEXT_CHARACTERS || readCpuMs() - startedMs > MAX_CPU_MS) break;
    const page = await readPage(pdf, pages.length + 1, (group) => layers.isVisible(group));
    characters += page.glyphs.length;
    pages.push(page);
  }
  return pages;
}

/** A page that is broken shows nothing; the others may be whole. */
async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  isLayerVisible: (group: unknown) => boolean,
): Promise<PageGlyphs> {
  try {
    const page = await pdf.getPage(number);
    const operations = await page.getOperatorList({ annotationMode: 0 });
    const glyphs = readGlyphs(operations, {
      view: page.view,
      userUnit: page.userUnit,
      findFont: (name) => describeFont(page.commonObjs.has(name) ? page.commonObjs.get(name) : null),
      isLayerVisible,
    });
    page.cleanup();
    return glyphs;
  } catch {
    return { glyphs: [], unread: 0 };
  }
}

function describe(
  pageCount: number,
  { title, language, asides }: Head,
  read: readonly PageGlyphs[],
): ParsedPage {
  const hiddenList = createHiddenList();
  const doubts = new Set<string>();
  const ranges: { start: number; end: number }[] = [];
  const blocks: PageBlock[] = [];
  let text = "";
  let isCut = false;
  for (const { glyphs } of read) {
    const start = text.length === 0 ? 0 : text.length + 2;
    for (const paragraph of joinGlyphs(glyphs.filter(({ kind }) => kind === null))) {
      const separator = text === "" ? "" : "\n\n";
      const room = MAX_PAGE_TEXT_CHARACTERS - text.length - separator.length;
      const fitting = paragraph.slice(0, Math.max(room, 0)).replace(/\p{Cs}$/u, "");
      isCut ||= fitting !== paragraph;
      if (fitting === "") break;
      text += separator + fitting;
      for (const part of splitLong(text, text.length - fitting.length, text.length))
        blocks.push({ markdown: escapePlain(text.slice(part.start, part.end)), ...part, isTight: false });
    }
    ranges.push({ start: Math.min(start, text.length), end: text.length });
    for (const { kind, doubt } of glyphs) if (kind === null && doubt !== null) doubts.add(doubt);
    for (const [kind, own] of groupHidden(glyphs))
      for (const paragraph of joinGlyphs(own)) hiddenList.addWhole(kind, paragraph);
  }
  for (const aside of asides) hiddenList.addAside({ carrier: "info", text: aside, use: "metadata" });
  for (const smuggled of listSmuggled(
    read.map(({ glyphs }) => glyphs.map((glyph) => glyph.text).join("")).join("\n"),
  ))
    hiddenList.addWhole("invisible_characters", smuggled);
  const found = hiddenList.finish(text);
  const hidden = boundHidden(found);
  if (text === "" && !hidden.some((piece) => findAgentInstruction(piece.text) !== null))
    throw new PageRefusal(
      found.hidden.length > 0
        ? "The PDF shows pictures alone; the text behind them is invisible, and pictures are not read."
        : "The PDF has no text that can be read: its pages are pictures, or their fonts do not state their letters.",
    );
  const bounded = boundMarkdown(blocks, text);
  return {
    title,
    language,
    text,
    blocks: bounded.blocks,
    extraction: "pdf",
    isTruncated: isCut || bounded.isCut || read.length < pageCount,
    isScriptOnly: false,
    links: [],
    hidden,
    hiddenCount: Math.max(found.hidden.length, hidden.length),
    isShownByScripts: false,
    unreadStyles: { externalSheets: 0, isIncomplete: false, doubts: [...doubts].sort() },
    pdf: {
      pageCount,
      pages: ranges,
      unreadCharacters: read.reduce((sum, { unread }) => sum + unread, 0),
    },
  };
}

/** Neighbours that are hidden in the same way belong together. */
function groupHidden(glyphs: readonly Glyph[]): [NonNullable<Glyph["kind"]>, Glyph[]][] {
  const groups: [NonNullable<Glyph["kind"]>, Glyph[]][] = [];
  for (const glyph of glyphs) {
    if (glyph.kind === null) continue;
    const last = groups.at(-1);
    if (last?.[0] === glyph.kind) last[1].push(glyph);
    else groups.push([glyph.kind, [glyph]]);
  }
  return groups;
}
