import { describe, expect, test } from "vitest";
import { openDocument } from "../pageDocument.js";
import { readVisible } from "../readVisible.js";

const TEXT = "words for people";
const read = (html: string) => readVisible(openDocument(`<!DOCTYPE html>${html}`));
const within = (style: string) => `<div style="${style}">${TEXT}</div>`;
const nested = (...styles: string[]) =>
  `${styles.map((style) => `<div style="${style}">`).join("")}${TEXT}${"</div>".repeat(styles.length)}`;
const bySheet = (css: string, inside = `<div class="x">${TEXT}</div>`) => `<style>${css}</style>${inside}`;

const honest: string[] = [
  // Colours and grounds
  within("color:#777"),
  within("color:#fff;background:#0a58ca"),
  within("background:linear-gradient(90deg,#123,#456);color:white"),
  within("color:#fff;background:linear-gradient(rgba(0,0,0,.5),rgba(0,0,0,.5)),url(hero.jpg) center/cover"),
  within("color:#222;background:url(paper.png)"),
  within("color:transparent;background:linear-gradient(45deg,red,blue);-webkit-background-clip:text"),
  within("color:#fff;text-shadow:0 1px 3px #000"),
  within("color:rgba(0,0,0,.54)"),
  within("color:oklch(45% 0.1 250)"),
  within("color:color-mix(in oklab, navy 60%, white)"),
  within("color:light-dark(#222,#eee)"),
  within("background:#fff linear-gradient(red,red) no-repeat 0 100%/100% 2px;color:#333"),
  within("opacity:.6"),
  within("filter:grayscale(1) drop-shadow(0 0 2px #000)"),
  within("filter:brightness(.8) saturate(1.2)"),
  within("backdrop-filter:blur(8px);background:rgba(255,255,255,.7)"),
  nested("background:#000;color:#fff", "opacity:.8"),
  `<body style="background:#111;color:#eee"><p>${TEXT}</p></body>`,
  `<html style="color-scheme:dark"><body style="color:#eee"><p>${TEXT}</p></body></html>`,
  `<div style="color:#fff"><a href="/a">${TEXT}</a></div>`,
  `<table bgcolor="#003366"><tr><td><font color="white">${TEXT}</font></td></tr></table>`,
  // Places
  within("position:relative;left:-20px"),
  within("position:sticky;top:-300px"),
  within("position:absolute;top:50%;left:50%;transform:translate(-50%,-50%)"),
  within("position:fixed;right:20px;bottom:20px"),
  within("position:fixed;top:0;left:0;right:0;background:#fff"),
  within("margin:0 auto;max-width:60ch;padding:clamp(1rem, 5vw, 3rem)"),
  within("margin-left:calc(-1 * var(--gap, 15px))"),
  within("float:right;width:200px;margin-left:-100%"),
  within("margin-inline:calc(50% - 50vw)"),
  within("text-indent:-2em;padding-left:2em"),
  within("letter-spacing:-0.05em"),
  within("letter-spacing:.2em"),
  within("transform:rotate(-2deg) scale(.95)"),
  within("transform:translateY(0) translateZ(0)"),
  within("transform:none;translate:0 -4px;scale:1.02"),
  nested("position:relative;left:-2000px", "position:relative;left:2000px"),
  nested("display:grid;grid-template-columns:1fr 3fr;gap:1rem", "grid-column:2;min-width:0;overflow:hidden"),
  nested("display:flex;width:0;min-width:100%", "flex:1"),
  nested("position:relative;height:0;padding-bottom:56.25%;overflow:hidden", "position:absolute;inset:0"),
  // Sizes
  within("font:400 14px/1.5 system-ui, sans-serif"),
  within("font-size:clamp(1rem, 2.5vw, 2rem)"),
  within("font-size:9px"),
  within("font-size:62.5%"),
  within("height:0"),
  within("height:200px;overflow:auto"),
  within("max-height:50vh;overflow:hidden"),
  within("width:fit-content;height:max-content;overflow:clip"),
  within("line-height:0"),
  within("clip-path:inset(0 round 8px)"),
  within("contain:content"),
  within("zoom:.9"),
  nested("font-size:0", "font-size:1rem"),
  nested("visibility:hidden", "visibility:visible"),
  // Rules
  bySheet(":root{--bg:#0b1220;--fg:#e6edf3}.x{background:var(--bg);color:var(--fg)}"),
  bySheet(".x{display:none}.x.open{display:block}", `<div class="x open">${TEXT}</div>`),
  bySheet("[hidden]{display:none!important}.x:hover{opacity:0}"),
  bySheet("@media print{.x{display:none}}@media (max-width:600px){.x{display:none}}"),
  bySheet("@media (prefers-color-scheme:dark){.x{color:#fff}}"),
  bySheet("@media (prefers-reduced-motion:reduce){.x{display:none}}"),
  bySheet("@layer reset,base;@layer base{.x{display:block}}@layer reset{.x{display:none}}"),
  bySheet("@supports not (display:grid){.x{display:none}}"),
  bySheet("@container (min-width:400px){.x{display:flex;color:#222}}"),
  bySheet(
    "@keyframes in{from{opacity:0;transform:translateY(20px)}to{opacity:1;transform:none}}.x{animation:in .5s both}",
  ),
  bySheet("@keyframes in{to{opacity:1}}.x{opacity:0;animation:in 1s forwards}"),
  bySheet("@keyframes pulse{50%{opacity:.4}}.x{animation:pulse 2s infinite}"),
  bySheet("@keyframes blink{50%{opacity:0}}.x{animation:blink 1s infinite}"),
  bySheet(
    "@keyframes run{from{transform:translateX(100%)}to{transform:translateX(-100%)}}.x{animation:run 9s linear infinite}",
  ),
  bySheet(".x::before{content:'';position:absolute;inset:0;opacity:0}.x::selection{color:#fff}"),
  bySheet(".x::first-letter{font-size:3em;float:left}"),
  bySheet(
    "@font-face{font-family:a;src:url(a.woff2)}.x{font-family:a;display:-webkit-box;display:flow-root}",
  ),
  bySheet(
    ".x{*display:inline;_height:1px;filter:progid:DXImageTransform.Microsoft.gradient(startColorstr='#80000000')}",
  ),
  bySheet(".x{width:-webkit-fill-available;width:stretch;height:100dvh}"),
  bySheet(
    ".modal{position:fixed;inset:0;background:rgba(0,0,0,.5);display:none}",
    `<div class="modal"></div><p>${TEXT}</p>`,
  ),
  bySheet(
    "dialog::backdrop{background:#000}.card{position:relative}.card a::after{position:absolute;inset:0}",
    `<div class="card">${TEXT}</div>`,
  ),
  bySheet(
    ".hero{position:relative}.hero img{position:absolute;inset:0}.hero p{position:relative;z-index:1}",
    `<div class="hero"><img><p>${TEXT}</p></div>`,
  ),
  nested("position:relative", "position:absolute;bottom:100%;right:100%"),
  `<div aria-hidden="true">${TEXT}</div>`,
  `<div inert>${TEXT}</div>`,
  `<p class="x">${TEXT}</p><script>document.querySelector(".menu").style.display="none"</script>`,
  `<details><summary>${TEXT}</summary></details>`,
  `<dialog open>${TEXT}</dialog>`,
  `<div style="display:contents"><p>${TEXT}</p></div>`,
];

describe("text that people see stays", () => {
  test.each(honest)("%s", (html) => {
    const { text, hidden, doubts, unreadSheets, isIncomplete } = read(html);
    expect(text).toBe(TEXT);
    expect(hidden).toEqual([]);
    expect({ doubts: [...doubts.values()], unreadSheets, isIncomplete }).toEqual({
      doubts: [],
      unreadSheets: 0,
      isIncomplete: false,
    });
  });

  test("in a closed details element, which people can open", () => {
    expect(read(`<details><summary>More</summary>${TEXT}</details>`)).toMatchObject({
      hidden: [],
      text: /./,
    });
  });

  test("but text for screen readers only is hidden", () => {
    const css =
      ".sr-only{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0)}";
    expect(read(bySheet(css, `<p>seen</p><p class="sr-only">${TEXT}</p>`)).hidden).toHaveLength(1);
    // A skip link becomes visible with the keyboard's focus.
    expect(read(bySheet(css, `<a class="sr-only" href="#main">Skip to content</a>`)).hidden).toEqual([]);
  });
});

describe("a style on visible text that is not understood is named", () => {
  test.each<[doubt: string, html: string]>([
    ["left", within("position:absolute;left:anchor(right)")],
    ["left", within("position:absolute;left:future(1px)")],
    ["display", within("display:if(media(print): block; else: none)")],
    ["opacity", within("opacity:sibling-index()")],
    ["color", within("color:attr(data-c type(<color>))")],
    ["transform", within("transform:warp(3)")],
    ["transform", within("transform:rotate(0deg)translateX(-2000px)")],
    ["transform", within("transform:rotate(180deg) translateX(1000px)")],
    ["transform", within("rotate:180deg;translate:0 400px")],
    ["transform", within("transform:matrix(1,0,0,1,-9999,0)")],
    ["transform", within("transform:matrix(0,0,0,0,0,0)")],
    ["clip-path", within("clip-path:circle(0)")],
    ["clip-path", within("clip-path:polygon(0 0, 100% 0, 50% 0)")],
    ["stroke", within("color:transparent;-webkit-text-stroke:1px #333")],
    ["stroke", within("color:#fff;-webkit-text-stroke-width:1px")],
    ["picture", within("color:#fff;background:linear-gradient(#000,#000) 0 0/0 0 no-repeat")],
    ["picture", within("color:#fff;background:linear-gradient(#000,#000) -9999px 0 no-repeat")],
    ["z-index", nested("background:#fff", "position:relative;z-index:-1")],
    ["condition", bySheet("@scope (body){.x{display:none}}")],
    ["condition", bySheet("@scope (body) to (.q){:scope .x{display:none}}")],
    ["condition", bySheet("@scope (.x){:scope{display:none}}")],
    ["filter", within("filter:url(#f)")],
    ["mask-image", within("mask:url(m.svg)")],
    ["clip-path", within("clip-path:url(#c)")],
    ["clip-path", within("clip-path:shape(from 0 0, line to 0 0)")],
    ["clip-path", within("clip-path:ellipse(0 50%)")],
    ["clip-path", within("clip-path:path('M0 0L1 0L1 1Z')")],
    ["transform", within("transform:skewX(89.99deg)")],
    ["transform", within("transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,-9999,0,0,1)")],
    ["background-image", within("background:future-gradient(red, blue)")],
    ["offset-path", within("offset-path:ray(45deg);offset-distance:9999px")],
    ["margin-left", within("float:left;margin-left:-100%")],
    ["margin-left", within("float:left;position:relative;right:75%")],
    ["summary", `<details><summary></summary>${TEXT}</details>`],
    ["margin-left", nested("display:flex", "margin-left:-100%")],
    ["picture", within("color:#fff;background:url(missing.png)")],
    [
      "pseudo-element",
      bySheet(".x{position:relative}.x::after{content:'';position:absolute;inset:0;background:#fff}"),
    ],
    ["flex", nested("display:flex", "flex:0 0 0;overflow:hidden")],
    ["grid-template-columns", nested("display:grid;grid-template-columns:0 1fr", "overflow:hidden")],
    ["aspect-ratio", within("aspect-ratio:1000/1;overflow:hidden")],
    ["transform-origin", within("transform:rotate(90deg);transform-origin:-9999px 0")],
    ["filter", within("filter:contrast(0);background:white")],
    ["filter", within("filter:invert(1)")],
    ["mix-blend-mode", within("color:#222;mix-blend-mode:screen")],
    ["mix-blend-mode", within("mix-blend-mode:lighten")],
    ["mask-image", within("mask:linear-gradient(transparent, transparent)")],
    ["mask-image", within("-webkit-mask-image:linear-gradient(#0000,#0000)")],
    ["mask-image", within("mask-image:linear-gradient(#000,#000);mask-size:0 0")],
    ["transform", within("transform:rotate3d(1,0,0,90deg)")],
    ["transform", within("transform:perspective(1px) translateZ(-9999px)")],
    ["transform", within("transform:rotateY(180deg);backface-visibility:hidden")],
    ["transform", within("rotate:x 90deg")],
    ["mask-image", within("mask:linear-gradient(#000,#000) -9999px 0 no-repeat")],
    ["animation", bySheet("@keyframes k{to{opacity:0}}.x{animation:k 1s forwards}")],
    ["animation", bySheet("@keyframes k{from{opacity:1}to{visibility:hidden}}.x{animation:1s k}")],
    ["filter", within("filter:opacity(0)")],
    ["filter", within("-webkit-filter:blur(2em)")],
    ["transform", within("transform:rotateX(90deg)")],
    ["transform", within("transform:rotateY(.25turn)")],
    ["clipped-text", within("height:1.2em;width:60px;overflow:hidden")],
    ["clipped-text", within("-webkit-line-clamp:1;width:60px;overflow:hidden")],
    [
      "condition",
      `<p class="x">${TEXT}</p><script>document.querySelector(".x").style.display="none"</script>`,
    ],
    [
      "condition",
      `<p id="x">${TEXT}</p><script>var e=document.getElementById('x');\ne.hidden = true</script>`,
    ],
    ["condition", `<p class="x">${TEXT}</p><script>style.textContent=".x{opacity:0}"</script>`],
    ["column", `<table><col style="visibility:collapse"><tr><td>${TEXT}</td></tr></table>`],
    ["condition", bySheet("@container (min-width:1px){.x{display:none}}")],
    ["condition", bySheet("@container style(--a:b){.x{color:#fff}}")],
    ["condition", bySheet("@future thing{.x{display:none}}")],
    ["condition", bySheet("@media (future-feature){.x{display:none}}")],
    ["condition", bySheet("@media (min-width:1300px){.x{display:none}}")],
    [
      "condition",
      bySheet(
        "@media (min-width:1281px){.x{--c:#fff}}.x p{color:var(--c)}",
        `<div class="x"><p>${TEXT}</p></div>`,
      ),
    ],
    ["condition", bySheet("@supports (future:thing){.x{display:none}}")],
    ["condition", bySheet(".x:upcoming{display:none}")],
    ["condition", bySheet(".x:future-check(a){color:#fff}")],
    ["condition", bySheet("col || td,.x{display:none}")],
    ["condition", bySheet(".x::first-line{color:#fff}")],
    [
      "page-cover",
      bySheet(".c{position:fixed;inset:0;background:#fff;z-index:9}", `<div class="c"></div><p>${TEXT}</p>`),
    ],
    ["shadow-tree", `<div><template shadowrootmode="open"><slot></slot></template>${TEXT}</div>`],
  ])("%s: %s", (doubt, html) => {
    const { text, doubts } = read(html);
    expect(text).toBe(TEXT);
    expect([...doubts.values()]).toEqual([doubt]);
  });

  test("also where variables make it too long to be read", () => {
    const { doubts } = read(within(`--a:${"x ".repeat(3_000)};display:var(--a)`));
    expect([...doubts.values()]).toEqual(["display"]);
  });

  test("but not where it styles no text, or something else hides the text", () => {
    expect(read(`<div style="left:anchor(right)"></div><p>${TEXT}</p>`).doubts.size).toBe(0);
    expect(read(within("display:none;left:anchor(right)")).doubts.size).toBe(0);
  });

  test("and sheets in other files are counted", () => {
    const links = '<link rel="stylesheet" href="a.css"><link rel="stylesheet" media="print" href="b.css">';
    const more = '<link rel="alternate stylesheet" href="c.css"><style>@import url(d.css);</style>';
    expect(read(`${links}${more}<p>${TEXT}</p>`)).toMatchObject({ unreadSheets: 2, isIncomplete: false });
  });
});

describe("a page with more styles than are processed is reported as incomplete", () => {
  test.each([
    ["rules", `<style>${"b,".repeat(19_999)}b{left:1px}.x{display:none}</style><p class="x">${TEXT}</p>`],
    [
      "comparisons",
      // Every way to choose five of the ancestors is tried.
      `<style>.x * * * * * i{left:1px}</style>${"<b>".repeat(60)}<i>a<u class="x"></u></i>`,
    ],
    ["levels", `<style>${"a{".repeat(40)}display:none</style><p>${TEXT}</p>`],
  ])("%s", (_, html) => {
    expect(read(html).isIncomplete).toBe(true);
  });
});
