import { createClient } from "@assay/client";
import type { Page } from "playwright-core";
import { createPublicClient, http, keccak256 } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseWallet } from "../testing/chooseWallet.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { listBarriers } from "../testing/listBarriers.js";
import { openTab, type Tab } from "../testing/openTab.js";
import { service } from "../testing/service.js";
import { upgradeAndBack } from "../testing/upgradeAndBack.js";

/** Nothing earns it credit, which would lower what it pays. */
const OPENER = "frank";

describe.runIf(findChromium())("claims and bounties in the browser", () => {
  let tab: Tab;
  /** The proxy ran V1, V2 in one block, then V1 again. */
  let upgraded: number;
  let back: number;
  beforeAll(async () => {
    ({ upgraded, back } = await upgradeAndBack());
    tab = await openTab("/claims", { wallet: OPENER });
  });
  afterAll(() => tab?.close());

  const claimOf = (page: Page) => page.url().split("/").at(-1) ?? "";
  const challenge = async (page: Page, block: number, implementation: string) => {
    await page.getByLabel(/^Block, /).fill(String(block));
    await page.getByLabel("Address of the code that it ran there").fill(implementation);
    await page.getByRole("button", { name: "Sign and challenge" }).click();
  };

  it("opens a claim, with its cost and its promise stated before", async () => {
    const { page } = tab;
    await page.getByText("Opening costs $0.25, paid now to this service").waitFor();
    await page.getByText("The service never holds it.").waitFor();
    // Until then nothing is paid, and the page says so.
    await page
      .locator(".claim-payee")
      .getByRole("button", { name: /copy the payee/ })
      .waitFor();
    await page.getByRole("button", { name: "Pay $0.25 and open" }).click();
    expect(await page.getByRole("alert").innerText()).toBe(
      "The contract must be 0x followed by 40 hex digits.",
    );
    await page.getByLabel("Contract", { exact: true }).fill(service.contract("uupsProxy"));
    await page.getByLabel("Its implementation").fill(service.contract("uupsBoxV1"));
    await page.getByLabel("From block").fill(String(upgraded - 1));
    await page.getByLabel(/^To block/).fill(String(back));
    await page.getByLabel(/^Reward in USD/).fill("2.5");
    // The first payment arrives and is charged; its answer is lost on the way back.
    const opener = service.wallet(OPENER).address;
    const before = await service.balanceOf(opener);
    const isOpening = (url: URL) => url.pathname === "/api/v1/claims";
    let arrived = 0;
    await page.route(isOpening, async (route) => {
      if (!route.request().headers()["payment-signature"]) return route.continue();
      await route.fetch();
      arrived += 1;
      await route.abort();
    });
    await page.getByRole("button", { name: "Pay $0.25 and open" }).click();
    await expect.poll(() => arrived, { timeout: 30_000 }).toBeGreaterThan(0);
    await page.reload();
    await page.getByText("It is not known whether $0.25 was charged").waitFor();
    await page.unroute(isOpening);
    // A refusal given without looking the payment up ends no doubt.
    await page.route(isOpening, (route) =>
      route.request().headers()["payment-signature"]
        ? route.fulfill({
            status: 400,
            json: {
              type: "about:blank",
              title: "x",
              status: 400,
              detail: "x",
              code: "invalid_input",
              requestId: "x",
            },
          })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Send the same payment again" }).click();
    await page.getByText("It is not known whether $0.25 was charged").waitFor();
    await page.unroute(isOpening);
    await page.getByRole("button", { name: "Send the same payment again" }).click();
    await page.waitForURL("**/claims/0x*");
    await page.locator(".standing").getByText("Open to challenges").waitFor();
    expect(before - (await service.balanceOf(opener))).toBe(250_000n);
    expect(await page.getByText("$2.50").count()).toBeGreaterThan(0);
    const record = await createClient({ baseUrl: service.url }).claim(claimOf(page));
    expect(record).toMatchObject({ status: "open", opener: opener.toLowerCase() });
  });

  it("recomputes the id and the survival hash, and refuses a receipt of other bytes", async () => {
    const { page } = tab;
    await page.getByRole("button", { name: "Recompute in this browser" }).click();
    await page.getByText("All 3 checks passed.").waitFor();
    await page.route("**/receipt", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${await response.text()} ` });
    });
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("Refused: Survival hash. Do not rely on it.").waitFor();
    await page.unrouteAll();
  });

  it("takes signed challenges and shows each on the timeline, up to the one that proves it false", async () => {
    const { page, errors } = tab;
    const before = errors.length;
    await chooseWallet(page, "bob");
    await challenge(page, upgraded - 1, service.contract("uupsBoxV1"));
    await page.getByRole("status").getByText("The chain agrees with the claim.").waitFor();
    await challenge(page, upgraded, service.contract("uupsBoxV2"));
    await page.getByText("Proven false").first().waitFor();
    const timeline = page.locator(".timeline");
    expect(await timeline.getByText("Challenged").count()).toBe(2);
    expect(await timeline.innerText()).toContain("A valid counterexample: the claim is false.");
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("All 3 checks passed.").waitFor();
    expect(await listBarriers(page)).toEqual([]);
    // It is listed among the decided ones now.
    await goTo(page, "/claims");
    const decided = page.locator("section", { has: page.getByRole("heading", { name: "Decided" }) });
    await decided.getByText("Proven false").first().waitFor();
    await decided
      .getByRole("link", { name: /^Nobody replaced the code behind 0x/ })
      .first()
      .waitFor();
    expect(await listBarriers(page)).toEqual([]);
    expect(errors.slice(before)).toEqual([]);
  });

  it("lists the service's obligations, each with a way to buy its verdict and to challenge it", async () => {
    const { page } = tab;
    await chooseWallet(page, "heidi");
    await goTo(page, "/obligations");
    const link = page.getByRole("link", { name: "Ask whether it holds" }).first();
    await link.waitFor();
    expect(await link.getAttribute("href")).toMatch(
      /^\/capabilities\/obligation\.verdict\?obligationId=0x[0-9a-f]{64}$/,
    );
    expect(await page.locator("main").innerText()).toContain("decision grade");

    // It takes a challenge about code that the visitor's own node returned.
    await page.getByRole("link", { name: "This is the code of 0x4200…0006" }).click();
    await page.getByLabel(/^What eth_getCode returned/).fill("0x6");
    await page.getByRole("button", { name: "Sign and challenge" }).click();
    await page.getByRole("alert").getByText("whole hex bytes").waitFor();
    await page.getByLabel(/^What eth_getCode returned/).fill("0x6000");
    await page.getByRole("button", { name: "Sign and challenge" }).click();
    await page.getByRole("status").getByText("The chain does not agree with the challenge.").waitFor();
    await page.locator(".timeline").getByText("States that the code is").waitFor();

    // A publication of such code is burned where the chain contradicts it.
    await goTo(page, "/bounties");
    await page.getByLabel("Contract", { exact: true }).fill(service.contract("v4SkimmingHook"));
    await page.getByLabel(/^What eth_getCode returned/).fill("0x6000");
    await page.getByRole("button", { name: "Sign and publish" }).click();
    await page.getByText("The chain contradicts this publication").waitFor();
  });

  it("publishes to a bounty from code that the visitor's own node returned", async () => {
    const wanted = service.contract("v4FeeHook");
    const bob = createClient({ baseUrl: service.url, account: service.wallet("bob") });
    const { page, errors } = tab;
    const before = errors.length;
    await chooseWallet(page, "grace");
    await goTo(page, "/bounties");
    // Attested publishers see a bounty at once, others a minute later.
    await publish(page, service.contract("v4OneWayHook"));
    await page.getByText("Published: the slot is yours").waitFor();
    await bob.quote("contract.guard", { address: wanted });
    const grace = createClient({ baseUrl: service.url, account: service.wallet("grace") });
    await expect
      .poll(async () => JSON.stringify(await grace.bounties({ limit: 50, passport: true })))
      .toContain(wanted.toLowerCase());
    await page.reload();
    await page.getByRole("button", { name: "Sign to see new bounties now" }).click();
    await page.getByText("Your wallet is an attested publisher").waitFor();
    const bounty = page.getByRole("listitem").filter({ hasText: wanted.toLowerCase() });
    expect(await bounty.count()).toBe(1);
    await bounty.getByRole("button", { name: "Publish its fingerprint" }).click();
    expect(await page.getByLabel("Contract", { exact: true }).inputValue()).toBe(wanted.toLowerCase());
    await publish(page, wanted);
    await page.getByRole("link", { name: "your public record" }).click();
    await page.getByText("Attested publisher").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(2);
    expect(await listBarriers(page)).toEqual([]);
    expect(errors.slice(before)).toEqual([]);
  });

  /** Pastes the node's whole response, as curl prints it. */
  async function publish(page: Page, address: string): Promise<void> {
    await page.getByLabel("Contract", { exact: true }).fill(address);
    const block = Number(await page.getByLabel("Read at block").inputValue());
    const chain = createPublicClient({ transport: http(service.rpcUrl) });
    const code = await chain.getCode({ address: address as `0x${string}`, blockNumber: BigInt(block) });
    if (!code) throw new Error(`${address} has no code`);
    const response = JSON.stringify({ jsonrpc: "2.0", id: 1, result: code });
    await page.getByLabel(/^What eth_getCode returned/).fill(response);
    await page
      .getByText(`${keccak256(code)}`)
      .first()
      .waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Sign and publish" }).click();
    await page.getByText("Published: the slot is yours").waitFor();
  }
});
