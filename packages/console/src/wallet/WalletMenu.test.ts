import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { type AnnouncedWallet, announceWallet } from "../testing/announceWallet.js";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { service } from "../testing/service.js";

describe.runIf(findChromium())("the wallet menu", () => {
  const openMenu = (page: Page) => page.getByRole("button", { name: "Choose a wallet", exact: true });

  it("opens and closes by keyboard, says that test wallets hold play money, and remembers the choice of this tab", async ({
    visit,
  }) => {
    const { page } = await visit("/");
    const select = page.getByLabel(/^Test wallet/);
    // The menu knows of test wallets once the service has named them.
    await select.waitFor({ state: "attached" });
    await openMenu(page).focus();
    await page.keyboard.press("Enter");
    expect(await openMenu(page).getAttribute("aria-expanded")).toBe("true");
    expect(await select.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    expect(await select.isVisible()).toBe(false);
    expect(await openMenu(page).evaluate((element) => element === document.activeElement)).toBe(true);
    // The next key goes on where the menu was asked for, also once another button stands there.
    await goTo(page, "/capabilities/chain.snapshot");
    const price = page.getByRole("region", { name: "Price and payment" });
    await price.getByRole("button", { name: "Choose a wallet to pay" }).press("Enter");
    await page.getByRole("region", { name: "Wallet" }).getByText("play money").waitFor();
    await page.getByLabel(/^Test wallet/).selectOption("dave");
    await page.keyboard.press("Escape");
    // The button that stands there now is drawn once the wallet is known.
    await expect.poll(() => price.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.reload();
    await page.getByRole("button", { name: /Test wallet dave/ }).waitFor();
  });

  it("pays with a wallet that announces itself (EIP-6963), once it is on the chain of the payment", async ({
    visit,
  }) => {
    // Nothing earns it credit, and nobody else asks about the contract: both would lower the price.
    const account = service.wallet("judy");
    const before = await service.balanceOf(account.address);
    let wallet: AnnouncedWallet | undefined;
    const { page } = await visit(`/capabilities/contract.guard?address=${service.contract("legacyProxy")}`, {
      prepare: async (tab) => {
        wallet = await announceWallet(tab, account, { chainId: 1 });
      },
    });
    const pay = page.getByRole("button", { name: /^Pay and ask/ });
    await openMenu(page).click();
    await page.getByRole("button", { name: "Connect Test Extension" }).click();
    await page.getByText("Test Extension is on chain 1. Assay is paid on Base, chain 8453.").waitFor();
    expect(await pay.count()).toBe(0);
    await page.getByRole("button", { name: "Switch it to Base" }).click();
    await page.getByText("Test Extension is connected on Base.").waitFor();
    await page.keyboard.press("Escape");
    await pay.click();
    await page.getByTestId("verdict").waitFor();
    expect(before - (await service.balanceOf(account.address))).toBe(100_000n);
    expect(wallet?.signed).toHaveLength(1);
    expect(wallet?.signed[0]).toMatchObject({ primaryType: "TransferWithAuthorization" });
  });
});
