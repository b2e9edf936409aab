import { test } from "vitest";
import { openTab, type Tab, type TabOptions } from "./openTab.js";

/** Opens the console as a new visitor, until the test ends. */
export type Visit = (path: string, options?: TabOptions) => Promise<Tab>;

/** A test that visits the console. */
export const it = test.extend<{ visit: Visit }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that this one needs from the pattern
  visit: async ({}, use) => {
    const tabs: Tab[] = [];
    await use(async (path, options) => {
      const tab = await openTab(path, options);
      tabs.push(tab);
      return tab;
    });
    await Promise.all(tabs.map((tab) => tab.close()));
  },
});
