import Turndown from "turndown";
import { type DomDocument, type DomElement, type DomNode, isElement, isText } from "./pageDocument.js";
import { BLOCK_NAMES, type TextRange, type VisiblePage } from "./readVisible.js";
import type { PageBlock } from "./types.js";
import { writeTable } from "./writeTable.js";

/** Blocks that are written whole; any other one is only a frame around the blocks or the words in it. */
const WHOLE = new Set(["blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre"]);

/** Makes each block of a document that holds only what people see into Markdown, with the range of its words. */
export function writeMarkdown(document: DomDocument, { ranges }: Pick<VisiblePage, "ranges">): PageBlock[] {
  const turndown = createTurndown();
  const blocks: PageBlock[] = [];

  /** `source` holds the page's own nodes, `shown` an element whose content is converted. */
  const add = (source: readonly DomNode[], shown: DomElement, isTight = false) => {
    const range = rangeOf(source, ranges);
    const markdown = range && turndown.turndown(shown as never).trim();
    if (range && markdown) blocks.push({ markdown, ...range, isTight: isTight && blocks.length > 0 });
  };

  const addInline = (run: readonly DomNode[]) => {
    if (run.length === 0) return;
    add(run, copyInto(document, "div", run));
  };

  const addList = (list: DomElement) => {
    const first = Number.parseInt(list.getAttribute("start") ?? "1", 10) || 1;
    let number = first;
    for (const item of list.children) {
      const shell = document.createElement(list.localName === "ol" ? "ol" : "ul");
      shell.setAttribute("start", String(number));
      // A list directly in a list belongs to the item before it.
      const isItem = item.localName === "li";
      shell.append(isItem ? item.cloneNode(true) : copyInto(document, "li", [item]));
      add([item], shell, item !== list.children[0]);
      if (isItem) number += 1;
    }
  };

  const addTable = (table: DomElement) => {
    for (const caption of table.querySelectorAll("caption")) add([caption], caption);
    const markdown = writeTable(table, (cell) => turndown.turndown(cell as never));
    const range = rangeOf(
      [...table.children].filter(({ localName }) => localName !== "caption"),
      ranges,
    );
    if (markdown === undefined) visit(table);
    else if (range) blocks.push({ markdown, ...range, isTight: false });
  };

  const visit = (parent: DomElement) => {
    let run: DomNode[] = [];
    const flush = () => {
      addInline(run);
      run = [];
    };
    for (const node of [...parent.childNodes]) {
      if (!isElement(node) || !isBlock(node)) {
        run.push(node);
        continue;
      }
      flush();
      if (node.localName === "ul" || node.localName === "ol" || node.localName === "menu") addList(node);
      else if (node.localName === "table") addTable(node);
      else if (WHOLE.has(node.localName)) add([node], copyInto(document, "div", [node]));
      else visit(node);
    }
    flush();
  };

  visit(document.body);
  return blocks;
}

/** Also an element of any name that holds one: a link around a whole card, or a page's own element. */
function isBlock(element: DomElement): boolean {
  const { localName } = element;
  return (
    BLOCK_NAMES.has(localName) || localName === "td" || localName === "th" || element.children.some(isBlock)
  );
}

function copyInto(document: DomDocument, name: string, nodes: readonly DomNode[]): DomElement {
  const element = document.createElement(name);
  element.append(...nodes.map((node) => node.cloneNode(true)));
  return element;
}

/** From the first to the last word in these nodes; undefined when they hold none. */
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
  turndown.addRule("strikethrough", {
    filter: ["del", "s"],
    replacement: (content) => `~~${content}~~`,
  });
  turndown.addRule("nestedTable", {
    filter: "table",
    replacement: (_, node) => {
      const table = node as unknown as DomElement;
      const markdown = writeTable(table, (cell) => turndown.escape(cell.textContent.trim()));
      return `\n\n${markdown ?? turndown.escape(table.textContent.replaceAll(/\s+/g, " ").trim())}\n\n`;
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
  // Words that look like a tag would otherwise become one where the Markdown is shown.
  turndown.escape = (text) => escapeSyntax(text).replaceAll("<", "\\<");
  return turndown;
}

/** By the class that HTML's own description of `code` recommends. */
function findLanguage(code: DomElement): string {
  const names = [code, ...code.children].map((element) => element.getAttribute("class") ?? "").join(" ");
  return /\blanguage-([a-z0-9+#-]{1,20})/i.exec(names)?.[1] ?? "";
}

/** Code between fences longer than any row of backticks in it. */
export function fence(code: string, language = ""): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const marks = "`".repeat(longest + 1);
  return `\n\n${marks}${language}\n${code.replaceAll(/^\n+|\s+$/g, "")}\n${marks}\n\n`;
}
