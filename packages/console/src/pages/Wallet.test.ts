import { createClient } from "@assay/client";
import { sharePath } from "@assay/protocol";
import { describe, expect } from "vitest";
import { type AnnouncedWallet, announceWallet } from "../testing/announceWallet.js";
import { outcomeOf } from "../testing/checks.js";
import { chooseWallet } from "../testing/chooseWallet.js";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { overflowOf, shiftOf, watchShifts } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { DESK, PHONE } from "../testing/openTab.js";
import { hurryUntil } from "../testing/passTime.js";
import { service } from "../testing/service.js";

describe.runIf(findChromium())("the page of a wallet", () => {
  it("shows a wallet's owner what it bought, after signing in, and nobody else; and opens what it shared", async ({
    visit,
  }) => {
    const owner = service.wallet("heidi");
    const client = createClient({ baseUrl: service.url, account: owner });
    const { answer } = await client.call("token.metadata", { address: service.contract("bytes32Token") });
    let extension: AnnouncedWallet | undefined;
    const { page, errors } = await visit(`/wallet/${owner.address}`, {
      wallet: "alice",
      prepare: async (tab) => {
        await watchShifts(tab);
        extension = await announceWallet(tab, owner);
      },
    });
    await page.getByText("Test wallet alice is another wallet.").waitFor();
    expect(await page.getByRole("button", { name: /^Sign in/ }).count()).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
    await chooseWallet(page, undefined);
    await page.locator(".wallet-button").click();
    await page.getByRole("button", { name: "Connect Test Extension" }).click();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with Test Extension" }).click();
    const calls = page.getByRole("region", { name: "Calls" });
    await calls.getByText("token.metadata").waitFor();
    expect(extension?.signed).toHaveLength(1);
    expect(await page.locator(".wallet-figures").innerText()).toMatch(/Spent in 30 days\s+\$0\.0\d/);
    expect(await listBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await listBarriers(page, { onlyColours: true })).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize(DESK);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with Test Extension" }).waitFor();
    expect(await page.content()).not.toContain("Spent in 30 days");

    await goTo(page, sharePath(answer.invocationId, answer.evidenceReference.signature));
    await page.getByTestId("verdict").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toMatch(/^All \d+ checks passed\./);
    expect(await listBarriers(page)).toEqual([]);
    await goTo(page, "/recorded/contract.guard.block");
    await page.getByText("A real answer, sold on the local chain").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).waitFor();
    // It came with the console: a service that does not answer says nothing about it, and moves nothing.
    const shifted = await shiftOf(page);
    await page.route("**/api/v1/health", (route) => route.fulfill({ status: 503, body: "" }));
    await hurryUntil(page, page.locator("footer").getByText("The service does not answer"));
    expect(await page.locator("main").innerText()).not.toContain("The service does not answer");
    expect((await shiftOf(page)) - shifted).toBeLessThan(0.01);
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toMatch(/^All \d+ checks passed\./);
    expect(await page.getByTestId("verdict").innerText()).toBe("BLOCK");
    expect(errors).toEqual([]);
  });
});
