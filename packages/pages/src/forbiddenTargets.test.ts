import { connect as netConnect } from "node:net";
import { AssayError } from "@assay/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConnectSocket } from "./openConnection.js";
import { parsePageTarget } from "./parsePageTarget.js";
import { isPublicAddress } from "./publicAddress.js";
import { createHostResolver, type ResolveHost } from "./resolveHost.js";
import { forbiddenUrls, privateIpv4, privateIpv6 } from "./testing/forbiddenTargets.js";
import { type AnswerName, type DnsRecord, serveDns, type TestNameServer } from "./testing/serveDns.js";
import { createFetcherFor, serveSite, type TestSite } from "./testing/serveSite.js";
import type { PageFetcher } from "./types.js";

const PUBLIC = "93.184.216.34";
const PUBLIC_IPV6 = "2606:2800:220:1:248:1893:25c8:1946";
const address = (value: string): DnsRecord => ({ type: value.includes(":") ? "AAAA" : "A", value });
const alias = (value: string): DnsRecord => ({ type: "CNAME", value });

/** By name: the answers to its questions in order; the last one repeats. */
let zone: Record<string, readonly (readonly DnsRecord[])[]>;
let names: TestNameServer;
/** The server that every connection of a fetcher reaches; its pages redirect to the URL in their query. */
let listener: TestSite;
/** The addresses that a fetcher connected to. */
let attempts: { host: string; port: number }[];
let fetchers: PageFetcher[];

const answerName: AnswerName = (name, type, nth) => {
  const answers = zone[name] ?? [];
  const records = answers[Math.min(nth, answers.length - 1)] ?? [];
  return records.filter((record) => record.type === type || record.type === "CNAME");
};

beforeEach(async () => {
  zone = {};
  attempts = [];
  fetchers = [];
  names = await serveDns(answerName);
  listener = await serveSite("pages.assay.test", (request, response) => {
    const to = new URL(request.url ?? "", "http://a").searchParams.get("to");
    if (to !== null) response.writeHead(302, { location: Buffer.from(to).toString("latin1") }).end();
    else if (request.url === "/robots.txt") response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end("secret");
  });
});
afterEach(async () => {
  for (const fetcher of fetchers) await fetcher.close();
  await Promise.all([names.close(), listener.close()]);
});

/** A network in which the listener answers at every address, and the socket reports that address. */
const connect: ConnectSocket = ({ host, port }) => {
  attempts.push({ host, port });
  const socket = netConnect(Number(listener.place.split(":")[1]), "127.0.0.1");
  return Object.defineProperty(socket, "remoteAddress", { value: host });
};

function createFetcher(resolveHost: ResolveHost = createHostResolver([names.place])): PageFetcher {
  const fetcher = createFetcherFor([listener], { resolveHost, connect });
  fetchers.push(fetcher);
  return fetcher;
}
const isOpen = ({ host, port }: { host: string; port: number }) =>
  `${host}:${port}` === listener.place || isPublicAddress(host);
const countForbidden = () => attempts.filter((attempt) => !isOpen(attempt)).length;

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fetched",
    (error: unknown) => (error instanceof AssayError ? error.code : String(error)),
  );

test("over 150 targets that the URL alone shows to be forbidden open no connection", async () => {
  expect(forbiddenUrls.length).toBeGreaterThan(150);
  const fetcher = createFetcher();
  for (const url of forbiddenUrls)
    expect([url, await codeOf(fetcher.fetch(url))]).toEqual([url, "web_target_forbidden"]);
  expect({ attempts, accepted: listener.connections() }).toEqual({ attempts: [], accepted: 0 });
});

test("over 70 names that resolve to addresses that are not public open no connection", async () => {
  const fetcher = createFetcher();
  const hosts = [...privateIpv4, ...privateIpv6].map((value, i) => {
    zone[`a${i}.example.net`] = [[address(value)]];
    return `a${i}.example.net`;
  });
  expect(hosts.length).toBeGreaterThan(70);
  const codes = await Promise.all(hosts.slice(0, 30).map((host) => codeOf(fetcher.fetch(`http://${host}/`))));
  for (const host of hosts.slice(30)) codes.push(await codeOf(fetcher.fetch(`http://${host}/`)));
  expect(new Set(codes)).toEqual(new Set(["web_target_forbidden"]));
  expect({ attempts, accepted: listener.connections() }).toEqual({ attempts: [], accepted: 0 });
});

describe("names with more than one answer", () => {
  const [open, open6, closed, closed6] = [PUBLIC, PUBLIC_IPV6, "10.0.0.1", "fd00::1"].map(address) as [
    DnsRecord,
    DnsRecord,
    DnsRecord,
    DnsRecord,
  ];
  test.each<[string, (readonly DnsRecord[])[]]>([
    ["a public and a private address", [[open, closed]]],
    ["a private and a public address", [[closed, open]]],
    ["a public IPv4 and a private IPv6 address", [[open, closed6]]],
    ["a private IPv4 and a public IPv6 address", [[closed, open6]]],
    ["an alias of a private address", [[alias("inner.example.net"), closed]]],
    ["a chain of aliases to a private address", [[alias("b.example.net"), alias("c.example.net"), closed]]],
    ["an alias of localhost", [[alias("localhost"), address("127.0.0.1")]]],
  ])("%s: no connection", async (_what, answers) => {
    zone["mixed.example.net"] = answers;
    expect(await codeOf(createFetcher().fetch("http://mixed.example.net/"))).toBe("web_target_forbidden");
    expect({ attempts, accepted: listener.connections() }).toEqual({ attempts: [], accepted: 0 });
  });

  test("a public address that becomes private between robots.txt and the page: the page is not requested", async () => {
    zone["flip.example.net"] = [[open], [closed]];
    expect(await codeOf(createFetcher().fetch("http://flip.example.net/"))).toBe("web_target_forbidden");
    expect(attempts).toEqual([{ host: PUBLIC, port: 80 }]);
  });

  test("a public address that becomes private after the page was resolved: the checked address is used", async () => {
    zone["late.example.net"] = [[open], [open], [closed]];
    const fetcher = createFetcher();
    expect(await codeOf(fetcher.fetch("http://late.example.net/"))).toBe("fetched");
    expect(await codeOf(fetcher.fetch("http://late.example.net/"))).toBe("web_target_forbidden");
    expect(attempts).toEqual([
      { host: PUBLIC, port: 80 },
      { host: PUBLIC, port: 80 },
    ]);
  });

  test("a connection to another address than the checked one carries no request", async () => {
    zone["hijack.example.net"] = [[open]];
    let written = 0;
    const toLoopback: ConnectSocket = () => {
      const socket = netConnect(Number(listener.place.split(":")[1]), "127.0.0.1");
      return socket.once("close", () => {
        written += socket.bytesWritten;
      });
    };
    const fetcher = createFetcherFor([], {
      resolveHost: createHostResolver([names.place]),
      connect: toLoopback,
    });
    fetchers.push(fetcher);
    expect(await codeOf(fetcher.fetch("http://hijack.example.net/"))).toBe("web_target_forbidden");
    expect(written).toBe(0);
  });
});

test("redirects to forbidden targets are not followed", async () => {
  zone["inner.example.net"] = [[address("192.168.1.1")]];
  const fetcher = createFetcher();
  // Targets that a Location header can hold and that are not on the page's own host.
  const isTarget = (url: string) =>
    URL.canParse(url) &&
    new URL(url, "http://pages.assay.test/").host !== "pages.assay.test" &&
    url.length < 500;
  const targets = forbiddenUrls.filter((url) => isTarget(url) && !url.startsWith("\0"));
  targets.push("http://inner.example.net/", "//10.0.0.1/", "\\\\127.0.0.1/");
  for (const to of targets) {
    const code = await codeOf(fetcher.fetch(`http://pages.assay.test/?to=${encodeURIComponent(to)}`));
    expect([to, code]).toEqual([to, "web_target_forbidden"]);
  }
  expect(targets.length).toBeGreaterThan(130);
  expect(attempts.filter(({ host, port }) => `${host}:${port}` !== listener.place)).toEqual([]);
});

test("the counter sees a forbidden connection where nothing checks what a name resolves to", async () => {
  const fetcher = createFetcher(async () => ["127.0.0.1"]);
  expect(await codeOf(fetcher.fetch("http://unchecked.example.net/"))).toBe("fetched");
  expect(countForbidden()).toBe(2);
  expect(listener.connections()).toBe(2);
});

test("public pages pass: names, addresses of both kinds, unusual spellings of an ordinary URL", () => {
  const urls = {
    "https://example.com": "https://example.com/",
    "HTTP://EXAMPLE.com:80/A?b=C#d": "http://example.com/A?b=C",
    "https://example.com:443/a/../b?": "https://example.com/b?",
    "http://example.com:443/": "http://example.com:443/",
    "https://bücher.example.org/ä": "https://xn--bcher-kva.example.org/%C3%A4",
    "http://8.8.8.8/": "http://8.8.8.8/",
    "http://134744072/": "http://8.8.8.8/",
    "https://[2606:4700:0:0::1111]/": "https://[2606:4700::1111]/",
    "https://localhost.example.com/": "https://localhost.example.com/",
  };
  expect(Object.keys(urls).map((url) => parsePageTarget(url).url)).toEqual(Object.values(urls));
});

test("a test host is read only where it is configured, and no name under or beside it", () => {
  const hosts = new Map([["pages.assay.test", "127.0.0.1:4000"]]);
  expect(parsePageTarget("http://PAGES.assay.test/a", hosts)).toMatchObject({
    url: "http://pages.assay.test/a",
    servedAt: { address: "127.0.0.1", port: 4000 },
  });
  for (const url of ["http://a.pages.assay.test/", "http://assay.test/", "http://pages.assay.test:4000/"])
    expect(() => parsePageTarget(url, hosts)).toThrow(AssayError);
  expect(() => parsePageTarget("http://pages.assay.test/a")).toThrow("not public");
});
