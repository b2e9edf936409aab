import { capabilities } from "@assay/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "./testing/findChromium.js";
import { type ForeignPage, openForeignPage } from "./testing/openForeignPage.js";
import { service } from "./testing/service.js";

// What others build into their own pages: the official clients as they are published, and nothing of ours.
const SCRIPT = `
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { privateKeyToAccount } from "viem/accounts";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const payer = (key) => new x402Client().register("eip155:8453", new ExactEvmScheme(privateKeyToAccount(key)));

window.buy = async (service, key) => {
  const pay = wrapFetchWithPayment(window.fetch.bind(window), payer(key));
  const response = await pay(service + "/api/v1/capabilities/chain.snapshot/invoke");
  const settlement = response.headers.get("payment-response");
  return { status: response.status, settled: JSON.parse(atob(settlement)).success, ...(await response.json()) };
};

window.buyByTool = async (service, key) => {
  const client = new Client({ name: "page", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(service + "/api/mcp?x402=mcp")));
  const { tools } = await client.listTools();
  const call = { name: "chain_snapshot", arguments: {} };
  const { structuredContent: challenge } = await client.callTool(call);
  const payment = await payer(key).createPaymentPayload(challenge);
  const paid = await client.callTool({ ...call, _meta: { "x402/payment": payment } });
  await client.close();
  return { tools: tools.length, settled: paid._meta["x402/payment-response"].success, ...paid.structuredContent };
};

window.askAgain = async (service) => {
  const first = await fetch(service + "/openapi.json", { cache: "no-store" });
  const etag = first.headers.get("etag");
  const again = await fetch(service + "/openapi.json", { cache: "no-store", headers: { "if-none-match": etag } });
  return [first.status, again.status];
};
`;

let foreign: ForeignPage;

/** Calls a function of the page with the service's address and a local wallet's key. */
async function run(name: string): Promise<unknown> {
  const { url } = service;
  const { accounts } = (await (await fetch(`${url}/devnet.json`)).json()) as {
    accounts: { name: string; privateKey: string }[];
  };
  const key = accounts.find((account) => account.name === "alice")?.privateKey ?? "";
  return foreign.page.evaluate(
    ([called, service, secret]) =>
      (globalThis as unknown as Record<string, (...given: string[]) => Promise<unknown>>)[called]?.(
        service,
        secret,
      ),
    [name, url, key] as const,
  );
}

describe.runIf(findChromium())("a page of another origin", () => {
  beforeAll(async () => {
    foreign = await openForeignPage(SCRIPT);
  });
  afterAll(() => foreign?.close());

  test("pays with the official x402 client and reads the settlement", async () => {
    expect(await run("buy")).toMatchObject({ status: 200, settled: true, capabilityId: "chain.snapshot" });
  });

  test("pays for a tool with the official client of the Model Context Protocol", async () => {
    const answer = await run("buyByTool");
    expect(answer).toMatchObject({
      tools: capabilities.length,
      settled: true,
      capabilityId: "chain.snapshot",
    });
  });

  test("asks for a document only if it has changed", async () => {
    expect(await run("askAgain")).toEqual([200, 304]);
  });
});
