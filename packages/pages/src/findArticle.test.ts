import { describe, expect, test } from "vitest";
import { parsePage } from "./parsePage.js";

const WORDS = "The mill grinds barley for three villages when the tide runs out, twice on every day. ";
const TEASER = `<div class="box"><h2>Harbour</h2><p><a href="/harbour">${"A boat was painted and the quay was swept by nine people. ".repeat(6)}</a></p></div>`;
const TEASERS = TEASER.repeat(8);

const markdownOf = (html: string) =>
  parsePage({
    bytes: Buffer.from(`<!DOCTYPE html><title>Mill</title>${html}`),
    charset: "utf-8",
    contentType: "text/html",
    finalUrl: "https://mill.example/",
  })
    .blocks.map(({ markdown }) => markdown)
    .join("\n");

describe("a page says which part of it is the article", () => {
  test.each([
    ["by its main part", `<main><h1>Mill</h1><p>${WORDS.repeat(4)}</p></main>`],
    ["by its only article", `<article><h1>Mill</h1><p>${WORDS.repeat(4)}</p></article>`],
    [
      "by the type of an element",
      `<div itemscope itemtype="https://schema.org/NewsArticle"><h1>Mill</h1>${`<p>${WORDS.repeat(4)}</p>`.repeat(5)}</div>`,
    ],
  ])("%s", (_, article) => {
    const markdown = markdownOf(`${article}<div>${TEASERS}</div>`);
    expect(markdown).toContain("grinds barley");
    expect(markdown).not.toContain("A boat was painted");
  });

  test.each([
    [
      "one of several articles",
      `<article><h1>Mill</h1><p>${WORDS.repeat(4)}</p></article><article><p>x</article>`,
    ],
    ["an article without the page's heading", `<article><p>${WORDS.repeat(4)}</p></article>`],
    ["one that is too short", `<article><h1>Mill</h1><p>${WORDS}</p></article>`],
  ])("%s is not the page", (_, article) => {
    const markdown = markdownOf(`${article}<div>${TEASERS}</div>`);
    expect(markdown).toContain("grinds barley");
    expect(markdown).toContain("A boat was painted");
  });
});

test("comments in coloured code are kept where Readability finds the article", () => {
  const line = `<a href="#g">grindBarleyHere</a> of the mill, <span class="hs-comment">-- twice</span>\n`;
  expect(markdownOf(`<pre>${line.repeat(40)}</pre>`).match(/twice/g)).toHaveLength(40);
});

describe("an element with the name of a frame", () => {
  const page = (inside: string) =>
    markdownOf(`<main><h1>Mill</h1>${inside}<p>${WORDS}</p></main><div>${TEASERS}</div>`);

  test("is content in a cell of a table with rows and columns", () => {
    const row = (name: string) =>
      `<tr><td>${name}</td><td><div class="comment">about ${name}</div></td></tr>`;
    expect(page(`<table>${row("grind")}${row("sweep")}</table>`)).toContain("| sweep | about sweep |");
    const layout = `<table><tr><td><div class="comment">about the table</div></td></tr></table>`;
    expect(page(layout)).not.toContain("about the table");
  });

  test("is content where it holds most of the words", () => {
    const menu = `<div id="menu"><h2>Soups</h2><p>${WORDS.replaceAll("mill", "cook").repeat(3)}</p></div>`;
    expect(page(menu)).toContain("The cook grinds");
    const wrapped = `<section class="right-sidebar"><p>${WORDS.replaceAll("mill", "cook").repeat(3)}</p></section>`;
    expect(page(wrapped)).toContain("The cook grinds");
  });

  test("is content where all that the page says is in such elements", () => {
    const messages = ["cook", "smith", "baker"].map(
      (who) => `<div class="ads"><p>${WORDS.replaceAll("mill", who).repeat(3)}</p></div>`,
    );
    expect(
      markdownOf(`<div role="main"><h2>Mill</h2>${messages.join("")}</div><div>${TEASERS}</div>`),
    ).toContain("The smith grinds");
  });

  test("is left out where these are links, or where no article has that name", () => {
    const links = `<div id="menu">${'<a href="/a">The cook grinds</a> '.repeat(40)}</div>`;
    expect(page(links)).not.toContain("The cook grinds");
    const notice = `<div class="cookies"><p>${WORDS.replaceAll("mill", "cook").repeat(3)}</p></div>`;
    expect(page(notice)).not.toContain("The cook grinds");
  });
});

describe("links that turn the pages of a book are left out", () => {
  const links =
    '<a href="a" rel="prev">The weir</a> | <a href="b">Up</a> | <a href="c" accesskey="n">The sluice</a>';
  test.each([
    ["by what their links are", `<p>Previous: ${links} [<a href="d">Contents</a>]</p>`],
    [
      "by nothing but such words",
      '<table><tr><td>[<a href="a">Up</a>]</td><td>[<a href="d">Contents</a>]</td></tr></table>',
    ],
    [
      "by their class",
      '<div class="NAVHEADER"><table><tr><td><a href="a">Weir</a></td><td>Mills</td></tr></table></div>',
    ],
  ])("%s", (_, bar) => {
    const markdown = markdownOf(`${bar}<h1>Mill</h1><p>${WORDS.repeat(4)}</p>${bar}`);
    expect(markdown).toContain("grinds barley");
    expect(markdown).not.toMatch(/weir|up\]|contents/i);
  });

  test("and take nothing else with them, however short the page is", () => {
    const bar = `<div class="navfooter"><table><tr><td><a accesskey="p" href="a">Prev</a></td><td>${"Mills of the coast ".repeat(4)}</td></tr></table></div>`;
    const markdown = markdownOf(`${bar}<h2>Mill</h2><p>${WORDS.repeat(3)}</p><p>Opened in 1931.</p>${bar}`);
    expect(markdown).toContain("## Mill");
    expect(markdown).toContain("Opened in 1931.");
    expect(markdown).not.toContain("coast");
  });

  test("but not where words of a sentence are such links", () => {
    const sentence = `<p>The mill is <a href="c" rel="next">next</a> to the ${"weir of the older town ".repeat(8)}.</p>`;
    expect(markdownOf(`<h1>Mill</h1><p>${WORDS.repeat(4)}</p>${sentence}`)).toContain(
      "weir of the older town",
    );
  });
});
