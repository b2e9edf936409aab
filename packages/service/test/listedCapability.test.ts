import {
  type CapabilityId,
  checkResult,
  createClient,
  loadSentences,
  type Verification,
  verifyResult,
} from "@assay/client";
import { listInputOptions } from "@assay/client/cli/inputOptions";
import { paymentRequiredSchema } from "@assay/protocol";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test, vi } from "vitest";
import { checkInput } from "../../console/src/form/checkInput.js";
import { listInputFields } from "../../console/src/form/listInputFields.js";
import { signPayment } from "./payer.js";
import { useTestService } from "./useTestService.js";

// A capability is one folder and one line of the list. The folder is example.echo; this mock is the line. Nothing else
// knows of it, so whatever these tests find was made from the list.
vi.mock("@assay/capabilities/list", async (importOriginal) => {
  const { list } = await importOriginal<typeof import("@assay/capabilities/list")>();
  const { exampleEcho } = await import("@assay/capabilities/example.echo/capability");
  return { list: [...list, exampleEcho] };
});

const id = "example.echo" as CapabilityId;
const input = { text: "Hello, Base" } as never;
const service = useTestService();

const readText = async (path: string) => (await fetch(`${service.url}${path}`)).text();
const readJson = async (path: string) => JSON.parse(await readText(path));
const clientOf = (name: string) => createClient({ baseUrl: service.url, account: service.account(name) });

test("the catalog sells it after all others", async () => {
  const { capabilities } = await readJson("/api/v1/capabilities");
  expect(capabilities.at(-1)).toMatchObject({
    id,
    version: "1.0.0",
    status: "candidate",
    pricing: { cacheHitUsd: 0.002, cacheMissUsd: 0.005 },
    input: { text: "text to echo, 64 characters at most" },
    endpoints: { invoke: "/api/v1/capabilities/example.echo/invoke" },
  });
});

test("a wallet is quoted a price for it", async () => {
  const quote = await clientOf("alice").quote(id, input);
  expect(quote).toMatchObject({ capabilityId: id, cacheStatus: "miss", priceUsd: 0.005 });
  expect(await service.priceNow(service.invokeUrl(id, input))).toBe(5_000n);
});

test("an unpaid call is answered with a challenge, and bad input with its field and rule", async () => {
  const unpaid = await fetch(service.invokeUrl(id, input));
  expect(unpaid.status).toBe(402);
  const challenge = paymentRequiredSchema.parse(await unpaid.json());
  expect(challenge.resource).toMatchObject({
    url: service.invokeUrl(id, input),
    description: expect.stringContaining("Echoes a short text"),
  });
  const refused = await fetch(service.invokeUrl(id, { text: "x".repeat(65) }));
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { errors: [{ field: "text", rule: "must be at most 64 characters" }] },
  ]);
});

test("the OpenAPI document describes its route", async () => {
  const { paths } = await readJson("/openapi.json");
  const { get } = paths["/api/v1/capabilities/example.echo/invoke"];
  expect(get.operationId).toBe("invokeExampleEcho");
  expect(get.parameters).toContainEqual(
    expect.objectContaining({ name: "text", in: "query", required: true, example: "Hello, Base" }),
  );
  expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(["200", "400", "402", "503"]));
});

test("documents for agents and crawlers name it", async () => {
  const invoke = `${service.url}/api/v1/capabilities/example.echo/invoke`;
  expect(await readText("/llms.txt")).toContain(
    `- [example.echo](${invoke}) (GET, 0.002 to 0.005): Echoes a short text with the number of the block it was read at. Input: \`text\` text.`,
  );
  expect((await readJson("/.well-known/x402")).resources).toContain(invoke);
});

test("it is an MCP tool that can be paid for", async () => {
  const mcp = new Client({ name: "test", version: "1.0.0" });
  const url = new URL(`${service.url}/api/mcp?x402=mcp`);
  await mcp.connect(new StreamableHTTPClientTransport(url) as never);
  const { tools } = await mcp.listTools();
  const tool = tools.find(({ name }) => name === "example_echo");
  expect(tool?.inputSchema).toMatchObject({ required: ["text"], additionalProperties: false });

  const call = { name: "example_echo", arguments: { text: "Grüß dich" } };
  const challenge = paymentRequiredSchema.parse((await mcp.callTool(call)).structuredContent);
  const payment = await signPayment(service.account("bob"), challenge);
  const paid = await mcp.callTool({ ...call, _meta: { "x402/payment": payment } });
  expect(paid.structuredContent).toMatchObject({
    capabilityId: id,
    verdict: "review",
    result: { reasonCodes: ["TEXT_NOT_ECHOABLE"], evidence: { findings: { echo: null } } },
  });
  await mcp.close();
});

test("its paid answer verifies, and a changed one does not", async () => {
  const client = clientOf("alice");
  const { signingAddress: signer } = await client.describe();
  const { answer } = await client.call(id, input);
  const { computedAtBlock, evidence, reasonCodes } = answer.result;
  expect(answer).toMatchObject({ capabilityId: id, verdict: "allow" });
  expect(evidence.findings).toEqual({ echo: "Hello, Base", blockNumber: String(computedAtBlock) });

  const ruleStep = ({ steps }: Verification) => steps.find(({ name }) => name === "rule");
  const verified = await verifyResult(answer, { signer, question: { capabilityId: id, input } });
  expect(ruleStep(verified)).toMatchObject({ checked: true, ok: true });
  const otherReadings = { blockNumber: { status: "value", value: `0x${"1".padStart(64, "0")}` } };
  const forged = {
    ...answer,
    result: { ...answer.result, evidence: { ...evidence, readings: otherReadings } },
  };
  expect(ruleStep(await checkResult(forged, { signer }))).toMatchObject({ checked: true, ok: false });

  const sentenceOf = await loadSentences(answer);
  expect(reasonCodes.map(sentenceOf)).toEqual(["The text is ASCII and not empty."]);
});

test("an answer that is still fresh is sold at the lower price", async () => {
  const url = service.invokeUrl(id, { text: "Asked twice" });
  await service.buy(url, "carol");
  expect(await service.priceNow(url)).toBe(2_000n);
});

test("the console makes a form of its input", () => {
  expect(listInputFields(id)).toEqual([
    {
      name: "text",
      description: "text to echo, 64 characters at most",
      isRequired: true,
      whenEmpty: undefined,
      maxLength: 64,
      isLong: false,
      isCode: false,
    },
  ]);
  expect(checkInput(id, { text: "x".repeat(65) })).toMatchObject({ ok: false, errors: [{ field: "text" }] });
});

test("the command line has an option for each of its fields", () => {
  expect(listInputOptions(id).map(({ option }) => option.flags)).toEqual(["--text <value>"]);
});

test("the local chain offers its samples", async () => {
  const { listLocalSamples } = await import("@assay/capabilities/samples");
  expect(listLocalSamples(service.chainOf)[id]).toEqual([
    { name: "A greeting", input },
    { name: "A greeting beyond ASCII", input: { text: "Grüß dich" } },
  ]);
});
