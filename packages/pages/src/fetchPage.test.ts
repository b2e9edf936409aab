import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { AssayError } from "@assay/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHostResolver } from "./resolveHost.js";
import { createCertificate } from "./testing/createCertificate.js";
import { serveDns } from "./testing/serveDns.js";
import { createFetcherFor, serveSite, type TestSite } from "./testing/serveSite.js";
import type { PageFetcher } from "./types.js";

const HOST = "pages.assay.test";
let routes: Record<string, RequestListener>;
let requests: IncomingMessage[];
let site: TestSite;
let fetcher: PageFetcher;
let undo: (() => Promise<void>)[];

const respond: RequestListener = (request, response) => {
  requests.push(request);
  const route = routes[request.url ?? ""];
  if (route) route(request, response);
  else response.writeHead(404).end();
};
const page: RequestListener = (_request, response) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<p>hello</p>");
const redirect =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { location }).end();

beforeEach(async () => {
  routes = { "/": page };
  requests = [];
  site = await serveSite(HOST, respond);
  fetcher = createFetcherFor([site]);
  undo = [() => fetcher.close(), site.close];
});
afterEach(async () => {
  for (const step of undo) await step();
});

const url = (path: string) => `http://${HOST}${path}`;
const failureOf = (path: string, by = fetcher) =>
  by.fetch(path.startsWith("/") ? url(path) : path).then(
    () => "fetched",
    (error: unknown) => (error instanceof AssayError ? `${error.code}: ${error.message}` : String(error)),
  );
const paths = () => requests.map((request) => request.url);

test("a page is returned as its bytes, with where and when they came from", async () => {
  const before = Date.now();
  const fetched = await fetcher.fetch(`${url("/")}#part`);
  expect(fetched).toMatchObject({
    requestedUrl: url("/"),
    finalUrl: url("/"),
    redirects: [],
    status: 200,
    contentType: "text/html",
    charset: "utf-8",
    bytesSha256: `0x${createHash("sha256").update("<p>hello</p>").digest("hex")}`,
    remoteAddress: "127.0.0.1",
  });
  expect(Buffer.from(fetched.bytes).toString()).toBe("<p>hello</p>");
  expect(fetched.fetchedAtMs).toBeGreaterThanOrEqual(before);
});

test("a request names this reader and carries no other data of ours", async () => {
  routes["/"] = (request, response) => {
    response.setHeader("set-cookie", "session=1");
    page(request, response);
  };
  await fetcher.fetch(url("/"));
  await fetcher.fetch(url("/"));
  expect(requests.at(-1)?.headers).toEqual({
    host: HOST,
    "user-agent": "AssayPageReader/1.0 (+https://assay.example)",
    accept: expect.stringContaining("text/html"),
    "accept-encoding": "gzip, br, deflate",
    connection: "close",
  });
});

test("up to three redirects are followed and reported", async () => {
  Object.assign(routes, {
    "/1": redirect("/2", 301),
    "/2": redirect("3", 307),
    "/3": redirect(url("/#end"), 308),
    "/0": redirect("/1", 303),
  });
  const fetched = await fetcher.fetch(url("/1"));
  expect(fetched.redirects).toEqual([
    { from: url("/1"), to: url("/2"), status: 301 },
    { from: url("/2"), to: url("/3"), status: 307 },
    { from: url("/3"), to: url("/"), status: 308 },
  ]);
  expect(fetched).toMatchObject({ requestedUrl: url("/1"), finalUrl: url("/") });
  expect(await failureOf("/0")).toBe("web_page_unavailable: The page redirects more than 3 times.");
});

test("a page that sends browsers elsewhere at once is left, under the rules for redirects", async () => {
  const html =
    (head: string): RequestListener =>
    (_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(`<head>${head}</head><p>Redirecting`);
  routes = {
    "/": page,
    "/now": html('<meta http-equiv="refresh" content="0; url=/?a=1&amp;b=2">'),
    "/?a=1&b=2": page,
    "/bare": html("<META content=0;URL='/' HTTP-EQUIV=Refresh>"),
    "/later": html('<meta http-equiv="refresh" content="30; url=/">'),
    "/itself": html('<meta http-equiv="refresh" content="0; url=/itself#top">'),
    "/skipped": html(
      `<noscript><meta http-equiv=refresh content="0;url=/"></noscript><!-- <meta http-equiv=refresh content="0;url=/"> -->`,
    ),
    "/inside": html('<meta http-equiv="refresh" content="0; url=http://169.254.169.254/">'),
    "/loop": html('<meta http-equiv="refresh" content="0; url=/pool">'),
    "/pool": html('<meta http-equiv="refresh" content="0; url=/loop">'),
  };
  const fetched = await fetcher.fetch(url("/now"));
  expect(fetched.finalUrl).toBe(url("/?a=1&b=2"));
  expect(fetched.redirects).toEqual([{ from: url("/now"), to: url("/?a=1&b=2"), status: 200 }]);
  expect((await fetcher.fetch(url("/bare"))).finalUrl).toBe(url("/"));
  for (const path of ["/later", "/itself", "/skipped"])
    expect((await fetcher.fetch(url(path))).redirects).toEqual([]);
  expect(await failureOf("/inside")).toContain("web_target_forbidden: The page redirects to another URL.");
  expect(await failureOf("/loop")).toBe("web_page_unavailable: The page redirects more than 3 times.");
});

test("redirects without a target, to a URL that is too long or to other ports are not followed", async () => {
  Object.assign(routes, {
    "/none": (_request, response) => response.writeHead(302).end(),
    "/bad": redirect("http://[/"),
    "/long": redirect(`/${"a".repeat(3_000)}`),
    "/port": redirect(`http://${HOST}:8080/`),
  } satisfies Record<string, RequestListener>);
  expect(await failureOf("/none")).toBe("web_page_unavailable: The page redirects without a valid Location.");
  expect(await failureOf("/bad")).toBe("web_page_unavailable: The page redirects without a valid Location.");
  expect(await failureOf("/long")).toMatch(/^web_target_forbidden: .* longer than 2048 characters/);
  expect(await failureOf("/port")).toMatch(/^web_target_forbidden: .* ports 80 and 443/);
});

test("an answer that is not a page is an error that names the cause", async () => {
  for (const status of [204, 206, 400, 401, 403, 404, 410, 429, 500, 503]) {
    routes["/"] = (_request, response) => response.writeHead(status, { "content-type": "text/html" }).end();
    expect(await failureOf("/")).toBe(`web_page_unavailable: The page's server answered ${status}.`);
  }
  routes["/"] = (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end("png");
  expect(await failureOf("/")).toMatch(
    /^web_page_unsupported: .* neither HTML, text, Markdown, JSON nor PDF/,
  );
  routes["/"] = (request) => request.socket.destroy();
  expect(await failureOf("/")).toBe(
    "web_page_unavailable: The page's server could not be reached (ECONNRESET).",
  );
  routes["/"] = (request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "100" }).write("half", () => {
      request.socket.destroy();
    });
  };
  expect(await failureOf("/")).toMatch(/^web_page_unavailable/);
  routes["/"] = ({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nno length");
    // A reset together with the bytes could not be distinguished from the end.
    setTimeout(() => socket.resetAndDestroy(), 30);
  };
  expect(await failureOf("/")).toMatch(/^web_page_unavailable/);
  await site.close();
  expect(await failureOf("/")).toBe(
    "web_page_unavailable: The page's server could not be reached (ECONNREFUSED).",
  );
});

test("robots.txt is read once, and a page that it disallows is not requested", async () => {
  routes["/robots.txt"] = (_request, response) =>
    response.writeHead(200).end("User-agent: AssayPageReader\nDisallow: /closed");
  routes["/moved"] = redirect("/closed");
  await fetcher.fetch(url("/"));
  const refusal = "web_page_unsupported: The site's robots.txt disallows reading this page.";
  expect(await failureOf("/closed")).toBe(refusal);
  expect(await failureOf("/moved")).toBe(refusal);
  expect(paths()).toEqual(["/robots.txt", "/", "/moved"]);
});

test("a missing robots.txt allows everything; an unreachable one allows nothing", async () => {
  const answered: Record<number, string> = {};
  for (const status of [401, 403, 404, 410, 429, 500, 503]) {
    routes["/robots.txt"] = (_request, response) => response.writeHead(status).end();
    const fresh = createFetcherFor([site]);
    answered[status] = (await failureOf("/", fresh)).split(":")[0] ?? "";
    await fresh.close();
  }
  const [open, closed] = ["fetched", "web_page_unavailable"];
  expect(answered).toEqual({
    401: open,
    403: open,
    404: open,
    410: open,
    429: closed,
    500: closed,
    503: closed,
  });
});

test("redirects of robots.txt are followed, but not to a forbidden target", async () => {
  routes["/robots.txt"] = redirect("/rules.txt");
  routes["/rules.txt"] = (_request, response) => response.writeHead(200).end("User-agent: *\nDisallow: /");
  expect(await failureOf("/")).toMatch(/^web_page_unsupported/);
  routes["/robots.txt"] = redirect("http://169.254.169.254/");
  const fresh = createFetcherFor([site]);
  expect(await failureOf("/", fresh)).toMatch(/^web_target_forbidden/);
  await fresh.close();
});

test("one request at a time for a host; callers of one URL share one", async () => {
  let [open, maxOpen] = [0, 0];
  const slow: RequestListener = (request, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    setTimeout(() => {
      open -= 1;
      page(request, response);
    }, 20);
  };
  Object.assign(routes, { "/": slow, "/a": slow, "/b": slow });
  const all = ["/", "/a", "/", "/b#x", "/b", "/"].map((path) => fetcher.fetch(url(path)));
  const fetched = await Promise.all(all);
  expect(fetched[0]).toBe(fetched[2]);
  expect(maxOpen).toBe(1);
  expect(
    paths()
      .filter((path) => path !== "/robots.txt")
      .sort(),
  ).toEqual(["/", "/a", "/b"]);
});

test("too many callers of one host are refused, and the others are answered", async () => {
  await fetcher.fetch(url("/"));
  const held: (() => void)[] = [];
  for (let i = 0; i < 12; i += 1) routes[`/${i}`] = (...args) => void held.push(() => page(...args));
  const all = Array.from({ length: 12 }, (_, i) => failureOf(`/${i}`));
  const answers = Promise.all(all);
  const timer = setInterval(() => held.shift()?.(), 5);
  const counts = (await answers).map((answer) => answer.split(":")[0]);
  clearInterval(timer);
  expect(counts.filter((code) => code === "fetched")).toHaveLength(9);
  expect(counts.filter((code) => code === "overloaded")).toHaveLength(3);
});

test("closing ends running fetches and refuses new ones", async () => {
  const asked = new Promise<void>((resolve) => {
    routes["/"] = () => resolve();
  });
  const waiting = failureOf("/");
  await asked;
  await fetcher.close();
  expect(await waiting).toMatch(/^shutting_down/);
  expect(await failureOf("/")).toMatch(/^shutting_down/);
});

test("TLS uses the host's name: its certificate is accepted, one for another host or from an unknown authority is refused", async () => {
  const certificate = createCertificate(HOST);
  let serverName: unknown;
  const secure = await serveSite(
    HOST,
    (request, response) => {
      serverName = (request.socket as unknown as { servername: unknown }).servername;
      page(request, response);
    },
    certificate,
  );
  const other = await serveSite("other.assay.test", page, certificate);
  const trusting = createFetcherFor([secure, other], { authorities: certificate.cert });
  const doubting = createFetcherFor([secure]);
  undo.push(trusting.close, doubting.close, secure.close, other.close);
  expect((await trusting.fetch(`https://${HOST}/`)).finalUrl).toBe(`https://${HOST}/`);
  expect(serverName).toBe(HOST);
  expect(await failureOf("https://other.assay.test/", trusting)).toMatch(/\(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  expect(await failureOf(`https://${HOST}/`, doubting)).toMatch(/\(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
});

test("no redirect leads from https to http", async () => {
  const certificate = createCertificate("secure.assay.test");
  const secure = await serveSite("secure.assay.test", redirect(url("/")), certificate);
  const open = createFetcherFor([secure, site], { authorities: certificate.cert });
  undo.push(open.close, secure.close);
  expect(await failureOf("https://secure.assay.test/a", open)).toBe(
    "web_target_forbidden: The page redirects from https to http.",
  );
  expect(requests).toEqual([]);
});

test("a name without an address, and a name server that fails, are not forbidden targets", async () => {
  const names = await serveDns((name) => (name.startsWith("broken") ? undefined : []));
  const resolving = createFetcherFor([], { resolveHost: createHostResolver([names.place]) });
  undo.push(resolving.close, names.close);
  expect(await failureOf("http://empty.example.net/", resolving)).toMatch(
    /^web_page_unavailable: .* has no address/,
  );
  expect(await failureOf("http://broken.example.net/", resolving)).toMatch(
    /^web_page_unavailable: .* not be resolved/,
  );
});
