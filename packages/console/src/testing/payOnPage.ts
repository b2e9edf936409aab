import type { Page } from "playwright-core";

/**
 * Pays on a capability's page, as a patient visitor does. The price of a stored answer ends with it, perhaps before the button is
 * reached, and then the page offers to renew it; or before the payment arrives, and then nothing is charged, the page names
 * the new price, and the visitor pays that.
 */
export async function payOnPage(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Pay and ask/ });
  const renew = page.getByRole("button", { name: "Renew the price" });
  // It may be renewed by the time that it is clicked.
  const click = () => renew.click({ timeout: 5_000 }).catch(() => undefined);
  await page.addLocatorHandler(renew, click, { noWaitAfter: true });
  const isAnswered = page
    .waitForResponse((response) => new URL(response.url()).pathname.endsWith("/invoke") && response.ok())
    .then(() => true);
  const isHigher = page
    .getByText(/a new answer costs \$/)
    .waitFor()
    .then(() => false);
  // One of them is for nothing, and the page may be gone by then.
  for (const outcome of [isAnswered, isHigher]) outcome.catch(() => undefined);
  await button.click();
  if (!(await Promise.race([isAnswered, isHigher]))) await button.click();
  await page.removeLocatorHandler(renew);
}
