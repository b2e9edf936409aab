import type { Page } from "playwright-core";

/** Chooses a test wallet of the local chain as a visitor does, or none. */
export async function chooseWallet(page: Page, name: string | undefined): Promise<void> {
  await page.locator(".wallet-button").click();
  await page.getByLabel(/^Test wallet/).selectOption(name ?? "");
  await page.keyboard.press("Escape");
  const words = name === undefined ? /^Choose a wallet$/ : new RegExp(`^Test wallet ${name}`);
  await page.getByRole("button", { name: words }).waitFor();
}
