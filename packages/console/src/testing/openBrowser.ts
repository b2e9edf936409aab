import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type RunningService, startService } from "@assay/client/testing/startService";
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { onTestFinished } from "vitest";
import { findChromium } from "./findChromium.js";

export { type RunningService, startService };

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 900 };

export interface PageOptions {
  readonly isPhone?: boolean | undefined;
  readonly isDark?: boolean | undefined;
  /** Called before the first address is opened. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined;
}

export interface OpenedPage {
  readonly page: Page;
  /** Everything it has asked for so far. */
  readonly requests: readonly Request[];
  /** What it has complained about; what the API refuses is an answer that the page shows, and no complaint. */
  readonly errors: readonly string[];
}

export interface OpenedConsole extends OpenedPage {
  readonly service: RunningService;
  /** Another visitor's page, until the test that opened it ends: each goes on asking the service, and slows the next. */
  visit(path: string, options?: PageOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

/** The built service as its users run it, and a browser with one page at `path`. */
export async function openConsole(path = "/", settings: Record<string, string> = {}): Promise<OpenedConsole> {
  const [service, browser] = await Promise.all([startService(settings), launch()]);
  const open = (to: string, options?: PageOptions) => openPage(browser, `${service.url}${to}`, options);
  return {
    service,
    async visit(to, options) {
      const opened = await open(to, options);
      onTestFinished(async () => {
        // A request that a test holds up may still be on its way.
        await opened.page.unrouteAll({ behavior: "ignoreErrors" });
        await opened.page.context().close();
      });
      return opened;
    },
    ...(await open(path)),
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}

export function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium was found");
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

async function openPage(
  browser: Browser,
  url: string,
  { isPhone = false, isDark = false, prepare }: PageOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: isPhone ? PHONE : DESK,
    colorScheme: isDark ? "dark" : "light",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const requests: Request[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requests.push(request));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.location().url.includes("/api/")) errors.push(message.text());
  });
  await prepare?.(page);
  await page.goto(url);
  return { page, requests, errors };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or critical, one line each. */
export async function listBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Found {
      readonly violations: readonly {
        readonly id: string;
        readonly impact?: string | null;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }[];
    }
    const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<Found> } };
    const { violations } = await checker.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
  });
}

/** How far the page is wider than its window, in pixels: 0 where nothing has to be scrolled sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Lets the page add up how far its parts jump on their own (Layout Instability API); to be called before it is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { shifted: number };
    counted.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) counted.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The sum so far, as a share of the window; under 0.1 people do not mind. */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);
