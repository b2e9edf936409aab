import type { Page } from "playwright-core";

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
