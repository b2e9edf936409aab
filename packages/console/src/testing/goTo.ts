import type { Page } from "playwright-core";

/** Goes to another page of the console as its own links do: without loading the document again. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
