import { afterEach, describe, expect, test, vi } from "vitest";
import type { DomElement } from "./dom.js";
import { openDocument } from "./pageDocument.js";
import { readVisible } from "./readVisible.js";
import { writeMarkdown } from "./writeMarkdown.js";

afterEach(() => vi.restoreAllMocks());

/** How many nodes are listed while a page is read and written. */
function countListed(html: string): number {
  const document = openDocument(html);
  let listed = 0;
  for (const name of ["childNodes", "children"] as const) {
    const owner = ownerOf(document.body, name);
    const read = Object.getOwnPropertyDescriptor(owner, name)?.get;
    vi.spyOn(owner, name, "get").mockImplementation(function (this: DomElement) {
      const nodes = read?.call(this) as readonly DomElement[];
      listed += nodes.length + 1;
      return nodes;
    });
  }
  writeMarkdown(document, readVisible(document));
  vi.restoreAllMocks();
  return listed;
}

function ownerOf(element: object, name: string): DomElement {
  const prototype = Object.getPrototypeOf(element) as object;
  return Object.hasOwn(prototype, name) ? (prototype as DomElement) : ownerOf(prototype, name);
}

describe("work grows with a page and not with its square", () => {
  test.each<[string, (n: number) => string]>([
    ["items of a list", (n) => `<ul>${"<li>a".repeat(n)}</ul>`],
    ["inline elements in one another around a block", (n) => `${"<b>".repeat(n)}<p>a</p>${"</b>".repeat(n)}`],
    ["layout tables in one another", (n) => `${"<table><tr><td>".repeat(n / 4)}a${"</table>".repeat(n / 4)}`],
    ["words each in an element", (n) => `<p>${"<span>a</span> ".repeat(n)}</p>`],
    ["rows", (n) => `<table>${"<tr><td>a<td>b".repeat(n)}</table>`],
  ])("%s", (_, pageOf) => {
    expect(countListed(pageOf(400)) / countListed(pageOf(200))).toBeLessThan(2.5);
  });
});

test("words without a sign in Markdown lose only their elements", () => {
  const document = openDocument(
    "<p>one <span>two<b> three</b></span><u>f</u>our <a href='/x'><font>link</font></a><br>six</p>",
  );
  expect(writeMarkdown(document, readVisible(document)).map(({ markdown }) => markdown)).toEqual([
    "one two **three**four [link](/x)  \nsix",
  ]);
});

test("a caption is written once, whatever its table is for", () => {
  const layout =
    "<table><caption>Outer</caption><tr><td><table><caption>Inner</caption><tr><td>a</table></table>";
  const document = openDocument(layout);
  expect(writeMarkdown(document, readVisible(document)).map(({ markdown }) => markdown)).toEqual([
    "Outer",
    "Inner",
    "a",
  ]);
});

test("a table inside of a list keeps its caption", () => {
  const table =
    "<table><caption>Grain by year</caption><tr><th>Year</th><th>Tons</th></tr><tr><td>1990</td><td>9</td></tr></table>";
  const document = openDocument(`<ul><li>${table}</li></ul>`);
  const [block] = writeMarkdown(document, readVisible(document));
  expect(block?.markdown).toBe("- Grain by year\n\n  | Year | Tons |\n  | --- | --- |\n  | 1990 | 9 |");
});
