import { type CapabilityResult, capabilityCatalog, paymentRequiredSchema, type Quote } from "@assay/protocol";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, describe, expect, test } from "vitest";
import { findCapability } from "../capabilities/registry.js";
import { accountOf, balanceOf, signPayment, toHeader } from "../testing/payer.js";
import { useTestService } from "../testing/useTestService.js";

const service = useTestService();
const clients: Client[] = [];

afterAll(async () => {
  for (const client of clients) await client.close();
});

async function connect(query = "", headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const url = new URL(`${service.url}/api/mcp${query}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never);
  clients.push(client);
  return client;
}

const post = (body: unknown, query = "", headers: Record<string, string> = {}) =>
  fetch(`${service.url}/api/mcp${query}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
interface Answer {
  readonly result: { readonly structuredContent: CapabilityResult };
  readonly error: unknown;
}
const answerTo = async (body: unknown) => (await (await post(body)).json()) as Answer;
const callOf = (name: string, input: unknown, meta?: unknown) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name, arguments: input, ...(meta !== undefined && { _meta: meta }) },
});
const guardOf = () => ({ address: service.chainOf.contracts.plainToken });

describe("the official client", () => {
  test("connects, pings and lists every callable capability with its input schema", async () => {
    const client = await connect();
    await client.ping();
    const { tools } = await client.listTools();
    const callable = capabilityCatalog.filter(({ id }) => findCapability(id));
    expect(tools.map(({ name }) => name)).toEqual(callable.map(({ id }) => id.replaceAll(".", "_")));
    const guard = tools.find(({ name }) => name === "contract_guard");
    expect(guard?.inputSchema).toMatchObject({ required: ["address"], additionalProperties: false });
    expect(guard?.description).toContain("0.02 USD while an answer is fresh, 0.1 USD otherwise");
    expect(tools.find(({ name }) => name === "web_compile")?.inputSchema.required).toEqual(["url", "wallet"]);
    // A schema of the answer would make strict clients refuse the challenge inside a result.
    expect(tools.every(({ outputSchema }) => outputSchema === undefined)).toBe(true);
  });

  test("is refused with HTTP 402 while it has not paid", async () => {
    const client = await connect();
    await expect(client.callTool({ name: "chain_snapshot", arguments: {} })).rejects.toMatchObject({
      code: 402,
    });
  });

  test("pays inside the message after a challenge inside the result, once", async () => {
    const alice = accountOf(service, "alice");
    const client = await connect("?x402=mcp");
    const unpaid = await client.callTool({ name: "contract_guard", arguments: guardOf() });
    expect(unpaid.isError).toBe(true);
    const challenge = paymentRequiredSchema.parse(unpaid.structuredContent);
    expect(JSON.parse((unpaid.content as { text: string }[])[0]?.text ?? "")).toEqual(
      unpaid.structuredContent,
    );
    expect(challenge.resource.url).toBe(
      `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${guardOf().address}`,
    );
    const before = await balanceOf(service, alice.address);
    const payment = await signPayment(alice, challenge);
    const paid = () =>
      client.callTool({
        name: "contract_guard",
        arguments: guardOf(),
        _meta: { "x402/payment": payment },
      });
    const first = await paid();
    const answer = first.structuredContent as unknown as CapabilityResult;
    expect(first.isError).toBeUndefined();
    expect(answer.capabilityId).toBe("contract.guard");
    expect(first._meta?.["x402/payment-response"]).toMatchObject({
      success: true,
      payer: alice.address.toLowerCase(),
    });
    expect((await paid()).structuredContent).toEqual(first.structuredContent);
    expect(before - (await balanceOf(service, alice.address))).toBe(100_000n);
    const receipt = await (await fetch(answer.receiptUrl)).json();
    expect(receipt).toMatchObject({ state: "settled", capabilityId: "contract.guard" });
  });
});

describe("a tool call over plain HTTP", () => {
  test("relays the invoke route's challenge unchanged but for the moment it was made", async () => {
    const relayed = await post(callOf("contract_guard", guardOf()));
    const direct = await fetch(
      `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${guardOf().address}`,
    );
    expect(relayed.status).toBe(402);
    const [left, right] = [
      paymentRequiredSchema.parse(await relayed.json()),
      paymentRequiredSchema.parse(await direct.json()),
    ];
    const withoutTicket = ({ accepts, ...rest }: typeof left) => ({
      ...rest,
      accepts: accepts.map(({ extra: { ticket: _, ...extra }, ...accept }) => ({ ...accept, extra })),
    });
    expect(withoutTicket(left)).toEqual(withoutTicket(right));
    expect(
      JSON.parse(Buffer.from(relayed.headers.get("payment-required") ?? "", "base64").toString()),
    ).toEqual(left);
  });

  test("takes the payment in the header and gives the settlement back in one", async () => {
    const challenge = paymentRequiredSchema.parse(await (await post(callOf("chain_snapshot", {}))).json());
    const payment = toHeader(await signPayment(accountOf(service, "bob"), challenge));
    const response = await post(callOf("chain_snapshot", {}), "", { "payment-signature": payment });
    expect(response.status).toBe(200);
    expect(response.headers.get("payment-response")).not.toBeNull();
    expect(await response.json()).toMatchObject({
      id: 7,
      result: { structuredContent: { capabilityId: "chain.snapshot" } },
    });
  });

  test("posts the body of a private guard and takes a quote from the arguments", async () => {
    const bob = accountOf(service, "bob");
    const transaction = { from: bob.address, to: guardOf().address };
    const query = new URLSearchParams({
      capability: "transaction.intent.guard",
      wallet: bob.address,
      ...transaction,
    });
    const quote = (await (await fetch(`${service.url}/api/v1/quotes?${query}`)).json()) as Quote;
    const input = { ...transaction, quote: quote.quoteId };
    const challenge = paymentRequiredSchema.parse(
      await (await post(callOf("transaction_intent_guard", input))).json(),
    );
    const meta = { "x402/payment": await signPayment(bob, challenge) };
    const paid = await answerTo(callOf("transaction_intent_guard", input, meta));
    expect(paid.result.structuredContent).toMatchObject({
      capabilityId: "transaction.intent.guard",
      evidenceReference: { shareable: false },
    });
    const receipt = await (await fetch(paid.result.structuredContent.receiptUrl)).json();
    expect(receipt).toMatchObject({ quoteId: quote.quoteId });
  });

  test("says which argument breaks which rule, without asking for money", async () => {
    const answer = await answerTo(callOf("contract_guard", { address: "0x12" }));
    expect(answer.result).toMatchObject({
      isError: true,
      structuredContent: {
        status: 400,
        code: "invalid_input",
        errors: [{ field: "address", rule: "must be 0x followed by 40 hex digits" }],
      },
    });
    const nested = await answerTo(callOf("contract_guard", { address: { toString: "x" } }));
    expect(nested.error).toMatchObject({ code: -32602, message: expect.stringContaining("address") });
  });
});

describe("messages that are no tool call", () => {
  test.each([
    ["no JSON", "{", 400, -32700],
    ["a batch", [callOf("chain_snapshot", {})], 400, -32600],
    ["no JSON-RPC", { id: 1, method: "ping" }, 400, -32600],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "resources/list" }, 200, -32601],
    ["an unknown tool", callOf("no_such_tool", {}), 200, -32602],
    ["a payment that is no object", callOf("chain_snapshot", {}, { "x402/payment": "x" }), 200, -32602],
    ["arguments that are no object", callOf("chain_snapshot", []), 200, -32602],
  ])("%s is answered as JSON-RPC says", async (_name, body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  test("an id that is none is not given back", async () => {
    for (const id of [0.5, 1e300, true, {}]) {
      const refused = await post({ jsonrpc: "2.0", id, method: "ping" });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { id: null, error: { code: -32600 } },
      ]);
    }
  });

  test("notifications are accepted with 202 and ping needs no handshake", async () => {
    const notified = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([notified.status, await notified.text()]).toEqual([202, ""]);
    const pinged = await post({ jsonrpc: "2.0", id: "a", method: "ping" });
    expect(await pinged.json()).toEqual({ jsonrpc: "2.0", id: "a", result: {} });
  });

  test("GET opens no stream and an oversized body is refused", async () => {
    const got = await fetch(`${service.url}/api/mcp`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await post(" ".repeat(301 * 1024))).status).toBe(413);
  });
});
