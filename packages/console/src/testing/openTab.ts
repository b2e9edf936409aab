import type { BrowserContext, Page, Request } from "playwright-core";
import { launchBrowser } from "./launchBrowser.js";
import { installClock } from "./passTime.js";
import { service } from "./service.js";

export const PHONE = { width: 360, height: 740 };
export const DESK = { width: 1280, height: 900 };

export interface TabOptions {
  readonly isPhone?: boolean | undefined;
  /** The test wallet that this tab has chosen before. */
  readonly wallet?: string | undefined;
  /** Whether the browser context is new and not used again: nothing is cached. */
  readonly isCold?: boolean | undefined;
  /** Called before the first address is opened. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined;
}

export interface Tab {
  readonly page: Page;
  /** Every request so far. */
  readonly requests: readonly Request[];
  /** Errors on the page's console; a refusal of the API is an answer that the page shows, and not among them. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Opens the console in a tab of a visitor who has never been here: nothing is stored in the browser. */
export async function openTab(path: string, options: TabOptions = {}): Promise<Tab> {
  const { isPhone = false, isCold = false, wallet, prepare } = options;
  const place = isCold ? await openPlace() : (idle.pop() ?? (await openPlace()));
  const page = await place.context.newPage();
  await Promise.all([
    page.setViewportSize(isPhone ? PHONE : DESK),
    // Animations would only be waited for.
    page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" }),
  ]);
  const requests: Request[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requests.push(request));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.location().url.includes("/api/")) errors.push(message.text());
  });
  await installClock(page);
  if (wallet !== undefined) await rememberWallet(page, wallet);
  await prepare?.(page);
  await page.goto(`${service.url}${path}`);
  return {
    page,
    requests,
    errors,
    async close() {
      // A request that a test holds up may still be on its way.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.close();
      await (isCold ? place.context.close() : giveBack(place));
    },
  };
}

/** As `wallet/Payer` keeps the choice, once for the tab: a test may change it. */
const rememberWallet = (page: Page, wallet: string) =>
  page.addInitScript((name) => {
    sessionStorage["assay.test-wallet"] ??= JSON.stringify(name);
  }, wallet);

/** A browser context with the scripts of the console in its cache: opening a page in a new one takes three times as long. */
interface Place {
  readonly context: BrowserContext;
  /** Stays open, so that the context keeps its process; it shows a picture and asks for nothing. */
  readonly keeper: Page;
}

const idle: Place[] = [];

async function openPlace(): Promise<Place> {
  const browser = await launchBrowser();
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  // On a busy machine, but sooner than the test ends: then it says what did not come.
  context.setDefaultTimeout(50_000);
  const keeper = await context.newPage();
  await keeper.goto(`${service.url}/mark.svg`);
  return { context, keeper };
}

/** Forgets what the last visitor left. A tab's session storage goes with the tab. */
async function giveBack(place: Place): Promise<void> {
  await place.context.setOffline(false);
  await place.keeper.evaluate(() => localStorage.clear());
  idle.push(place);
}
