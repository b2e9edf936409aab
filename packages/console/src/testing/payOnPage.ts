import type { Page } from "playwright-core";

/**
 * Pays on a capability's page. The price of a stored answer ends with it, perhaps before the payment arrives: then nothing is
 * charged, the page names the new price, and the visitor pays that.
 */
export async function payOnPage(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Pay and ask/ });
  await button.click();
  page
    .getByText(/a new answer costs \$/)
    .waitFor()
    .then(() => button.click())
    // No such message, or the page has gone.
    .catch(() => undefined);
}
