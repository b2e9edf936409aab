import { createHash } from "node:crypto";
import { AssayError } from "@assay/protocol";
import { expect, test } from "vitest";
import { fetchSheets, type SheetAnswer } from "./fetchSheets.js";
import { listSheetRequests } from "./sheetRequests.js";
import { createFetcherFor, serveSite } from "./testing/serveSite.js";

const PAGE = "https://a.org/docs/page";
const request = (url: string, integrity = "") => ({ url, integrity });
const sheet = (css: string): SheetAnswer => ({ bytes: Buffer.from(css), charset: "" });
const read = async (answers: Record<string, SheetAnswer>, ...asked: ReturnType<typeof request>[]) => {
  const urls: string[] = [];
  const found = await fetchSheets(PAGE, asked, async (url) => {
    urls.push(url);
    return answers[url] ?? "absent";
  });
  return { urls, css: Object.fromEntries(found.map(({ url, css }) => [url, css])) };
};

test("sheets and their imports are found by tags, relative to the page, its base and the importing sheet", async () => {
  const html =
    '<base href="/x/"><link rel=stylesheet href="a.css?b&amp;c"><LINK REL="preload stylesheet" href=\'//b.org/c.css\'><link rel=icon href=i.png><style>@import "d.css";</style>';
  expect(listSheetRequests(html, PAGE).map(({ url }) => url)).toEqual([
    "https://a.org/x/a.css?b&c",
    "https://b.org/c.css",
    "https://a.org/x/d.css",
  ]);
  const { css } = await read(
    {
      "https://a.org/s/a.css": sheet("@import url(b.css);"),
      "https://a.org/s/b.css": sheet("@import '../c.css';"),
      "https://a.org/c.css": sheet("p{}"),
    },
    request("https://a.org/s/a.css"),
  );
  expect(Object.keys(css)).toEqual(["https://a.org/s/a.css", "https://a.org/s/b.css", "https://a.org/c.css"]);
});

test("a sheet that nobody can load is empty, one that only the limits keep away is unread", async () => {
  const { css } = await read(
    { "https://a.org/slow.css": "unread" },
    request("https://a.org/missing.css"),
    request("https://a.org/slow.css"),
    request("http://a.org/insecure.css"),
  );
  expect(css).toEqual({
    "https://a.org/missing.css": "",
    "https://a.org/slow.css": null,
    "http://a.org/insecure.css": "",
  });
});

test("a sheet whose bytes do not have the stated hash is empty, as in browsers", async () => {
  const hash = `sha256-${createHash("sha256").update("p{}").digest("base64")}`;
  const answers = { "https://a.org/a.css": sheet("p{}"), "https://a.org/b.css": sheet("p{} ") };
  const { css } = await read(
    answers,
    request("https://a.org/a.css", hash),
    request("https://a.org/b.css", hash),
  );
  expect(css).toEqual({ "https://a.org/a.css": "p{}", "https://a.org/b.css": "" });
});

test("no more than 24 sheets and 3 MiB are read, each once, and none that only names fonts", async () => {
  const many = Array.from({ length: 30 }, (_, n) => request(`https://a.org/${n}.css`));
  const some = await read({ "https://a.org/0.css": sheet("@import '1.css'") }, ...many);
  expect(some.urls).toHaveLength(24);
  expect(Object.values(some.css).filter((css) => css === null)).toHaveLength(6);
  const large = Object.fromEntries(many.map(({ url }) => [url, sheet(" ".repeat(1024 * 1024))]));
  const { css } = await read(large, ...many.slice(0, 5), request("https://fonts.googleapis.com/css2"));
  expect(Object.values(css).filter((each) => each === null)).toHaveLength(2);
  expect(css["https://fonts.googleapis.com/css2"]).toBe("");
});

test("sheets are fetched from public addresses only, and none makes the page fail", async () => {
  const site = await serveSite("sheets.test", (incoming, response) => {
    if (incoming.url === "/a.css") response.setHeader("content-type", "text/css").end("p{left:0}");
    else if (incoming.url === "/text.css") response.setHeader("content-type", "text/plain").end("p{}");
    else if (incoming.url === "/large.css")
      response.setHeader("content-type", "text/css").end(" ".repeat(1024 * 1024 + 1));
    else if (incoming.url === "/away.css")
      response.writeHead(302, { location: "http://10.0.0.1/x.css" }).end();
    else if (incoming.url === "/slow.css") response.setHeader("content-type", "text/css").write("p{");
    else response.writeHead(404).end();
  });
  const times = { connectMs: 2_000, headersMs: 2_000, totalMs: 5_000, sheetsMs: 1_500 };
  const asked: string[] = [];
  const fetcher = createFetcherFor([site], {
    times,
    resolveHost: async (host) => {
      asked.push(host);
      if (host === "inner.org") throw new AssayError("web_target_forbidden", "Its address is not public.");
      throw new Error("no such host");
    },
  });
  const urls = ["a", "text", "large", "away", "missing", "slow"].map(
    (name) => `http://sheets.test/${name}.css`,
  );
  const more = [
    "http://127.0.0.1/x.css",
    "http://192.168.1.1/x.css",
    "http://gone.org/x.css",
    "http://inner.org/x.css",
  ];
  const sheets = await fetcher.fetchSheets(
    "http://sheets.test/",
    [...urls, ...more].map((url) => request(url)),
  );
  await fetcher.close();
  await site.close();
  expect(sheets.map(({ css }) => css)).toEqual([
    "p{left:0}",
    null,
    null,
    null,
    "",
    null,
    null,
    null,
    "",
    null,
  ]);
  expect(asked.sort()).toEqual(["gone.org", "inner.org"]);
});
