import { parsePage } from "../../packages/pages/src/parsePage.ts";
import { checkPage } from "./html.mjs";

const HTML = `<!doctype html><title>A</title><link rel=stylesheet href=/s.css><body class=b><div id=m class="a b"><p>One <b>two</b></p>
<p class=c style="color:red">three</p><ul><li>four<li>five</ul><span data-x=y>six</span><a href=/>seven</a><input value=eight></div>`;
const words = [
  "@media screen{",
  "@supports (display:grid){",
  "@layer a{",
  "@container (width>1px){",
  "@import url(x);",
  "@font-face{",
  "@keyframes k{",
  "display:none;",
  "visibility:hidden;",
  "opacity:0;",
  "clip-path:polygon(0 0,0 0,0 0);",
  "transform:scale(0);",
  "font-size:0;",
  "color:rgb(from red r g b / 0);",
  "color:oklch(50% .1 20);",
  "color-mix(in srgb,red,blue)",
  "calc(1px * ",
  "min(",
  "clamp(",
  "var(--a,",
  "--a:",
  "!important;",
  ":is(",
  ":not(",
  ":has(",
  ":nth-child(2n+1 of .a)",
  "::before{content:",
  "attr(data-x)",
  "url(",
  "&",
  ">",
  "~",
  "||",
  "*|*",
  "[class~=a i]",
  "left:-9999px;",
  "position:absolute;",
  "inset:0;",
  "z-index:9;",
  "background:",
  "linear-gradient(",
  "1e9px",
  "100vw",
  "\\26 ",
  "/*",
  "*/",
  "<!--",
  "}",
  "{",
];

/** Style sheets of strangers, over one page. */
export const target = {
  maxBytes: 8_192,
  cpuMs: 2_500,
  form: "bytes",
  words,
  seeds: () =>
    [
      ".a{display:none}p.c{color:#fff;background:white}li:nth-child(2){position:absolute;left:-9999px}",
      "@media (max-width:600px){.a{opacity:0}}@media print{p{display:none}}@supports (display:grid){ul{display:grid}}",
      ":root{--a:calc(1px + 2em)}p{font-size:var(--a);transform:translate(10px,-100%) scale(.5)}span[data-x=y]::after{content:'z'}",
      "div>p~p:not(.d):is(.c,#m){clip-path:inset(50% round 2px);overflow:hidden;height:0}@layer x{a{color:hsl(20 50% 50%/.5)}}",
      "#m{&.a{b{visibility:hidden}}}@container (min-width:10px){p{text-indent:-99em}}input{appearance:none}",
    ].map((css) => Buffer.from(css)),
  run(bytes) {
    const css = Buffer.from(bytes).toString();
    const source = {
      bytes: Buffer.from(HTML),
      charset: "utf-8",
      contentType: "text/html",
      finalUrl: "https://a.example/b",
    };
    checkPage(() => parsePage(source, [{ url: "https://a.example/s.css", integrity: "", css }]));
  },
};
