import { createHash } from "node:crypto";
import { isIP, type Socket } from "node:net";
import { AssayError } from "@assay/protocol";
import { identifyPage, parsePageType } from "./decodePage.js";
import { type Answer, exchange } from "./exchange.js";
import { fetchSheets, type SheetAnswer } from "./fetchSheets.js";
import { findRefresh } from "./findRefresh.js";
import { createHostQueue } from "./hostQueue.js";
import { type ConnectSocket, openConnection } from "./openConnection.js";
import { type PageTarget, parsePageTarget, type TestHosts } from "./parsePageTarget.js";
import type { BodyLimits } from "./readBoundedBody.js";
import { createHostResolver, type ResolveHost } from "./resolveHost.js";
import { isAllowedByRobots, PRODUCT_TOKEN, parseRobots, type RobotsRules } from "./robots.js";
import { createRobotsCache } from "./robotsCache.js";
import { pageUnavailable, toPageError } from "./toPageError.js";
import type { FetchedPage, PageFetcher, PageRedirect } from "./types.js";

export interface PageTimes {
  /** TCP and TLS. */
  readonly connectMs: number;
  readonly headersMs: number;
  /** The whole fetch: waiting, robots.txt, redirects and body. */
  readonly totalMs: number;
  /** All style sheets of a page together. */
  readonly sheetsMs?: number;
}

export interface PageFetcherOptions {
  readonly settings: {
    /** Sent to the servers of pages in `User-Agent`. */
    readonly publicUrl: string;
    readonly webTestHosts: TestHosts;
  };
  readonly times?: PageTimes;
  /** Tests only: other name servers, another network, other authorities. */
  readonly resolveHost?: ResolveHost;
  readonly connect?: ConnectSocket;
  readonly authorities?: string;
}

interface RequestKind {
  readonly accept: string;
  readonly limits: BodyLimits;
  readonly wantsBody: (status: number, contentType: string | undefined) => boolean;
}

const TIMES: PageTimes = { connectMs: 3_000, headersMs: 5_000, totalMs: 10_000 };
const SHEETS_MS = 4_000;
const MAX_REDIRECTS = 3;
/** RFC 9309, section 2.3.1.2. */
const MAX_ROBOTS_REDIRECTS = 5;
/** Of one host; further ones are not tried. */
const MAX_ADDRESSES = 3;
/** Each fetch may hold its page twice for a moment, so all pages together take at most 2 × 2 MiB × 32. */
const QUEUE_LIMITS = { maxWaitingPerHost: 8, maxInAll: 32 };

const pageRequest: RequestKind = {
  accept:
    "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8, application/json;q=0.8, application/pdf;q=0.8",
  limits: { maxBytes: 2 * 1024 * 1024, maxRatio: 100, whenTooLong: "refuse" },
  wantsBody(status, contentType) {
    if (!isPage(status)) return false;
    parsePageType(contentType);
    return true;
  },
};
const robotsRequest: RequestKind = {
  accept: "text/plain, */*;q=0.1",
  // RFC 9309, section 2.5: at least 500 KiB must be read; the rest is ignored.
  limits: { maxBytes: 512 * 1024, maxRatio: 100, whenTooLong: "cut" },
  wantsBody: (status) => status >= 200 && status < 300,
};

const sheetRequest: RequestKind = {
  accept: "text/css, */*;q=0.1",
  limits: { maxBytes: 1024 * 1024, maxRatio: 100, whenTooLong: "refuse" },
  wantsBody: (status) => isPage(status),
};

const resourceRequest: RequestKind = {
  accept: "*/*",
  limits: { maxBytes: 4 * 1024 * 1024, maxRatio: 100, whenTooLong: "refuse" },
  wantsBody: () => true,
};

/** Fetches public pages and refuses every other target; each part states what it refuses. */
export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
  const { settings, times = TIMES, resolveHost = createHostResolver() } = options;
  const inTurn = createHostQueue(QUEUE_LIMITS);
  const robots = createRobotsCache();
  const underWay = new Map<string, Promise<FetchedPage>>();
  const limits = new Set<AbortController>();
  let isClosed = false;

  function request(target: PageTarget, kind: RequestKind, signal: AbortSignal) {
    return inTurn(target.host, signal, async () =>
      askOver(await connectTo(target, signal), target, kind, signal),
    );
  }

  async function askOver(socket: Socket, target: PageTarget, kind: RequestKind, signal: AbortSignal) {
    const remoteAddress = socket.remoteAddress ?? "";
    const answer = await exchange(socket, target, {
      headers: {
        "user-agent": `${PRODUCT_TOKEN}/1.0 (+${settings.publicUrl})`,
        accept: kind.accept,
        "accept-encoding": "gzip, br, deflate",
      },
      headersMs: times.headersMs,
      signal,
      limits: kind.limits,
      wantsBody: kind.wantsBody,
    });
    return { ...answer, remoteAddress };
  }

  /**
   * A sheet from public addresses only, like a page. robots.txt speaks to crawlers and is asked for the page; a sheet is loaded
   * with it, as every reader's browser does.
   */
  async function readSheet(url: string, signal: AbortSignal): Promise<SheetAnswer> {
    let target = parsePageTarget(url, settings.webTestHosts);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await inTurn(target.host, signal, async () => {
        const socket = await connectTo(target, signal).catch((error: unknown) => {
          const isForbidden = error instanceof AssayError && error.code === "web_target_forbidden";
          if (isForbidden || signal.aborted) throw error;
          // A host that cannot be reached sends its sheet to nobody.
          return undefined;
        });
        return socket && askOver(socket, target, sheetRequest, signal);
      });
      if (answer === undefined) return "absent";
      if (!isRedirect(answer.status)) return describeSheet(answer);
      target = parseRedirect(target, answer.location, settings);
    }
    return "absent";
  }

  async function connectTo(target: PageTarget, signal: AbortSignal): Promise<Socket> {
    const places = await listPlaces(target, signal);
    let failure: unknown;
    for (const place of places.slice(0, MAX_ADDRESSES)) {
      try {
        return await openConnection(target, place, { ...options, connectMs: times.connectMs, signal });
      } catch (error) {
        if (error instanceof AssayError || signal.aborted) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Every place has been checked: by configuration, by the URL parser or by the resolver, which is asked once per request. */
  async function listPlaces({ servedAt, host, port }: PageTarget, signal: AbortSignal) {
    if (servedAt) return [servedAt];
    if (isIP(host) !== 0) return [{ address: host, port }];
    const addresses = await untilAborted(resolveHost(host), signal);
    return addresses.map((address) => ({ address, port }));
  }

  async function verifyRobots(target: PageTarget, signal: AbortSignal): Promise<void> {
    let rules = robots.find(target.origin);
    if (!rules) {
      rules = await readRobots(target, signal);
      robots.remember(target.origin, rules);
    }
    if (!isAllowedByRobots(rules, target.pathAndQuery))
      throw new AssayError("web_page_unsupported", "The site's robots.txt disallows reading this page.");
  }

  /** RFC 9309, section 2.3.1: a missing file allows everything, an unreachable one nothing. */
  async function readRobots(page: PageTarget, signal: AbortSignal): Promise<RobotsRules> {
    let target = parsePageTarget(new URL("/robots.txt", page.url).href, settings.webTestHosts);
    for (let redirects = 0; redirects <= MAX_ROBOTS_REDIRECTS; redirects += 1) {
      const { status, location, body } = await request(target, robotsRequest, signal);
      if (body) return parseRobots(new TextDecoder().decode(body));
      if (isRedirect(status)) target = parseRedirect(target, location, settings);
      // 429 (too many requests) does not state whether the file exists.
      else if (status >= 400 && status < 500 && status !== 429) return [];
      else throw pageUnavailable(`The site's robots.txt could not be read: its server answered ${status}.`);
    }
    return [];
  }

  async function follow(first: PageTarget, signal: AbortSignal): Promise<FetchedPage> {
    const redirects: PageRedirect[] = [];
    let target = first;
    for (;;) {
      await verifyRobots(target, signal);
      const answer = await request(target, pageRequest, signal);
      const refresh = answer.body && findRefresh(answer.contentType, answer.body);
      const location = isRedirect(answer.status) ? answer.location : refresh;
      if (!isRedirect(answer.status) && (location === undefined || isReload(location, target)))
        return describePage(first, target, redirects, answer);
      if (redirects.length === MAX_REDIRECTS)
        throw pageUnavailable(`The page redirects more than ${MAX_REDIRECTS} times.`);
      const next = parseRedirect(target, location, settings);
      redirects.push({ from: target.url, to: next.url, status: answer.status });
      target = next;
    }
  }

  async function within<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    limits.add(limit);
    const timer = setTimeout(
      () => limit.abort(new DOMException("the fetch took too long", "TimeoutError")),
      limitMs,
    );
    try {
      return await work(limit.signal);
    } catch (error) {
      throw toPageError(error, limit.signal);
    } finally {
      clearTimeout(timer);
      limits.delete(limit);
    }
  }

  return {
    async fetch(url) {
      const target = parsePageTarget(url, settings.webTestHosts);
      if (isClosed) throw shuttingDown();
      const shared = underWay.get(target.url);
      if (shared) return shared;
      const fetching = within(times.totalMs, (signal) => follow(target, signal)).finally(() =>
        underWay.delete(target.url),
      );
      underWay.set(target.url, fetching);
      return fetching;
    },
    async fetchSheets(pageUrl, requests) {
      if (isClosed) throw shuttingDown();
      return within(times.sheetsMs ?? SHEETS_MS, (signal) => {
        // One after the other for each host: the queue refuses more than a few that wait.
        const turns = new Map<string, Promise<unknown>>();
        const ask = (url: string): Promise<SheetAnswer> => {
          const { host } = new URL(url);
          const turn = (turns.get(host) ?? Promise.resolve())
            .then(() => readSheet(url, signal))
            .catch(() => "unread" as const);
          turns.set(host, turn);
          return turn;
        };
        return fetchSheets(pageUrl, requests, ask);
      });
    },
    async fetchResource(url) {
      if (isClosed) throw shuttingDown();
      return within(times.totalMs, async (signal) => {
        let target = parsePageTarget(url, settings.webTestHosts);
        for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
          const { status, body, contentType, location } = await request(target, resourceRequest, signal);
          if (!isRedirect(status))
            return { status, contentType: contentType ?? "text/plain", bytes: body ?? new Uint8Array() };
          target = parseRedirect(target, location, settings);
        }
        throw pageUnavailable(`The resource redirects more than ${MAX_REDIRECTS} times.`);
      });
    },
    async close() {
      isClosed = true;
      for (const limit of limits) limit.abort(shuttingDown());
      await Promise.allSettled(underWay.values());
    },
  };
}

const shuttingDown = () => new AssayError("shutting_down", "The service is shutting down.");
const isPage = (status: number) => status === 200 || status === 203;
/** A page that only loads itself again is read as it is, and so is one with an address that is none. */
function isReload(location: string, { url }: PageTarget): boolean {
  if (!URL.canParse(location, url)) return true;
  const to = new URL(location, url);
  to.hash = "";
  return to.href === url || !/^https?:$/.test(to.protocol);
}
const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);

function parseRedirect(
  from: PageTarget,
  location: string | undefined,
  { webTestHosts }: PageFetcherOptions["settings"],
): PageTarget {
  // Node decodes header bytes as Latin-1; servers that send non-ASCII characters mean UTF-8.
  const text = Buffer.from(location ?? "", "latin1").toString("utf8");
  if (text === "" || !URL.canParse(text, from.url))
    throw pageUnavailable("The page redirects without a valid Location.");
  let to: PageTarget;
  try {
    to = parsePageTarget(new URL(text, from.url).href, webTestHosts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new AssayError("web_target_forbidden", `The page redirects to another URL. ${reason}`, {
      cause: error,
    });
  }
  if (from.isSecure && !to.isSecure)
    throw new AssayError("web_target_forbidden", "The page redirects from https to http.");
  return to;
}

function describePage(
  first: PageTarget,
  last: PageTarget,
  redirects: readonly PageRedirect[],
  { status, body, contentType, remoteAddress }: Answer & { remoteAddress: string },
): FetchedPage {
  if (!body) throw pageUnavailable(`The page's server answered ${status}.`);
  return {
    requestedUrl: first.url,
    finalUrl: last.url,
    redirects,
    status,
    ...identifyPage(parsePageType(contentType), body),
    bytes: body,
    bytesSha256: `0x${createHash("sha256").update(body).digest("hex")}`,
    fetchedAtMs: Date.now(),
    remoteAddress,
  };
}

/** Browsers use a sheet only where its server says that it is one; a quirks page may use any of its own site. */
function describeSheet({ body, contentType }: Answer): SheetAnswer {
  if (!body) return "absent";
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (/html/.test(type)) return "absent";
  if (type !== "text/css") return "unread";
  const charset = parameters.map((parameter) => /^charset\s*=\s*"?([^"]*)/.exec(parameter)?.[1] ?? "");
  return { bytes: body, charset: charset.find((label) => label !== "") ?? "" };
}

/** Name resolution cannot be aborted, so this only stops waiting for it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
