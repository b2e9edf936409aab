import { MAX_MARKDOWN_BYTES } from "@assay/protocol";
import Turndown from "turndown";
import { type DomDocument, type DomElement, type DomNode, isElement, isText } from "./dom.js";
import type { TextRange, WrittenText } from "./pageText.js";
import { BLOCK_NAMES } from "./readVisible.js";
import type { PageBlock } from "./types.js";
import { type TableLine, writeTable } from "./writeTable.js";

/** Of one block. */
const MAX_TABLE_CHARACTERS = 4_000;

/** Blocks that are written as one; any other one is only a container of blocks or words. */
const WHOLE = new Set(["blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre"]);

/** Inline elements that Markdown has a notation for; of all others only the words are written. */
const MARKED = new Set(["a", "b", "br", "code", "del", "em", "i", "s", "strong"]);

/** Turns each block of a document that holds only visible text into Markdown, with the range of its words. */
export function writeMarkdown(document: DomDocument, { ranges }: Pick<WrittenText, "ranges">): PageBlock[] {
  const turndown = createTurndown();
  const isBlock = createBlockTest();
  const blocks: PageBlock[] = [];
  let written = 0;

  const push = (markdown: string, range: TextRange, isTight: boolean) => {
    blocks.push({ markdown, ...range, isTight: isTight && blocks.length > 0 });
    written += markdown.length;
  };
  /** Turndown works on a copy of what it is given, and each element here is a copy already. */
  const convert = (element: DomElement) =>
    restoreBlanks(turndown.turndown({ nodeType: 1, cloneNode: () => element } as never).trim());
  /** Whether more would not fit into an answer. */
  const isFull = () => written > MAX_MARKDOWN_BYTES;

  /** `source` are the page's own nodes; `show` creates the element whose content is converted. */
  const add = (source: readonly DomNode[], show: () => DomElement, isTight = false) => {
    const range = isFull() ? undefined : rangeOf(source, ranges);
    const markdown = range && convert(show());
    if (range && markdown) push(markdown, range, isTight);
  };

  const addInline = (run: readonly DomNode[]) => {
    // An arrow or a dot alone is an ornament.
    if (run.some(({ textContent }) => /[\p{L}\p{N}]/u.test(textContent)))
      add(run, () => copyInto(document.createElement("div"), run));
  };

  const addList = (list: DomElement) => {
    let number = Number.parseInt(list.getAttribute("start") ?? "1", 10) || 1;
    list.children.forEach((item, index) => {
      const own = number;
      const isItem = item.localName === "li";
      const show = () => {
        // A list directly inside a list has no number.
        if (!isItem) return copyInto(document.createElement("div"), [item]);
        const shell = document.createElement(list.localName === "ol" ? "ol" : "ul");
        shell.setAttribute("start", String(own));
        return copyInto(shell, [item]);
      };
      add([item], show, index > 0);
      if (isItem) number += 1;
    });
  };

  const addTable = (table: DomElement) => {
    if (isFull()) return;
    const captions = table.children.filter(({ localName }) => localName === "caption");
    for (const caption of captions) addInline([caption]);
    const lines = writeTable(table, (cell) =>
      convert(copyInto(document.createElement("div"), cell.childNodes)),
    );
    if (lines === undefined) {
      visit(table, captions);
      return;
    }
    // A long table becomes several blocks that follow each other: each can be cited, and a page is cut between them.
    for (let at = 0; at < lines.length && !isFull(); ) {
      const part: TableLine[] = [];
      for (let size = 0; at < lines.length && size < MAX_TABLE_CHARACTERS; at += 1) {
        const line = lines[at];
        if (line) part.push(line);
        size += line?.line.length ?? 0;
      }
      const range = rangeOf(
        part.flatMap(({ row }) => row ?? []),
        ranges,
      );
      if (range) push(part.map(({ line }) => line).join("\n"), range, part[0] !== lines[0]);
    }
  };

  const visit = (parent: DomElement, except: readonly DomNode[] = []) => {
    let run: DomNode[] = [];
    const flush = () => {
      addInline(run);
      run = [];
    };
    for (const node of parent.childNodes) {
      if (except.includes(node)) continue;
      if (!isElement(node) || !isBlock(node)) {
        run.push(node);
        continue;
      }
      flush();
      if (node.localName === "ul" || node.localName === "ol" || node.localName === "menu") addList(node);
      else if (node.localName === "table") addTable(node);
      else if (WHOLE.has(node.localName)) add([node], () => copyInto(document.createElement("div"), [node]));
      else visit(node);
    }
    flush();
  };

  visit(document.body);
  return blocks;
}

/** An element of any name that contains a block is one: a link around a whole card, or a custom element. */
function createBlockTest(): (element: DomElement) => boolean {
  const known = new Map<DomElement, boolean>();
  const test = (element: DomElement): boolean => {
    const found =
      known.get(element) ??
      (BLOCK_NAMES.has(element.localName) ||
        element.localName === "td" ||
        element.localName === "th" ||
        element.children.some(test));
    known.set(element, found);
    return found;
  };
  return test;
}

/** Copies nodes without the inline elements that Markdown ignores, and joins text: the number of nodes decides the time. */
function copyInto(parent: DomElement, nodes: readonly DomNode[], isPre = false): DomElement {
  let text = "";
  const endText = () => {
    const words = isPre ? markBlanks(text) : text.replaceAll(/\s{2,}/g, " ");
    if (text !== "") parent.appendChild(parent.ownerDocument.createTextNode(words));
    text = "";
  };
  const copy = (node: DomNode) => {
    if (isText(node)) text += node.data;
    if (!isElement(node)) return;
    const { localName } = node;
    if (MARKED.has(localName) || BLOCK_NAMES.has(localName) || localName === "td" || localName === "th") {
      endText();
      parent.appendChild(copyInto(node.cloneNode(false), node.childNodes, isPre || localName === "pre"));
    } else node.childNodes.forEach(copy);
  };
  nodes.forEach(copy);
  endText();
  return parent;
}

/**
 * Turndown's time grows with the square of a run of blanks. In code, a long run is passed to it as kinds and counts between
 * Unicode noncharacters, which interchanged text does not contain.
 */
const markBlanks = (text: string) =>
  text
    .replaceAll(/[\ufdd1\ufdd2]/g, "")
    .replaceAll(
      /\s{50,}/g,
      (run) =>
        `\ufdd1${run.replaceAll(/(\s)\1*/g, (same) => `${same.charCodeAt(0)}x${same.length}\ufdd2`)}\ufdd1`,
    );
const restoreBlanks = (markdown: string) =>
  markdown.replaceAll(/\ufdd1([^\ufdd1]*)\ufdd1/g, (_, kinds: string) =>
    kinds.replaceAll(/(\d+)x(\d+)\ufdd2/g, (_kind, code: string, times: string) =>
      String.fromCharCode(Number(code)).repeat(Number(times)),
    ),
  );

/** The range from the first to the last word in these nodes; undefined when they have none. */
function rangeOf(nodes: readonly DomNode[], ranges: ReadonlyMap<DomNode, TextRange>): TextRange | undefined {
  let start = Number.POSITIVE_INFINITY;
  let end = -1;
  const visit = (node: DomNode) => {
    const range = isText(node) ? ranges.get(node) : undefined;
    if (range) {
      start = Math.min(start, range.start);
      end = Math.max(end, range.end);
    }
    if (isElement(node)) for (const child of node.childNodes) visit(child);
  };
  for (const node of nodes) visit(node);
  return end < 0 ? undefined : { start, end };
}

function createTurndown(): Turndown {
  const turndown = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  turndown.addRule("item", {
    filter: "li",
    replacement: (content, node, { bulletListMarker }) => {
      const item = node as unknown as DomElement;
      const mark = item.parentNode?.localName === "ol" ? `${numberOf(item)}.` : bulletListMarker;
      const lines = content.trim().replaceAll(/\n(?=[^\n])/g, `\n${" ".repeat(`${mark} `.length)}`);
      return `${mark} ${lines}\n`;
    },
  });
  // The mark of a heading's own address is a picture, which is left out.
  turndown.addRule("emptyLink", {
    filter: (node) => node.nodeName === "A" && node.textContent.trim() === "",
    replacement: (content) => content,
  });
  turndown.addRule("strikethrough", {
    filter: ["del", "s"],
    replacement: (content) => `~~${content}~~`,
  });
  turndown.addRule("nestedTable", {
    filter: "table",
    replacement: (_, node) => {
      const table = node as unknown as DomElement;
      const write = ({ textContent }: DomElement) =>
        turndown.escape(textContent.replaceAll(/\s+/g, " ").trim());
      const lines = writeTable(table, write);
      if (lines === undefined) return `\n\n${write(table)}\n\n`;
      const captions = table.children.filter(({ localName }) => localName === "caption").map(write);
      return `\n\n${[...captions, lines.map(({ line }) => line).join("\n")].join("\n\n")}\n\n`;
    },
  });
  turndown.addRule("preformatted", {
    filter: "pre",
    replacement: (_, node) => {
      const code = node as unknown as DomElement;
      return fence(code.textContent, findLanguage(code));
    },
  });
  const escapeSyntax = turndown.escape.bind(turndown);
  // Text in the form of a tag would become one where the Markdown is rendered.
  turndown.escape = (text) => escapeSyntax(text).replaceAll("<", "\\<");
  return turndown;
}

/** The number of a list item: its list's start plus the items before it. */
function numberOf(item: DomElement): number {
  const list = item.parentNode;
  const items = list?.children.filter(({ localName }) => localName === "li") ?? [];
  return (Number.parseInt(list?.getAttribute("start") ?? "1", 10) || 1) + items.indexOf(item);
}

/** The language of code, by the class that the HTML standard recommends for `code`. */
function findLanguage(code: DomElement): string {
  const names = [code, ...code.children].map((element) => element.getAttribute("class") ?? "").join(" ");
  return /\blanguage-([a-z0-9+#-]{1,20})/i.exec(names)?.[1] ?? "";
}

/** Puts code between fences that are longer than any row of backticks in it. */
export function fence(code: string, language = ""): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const marks = "`".repeat(longest + 1);
  return `\n\n${marks}${language}\n${code.replace(/^\n+/, "").trimEnd()}\n${marks}\n\n`;
}
