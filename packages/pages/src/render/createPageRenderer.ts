import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createHostQueue } from "../hostQueue.js";
import type { FetchedPage, PageFetcher, RenderedPage } from "../types.js";
import { captureDom } from "./captureDom.js";
import type { BrowserEvent, RunningBrowser } from "./launchBrowser.js";

/** Shows pages whose text their scripts write. */
export interface PageRenderer {
  /** The page as it is after its scripts have run; null where they do not end in time, or make it too large. */
  render(page: FetchedPage): Promise<RenderedPage | null>;
}

export interface RenderLimits {
  /** From the start of the browser to its end. */
  readonly totalMs: number;
  /** The page is read when it has asked for nothing for this long… */
  readonly quietMs: number;
  /** …or, if it never stops asking, this long after it was opened. */
  readonly settleMs: number;
  readonly maxRequests: number;
  readonly maxBytes: number;
}

const LIMITS: RenderLimits = {
  totalMs: 12_000,
  quietMs: 500,
  settleMs: 6_000,
  maxRequests: 60,
  maxBytes: 10 * 1024 * 1024,
};
/** As for pages that are fetched. */
const MAX_DOM_BYTES = 2 * 1024 * 1024;
/** What a page's text can depend on; frames, pictures, fonts, media, workers and sockets are never loaded. */
const LOADED_TYPES = new Set(["Script", "Stylesheet", "XHR", "Fetch"]);
const POLL_MS = 50;
/** One browser at a time takes some 200 MB. */
const QUEUE_LIMITS = { maxWaitingPerHost: 4, maxInAll: 5 };

/** Renders pages in a Chromium at `browserPath`, one at a time. Every request of a page goes through the fetcher. */
export function createPageRenderer(
  browserPath: string,
  fetcher: Pick<PageFetcher, "fetchResource">,
  limits: RenderLimits = LIMITS,
): PageRenderer {
  const inTurn = createHostQueue(QUEUE_LIMITS);
  return {
    render(page) {
      const patience = AbortSignal.timeout(limits.totalMs * 2);
      return inTurn("browser", patience, async () => {
        // Few services have a browser.
        const { launchBrowser } = await import("./launchBrowser.js");
        const browser = await launchBrowser(browserPath);
        const limit = new AbortController();
        try {
          const late = sleep(limits.totalMs, null, { signal: limit.signal });
          return await Promise.race([late, show(browser, page, fetcher, limits, limit.signal)]);
        } catch {
          // The browser ended: a page that cannot be rendered is judged by what its server sent.
          return null;
        } finally {
          limit.abort();
          await browser.close();
        }
      });
    },
  };
}

async function show(
  browser: RunningBrowser,
  page: FetchedPage,
  fetcher: Pick<PageFetcher, "fetchResource">,
  limits: RenderLimits,
  signal: AbortSignal,
): Promise<RenderedPage | null> {
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
  const attached = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const session = String(attached.sessionId);
  const traffic = answerRequests(browser, session, page, fetcher, limits);
  await browser.send("Browser.setDownloadBehavior", { behavior: "deny" });
  // Workers and frames of other sites wait for a debugger that never comes.
  await browser.send(
    "Target.setAutoAttach",
    { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
    session,
  );
  await browser.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }, session);
  await browser.send("Page.enable", {}, session);
  const { frameId } = await browser.send("Page.navigate", { url: page.finalUrl }, session);
  await traffic.whenQuiet(signal);
  const world = await browser.send("Page.createIsolatedWorld", { frameId }, session);
  const captured = await browser.send(
    "Runtime.evaluate",
    { expression: captureDom(MAX_DOM_BYTES), contextId: world.executionContextId, returnByValue: true },
    session,
  );
  const html = (captured.result as { value?: unknown } | undefined)?.value;
  if (typeof html !== "string" || Buffer.byteLength(html) > MAX_DOM_BYTES) return null;
  const bytes = Buffer.from(html);
  return {
    bytes,
    domBytes: bytes.length,
    domSha256: `0x${createHash("sha256").update(bytes).digest("hex")}`,
    ...traffic.count(),
  };
}

interface Traffic {
  /** Rejects when the signal is aborted. */
  whenQuiet(signal: AbortSignal): Promise<void>;
  count(): { readonly requests: number; readonly refusedRequests: number };
}

interface PausedRequest {
  readonly requestId: string;
  readonly resourceType: string;
  readonly request: { readonly url: string; readonly method: string };
}

/** Answers each request of the page: the page itself with the bytes that were fetched, the others by the fetcher or not at all. */
function answerRequests(
  browser: RunningBrowser,
  session: string,
  page: FetchedPage,
  fetcher: Pick<PageFetcher, "fetchResource">,
  limits: RenderLimits,
): Traffic {
  /** One after the other for each host: the fetcher refuses more than a few that wait. */
  const turns = new Map<string, Promise<unknown>>();
  let isOpened = false;
  let requests = 0;
  let refusedRequests = 0;
  let bytesLeft = limits.maxBytes;
  let pending = 0;
  let lastEventMs = Date.now();
  let isParsed = false;

  const fulfil = (requestId: string, status: number, contentType: string, bytes: Uint8Array) =>
    browser.send(
      "Fetch.fulfillRequest",
      {
        requestId,
        responseCode: status,
        responseHeaders: [{ name: "content-type", value: contentType }],
        body: Buffer.from(bytes).toString("base64"),
      },
      session,
    );

  async function load({ requestId, request: { url } }: PausedRequest): Promise<void> {
    const { status, contentType, bytes } = await fetcher.fetchResource(url);
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) throw new Error("the page loads too much");
    await fulfil(requestId, status, contentType, bytes);
  }

  /** A page that leaves for another one stays as it is; for every other request "Aborted" is as good a failure. */
  const fail = (requestId: string) =>
    browser.send("Fetch.failRequest", { requestId, errorReason: "Aborted" }, session);

  function refuse(requestId: string): Promise<unknown> {
    refusedRequests += 1;
    return fail(requestId);
  }

  async function answer(paused: PausedRequest): Promise<unknown> {
    const { requestId, resourceType, request } = paused;
    if (resourceType === "Document" && !isOpened) {
      isOpened = true;
      return fulfil(requestId, 200, `${page.contentType}; charset=${page.charset}`, page.bytes);
    }
    if (!LOADED_TYPES.has(resourceType)) return fail(requestId);
    requests += 1;
    const isAllowed = request.method === "GET" && URL.canParse(request.url) && requests <= limits.maxRequests;
    if (!isAllowed || bytesLeft <= 0) return refuse(requestId);
    const { host } = new URL(request.url);
    const turn = (turns.get(host) ?? Promise.resolve())
      .then(() => load(paused))
      .catch(() => refuse(requestId));
    turns.set(host, turn);
    return turn;
  }

  browser.onEvent(({ method, params, sessionId }: BrowserEvent) => {
    if (sessionId !== session) return;
    // The load event waits for frames, which are not loaded.
    if (method === "Page.domContentEventFired") isParsed = true;
    if (method !== "Fetch.requestPaused") return;
    pending += 1;
    lastEventMs = Date.now();
    void answer(params as unknown as PausedRequest)
      // The browser has ended.
      .catch(() => undefined)
      .finally(() => {
        pending -= 1;
        lastEventMs = Date.now();
      });
  });

  return {
    async whenQuiet(signal) {
      const startedMs = Date.now();
      const isQuiet = () => pending === 0 && Date.now() - lastEventMs >= limits.quietMs;
      while (!isParsed || !(isQuiet() || Date.now() - startedMs >= limits.settleMs))
        await sleep(POLL_MS, undefined, { signal });
    },
    count: () => ({ requests, refusedRequests }),
  };
}
