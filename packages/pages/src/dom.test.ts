import { expect, test } from "vitest";
import { isText } from "./dom.js";
import { openDocument } from "./pageDocument.js";
import { parsePage } from "./parsePage.js";

const openBody = (html: string) => openDocument(html).body;
const namesIn = (html: string) => openBody(html).children.map(({ localName }) => localName);

test("lists the nodes inside as they are after each change", () => {
  const body = openBody("<p>one</p><i>two</i><b>three</b>");
  const [one, two, three] = body.children;
  if (!one || !two || !three) throw new Error("The page was not parsed.");
  two.remove();
  expect(body.children).toEqual([one, three]);
  expect([one.nextSibling, three.previousSibling]).toEqual([three, one]);
  body.insertBefore(two, one);
  three.replaceWith(body.ownerDocument.createElement("hr"), body.ownerDocument.createElement("br"));
  expect(body.childNodes.map(({ nodeName }) => nodeName)).toEqual(["I", "P", "HR", "BR"]);
  expect([body.firstChild, body.lastElementChild?.localName, three.parentNode]).toEqual([two, "br", null]);
  expect(body.textContent).toBe("twoone");
});

test("a saved page is restored with texts that know the page's own", () => {
  const body = openBody("<div>one <b>two</b></div>");
  const own = body.firstElementChild?.firstChild;
  const saved = body.innerHTML;
  for (let times = 0; times < 2; times += 1) {
    body.firstElementChild?.remove();
    body.innerHTML = saved;
    const text = body.firstElementChild?.firstChild;
    expect(text && isText(text) && text.source).toBe(own);
    expect(body.textContent).toBe("one two");
  }
});

test("a page with frames, or without any tag, has a head and a body", () => {
  expect(openBody("<frameset><frame src=x></frameset>").localName).toBe("frameset");
  expect(openDocument("").head.childNodes).toEqual([]);
  expect(namesIn("<p>a<p>b")).toEqual(["p", "p"]);
});

/** Readability asks for `SPAN,LI,TD` when it measures how much of a block is text. */
test("finds elements by names of either case", () => {
  const body = openBody("<ul><li>a</ul><span>b</span><p>c");
  expect(body.querySelectorAll("SPAN,LI").map(({ localName }) => localName)).toEqual(["li", "span"]);
  expect(body.getElementsByTagName("P").length + body.getElementsByTagName("*").length).toBe(5);
});

/** Readability walks into every node, texts and comments included. */
test("finds the article of a page whose blocks hold bare text", () => {
  const words = "The tide mill turns twice a day and grinds barley for the three villages around the bay. ";
  const html = `<title>Mill</title><div class="menu"><a href="/a">Home</a> ${"<a href='/x'>more about</a> ".repeat(40)}</div>
    <div id="story"><div><h2>Tides</h2>${words.repeat(4)}<!-- note --><b>${words}</b><div>${words.repeat(3)}</div></div></div>`;
  const page = parsePage({
    bytes: Buffer.from(html),
    charset: "utf-8",
    contentType: "text/html",
    finalUrl: "https://mill.example/",
  });
  const markdown = page.blocks.map((block) => block.markdown).join("\n");
  expect(page.extraction).toBe("article");
  expect(markdown).toContain("grinds barley");
  expect(markdown).not.toContain("more about");
});
