import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { capabilities, estimateTokens, MAX_SUMMARY_TOKENS } from "@assay/capabilities";
import { type CapabilityResult, paymentRequiredSchema, type Quote } from "@assay/protocol";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { afterAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, signPayment, toHeader } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { packageFolder } from "../base/packageFolder.js";

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
  test("connects, pings and lists every capability with its input schema", async () => {
    const client = await connect();
    await client.ping();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(capabilities.map(({ id }) => id.replaceAll(".", "_")));
    const guard = tools.find(({ name }) => name === "contract_guard");
    expect(guard?.inputSchema).toMatchObject({ required: ["address"], additionalProperties: false });
    expect(guard?.description).toContain(
      "0.02 USD while an answer is fresh, 0.05 USD while only its fingerprint is, 0.1 USD otherwise",
    );
    const described = (name: string) => tools.find((tool) => tool.name === name);
    expect(described("web_compile")?.description).not.toContain("eip155");
    expect(described("contract_change")?.annotations?.readOnlyHint).toBe(false);
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
    const [{ text } = { text: "" }] = first.content as { text: string }[];
    expect(text.split("\n")[0]).toBe(
      `ALLOW by contract.guard, asked about address ${guardOf().address.toLowerCase()}`,
    );
    expect(text).toContain("\nReasons to allow: CODE_PRESENT");
    expect(text).toContain(`\nReceipt: ${answer.receiptUrl}\n`);
    expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_SUMMARY_TOKENS);
    expect((await paid()).structuredContent).toEqual(first.structuredContent);
    expect(before - (await balanceOf(service, alice.address))).toBe(100_000n);
    const receipt = await (await fetch(answer.receiptUrl)).json();
    expect(receipt).toMatchObject({ state: "settled", capabilityId: "contract.guard" });
  });
});

test("the official client pays by nothing but a fetch that pays", async () => {
  const payer = registerExactEvmScheme(new x402Client(), { signer: accountOf(service, "carol") });
  const url = new URL(`${service.url}/api/mcp`);
  const client = new Client({ name: "test", version: "1.0.0" });
  clients.push(client);
  const paying = wrapFetchWithPayment(fetch, payer);
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: paying }) as never);
  const { structuredContent } = await client.callTool({ name: "chain_snapshot", arguments: {} });
  expect(structuredContent).toMatchObject({ capabilityId: "chain.snapshot", verdict: "allow" });
});

describe("the client of Cloudflare's agents/x402", () => {
  test("finds the challenge beside the result, and pays with what would be in the header", async () => {
    const client = await connect("?x402=mcp");
    const call = { name: "chain_snapshot", arguments: {} };
    const unpaid = await client.callTool(call);
    expect(unpaid._meta?.["x402/error"]).toEqual(unpaid.structuredContent);
    const challenge = paymentRequiredSchema.parse(unpaid._meta?.["x402/error"]);
    const payment = toHeader(await signPayment(accountOf(service, "carol"), challenge));
    const paid = await client.callTool({ ...call, _meta: { "x402/payment": payment } });
    expect(paid.isError).toBeUndefined();
    expect(paid._meta).toMatchObject({ "x402/payment-response": { success: true } });
    expect(paid._meta).not.toHaveProperty("x402/error");
  });

  test.each([
    ["no base64", "{}", "must be standard base64."],
    ["no JSON", Buffer.from("{").toString("base64"), "must be base64 of JSON."],
    ["too long", "A".repeat(20_000), "is over 10924 characters."],
  ])("is answered where its payment is %s", async (_, payment, rule) => {
    const { error } = await answerTo(callOf("chain_snapshot", {}, { "x402/payment": payment }));
    expect(error).toEqual({ code: -32602, message: `_meta["x402/payment"] ${rule}` });
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

  test.each([
    ["chain_snapshot", { a: 1 }, "arguments.a is not a known field."],
    ["contract_guard", { x402: "mcp" }, "arguments.x402 is not a known field."],
    ["contract_guard", { address: null }, "arguments.address must be a string."],
    ["contract_guard", { address: 12 }, "arguments.address must be a string."],
    ["contract_guard", { quote: 12 }, "arguments.quote must be a string."],
    ["lending_collateral_guard", { borrowAmountWei: 5 }, "arguments.borrowAmountWei must be a string."],
    ["amm_v4_hook_guard", { fee: true }, "arguments.fee must be a string or a number."],
    ["transaction_intent_guard", { gas: "0x1" }, "arguments.gas is not a known field."],
    ["transaction_intent_guard", { value: 1000 }, "arguments.value must be a string."],
    ["amm_swap_guard", { data: 5 }, "arguments.data must be a string."],
  ])("refuses arguments that the schema of %s forbids: %j", async (name, input, message) => {
    const { error } = await answerTo(callOf(name, input));
    expect(error).toEqual({ code: -32602, message });
  });

  test("says of a payment in the message what is wrong with it, and where it stood", async () => {
    const challenge = paymentRequiredSchema.parse(await (await post(callOf("chain_snapshot", {}))).json());
    const payment = await signPayment(accountOf(service, "bob"), challenge);
    const refusal = async (inMeta: unknown, headers = {}) => {
      const response = await post(callOf("chain_snapshot", {}, { "x402/payment": inMeta }), "", headers);
      return ((await response.json()) as { error: unknown }).error;
    };
    const unsigned = { ...payment, payload: { ...payment.payload, signature: "0x1" } };
    expect(await refusal(unsigned)).toEqual({
      code: -32602,
      message: '_meta["x402/payment"].payload.signature must be hex bytes.',
    });
    const misnamed = { ...payment, extensions: { "payment-identifier": { info: { id: "short" } } } };
    expect(await refusal(misnamed)).toMatchObject({
      message: expect.stringMatching(
        /^_meta\["x402\/payment"\]\.extensions\.payment-identifier\.info\.id must/,
      ),
    });
    const other = await signPayment(accountOf(service, "alice"), challenge);
    expect(await refusal(payment, { "payment-signature": toHeader(other) })).toEqual({
      code: -32602,
      message: 'The PAYMENT-SIGNATURE header and _meta["x402/payment"] must not be different payments.',
    });
    const both = await post(callOf("chain_snapshot", {}, { "x402/payment": payment }), "", {
      "payment-signature": toHeader(payment),
    });
    expect(both.headers.get("payment-response")).not.toBeNull();
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
    [
      "a cursor that was never given out",
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor: "x" } },
      200,
      -32602,
    ],
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

  test("a null id is an id", async () => {
    const pinged = await post({ jsonrpc: "2.0", id: null, method: "ping" });
    expect([pinged.status, await pinged.json()]).toEqual([200, { jsonrpc: "2.0", id: null, result: {} }]);
    const paid = await post({ ...callOf("chain_snapshot", {}), id: null });
    expect(paid.status).toBe(402);
    const unknown = await post({ jsonrpc: "2.0", id: null, method: "resources/list" });
    expect(await unknown.json()).toMatchObject({ id: null, error: { code: -32601 } });
  });

  test("what nests too deep to be written again is refused with the rule", async () => {
    const deep = `${"[".repeat(40_000)}${"]".repeat(40_000)}`;
    const call = (params: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`;
    for (const params of [
      `{"name":"chain_snapshot","arguments":{},"_meta":{"x402/payment":{"a":${deep}}}}`,
      `{"name":"transaction_intent_guard","arguments":{"from":${deep}}}`,
    ])
      expect(await answerTo(call(params))).toEqual({
        jsonrpc: "2.0",
        id: 7,
        error: { code: -32602, message: "params must be nested at most 64 levels deep." },
      });
    // Brackets in text are text.
    const text = await post(call(`{"name":"contract_guard","arguments":{"address":"${"[".repeat(99)}"}}`));
    expect(await text.json()).toMatchObject({ result: { structuredContent: { code: "invalid_input" } } });
  });

  test("says its name, its version and how to be paid inside results", async () => {
    const client = await connect();
    const packageText = readFileSync(new URL("package.json", packageFolder), "utf8");
    expect(client.getServerVersion()?.version).toBe(JSON.parse(packageText).version);
    expect(client.getInstructions()).toContain("?x402=mcp");
    const refused = client.callTool({ name: "no_such_tool" });
    // The client puts the code before the words, once.
    await expect(refused).rejects.toThrow(/^MCP error -32602: There is no tool/);
  });

  test("notifications are accepted with 202 and ping needs no handshake", async () => {
    const notified = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([notified.status, await notified.text()]).toEqual([202, ""]);
    const deep = `${"[".repeat(70)}${"]".repeat(70)}`;
    for (const wrong of [
      '{"jsonrpc":"2.0","method":"tools/call","params":{}}',
      `{"jsonrpc":"2.0","method":"tools/call","params":{"name":${deep}}}`,
    ]) {
      const answer = await post(wrong);
      expect([answer.status, await answer.text()]).toEqual([202, ""]);
    }
    const pinged = await post({ jsonrpc: "2.0", id: "a", method: "ping" });
    expect(await pinged.json()).toEqual({ jsonrpc: "2.0", id: "a", result: {} });
  });

  test("a page whose name was bound to this machine is refused, a page of another origin is not", async () => {
    const { hostname, port } = new URL(service.url);
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const ask = (headers: Record<string, string>) =>
      new Promise<{ status: number | undefined; text: string }>((done, fail) => {
        const asked = httpRequest(
          {
            hostname,
            port,
            path: "/api/mcp",
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
          },
          async (response) =>
            done({ status: response.statusCode, text: (await response.toArray()).join("") }),
        );
        asked.on("error", fail).end(ping);
      });
    const rebound = await ask({ host: "evil.example", origin: "http://evil.example" });
    expect([rebound.status, JSON.parse(rebound.text)]).toMatchObject([403, { code: "foreign_host" }]);
    const foreign = await ask({ host: `${hostname}:${port}`, origin: "https://app.example" });
    expect(foreign.status).toBe(200);
  });

  test("GET opens no stream and an oversized body is refused", async () => {
    const got = await fetch(`${service.url}/api/mcp`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await post(" ".repeat(301 * 1024))).status).toBe(413);
  });
});
