import type { Page } from "playwright-core";

/** Chooses a test wallet of the local chain as a visitor does. */
export async function chooseWallet(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Choose a wallet", exact: true }).click();
  await page.getByLabel(/^Test wallet/).selectOption(name);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: new RegExp(`^Test wallet ${name}`) }).waitFor();
}
