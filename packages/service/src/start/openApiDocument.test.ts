import {
  attachProbePayload,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  getL3ForOpenAPI,
  getOpenAPI,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
} from "@agentcash/discovery";
import { capabilities } from "@assay/capabilities";
import {
  agentRegistrationSchema,
  type Catalog,
  catalogSchema,
  serviceDescriptionSchema,
  x402ManifestSchema,
} from "@assay/protocol";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchChallenge } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { checkAgreement, type Described } from "../http/openapi/testing/checkAgreement.js";
import { type Document, listPlaced } from "../http/openapi/testing/readDocument.js";
import { createPriceBook } from "../quotes/priceBook.js";
import { createApp } from "./app.js";

const MCP = "/api/mcp";
const service = useTestService({ RATE_LIMITS: "off" });
let text: string;
let document: Document;
let catalog: Catalog;
beforeAll(async () => {
  text = await (await fetch(`${service.url}/openapi.json`)).text();
  document = JSON.parse(text);
  catalog = catalogSchema.parse(await (await fetch(`${service.url}/api/v1/capabilities`)).json());
});

const described = (): Described => ({
  document: structuredClone(document),
  catalog: structuredClone(catalog),
  routes: createApp(service.context).routes,
  callable: capabilities.map(({ id }) => id),
});

describe("the document", () => {
  test("is valid OpenAPI 3.1, small enough to be read, and names this server", async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
    expect(JSON.parse(text).openapi).toBe("3.1.0");
    expect(Buffer.byteLength(text)).toBeLessThan(200_000);
    expect(document.info["x-guidance"].length).toBeLessThan(4_000);
    expect(document.servers).toEqual([{ url: service.url }]);
    const ids = listPlaced(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z0-9]+$/);
  });

  test("agrees with the catalog, the routes and the contract", () => {
    expect(checkAgreement(described())).toEqual([]);
  });

  test("carries an operator's prices", async () => {
    const prices = createPriceBook({ "contract.guard": { cacheMissUsd: 0.2 } });
    const app = createApp({ ...service.context, prices });
    const { paths } = (await (await app.request("/openapi.json")).json()) as Document;
    expect(paths["/api/v1/capabilities/contract.guard/invoke"]?.get?.["x-payment-info"]?.price).toEqual({
      mode: "dynamic",
      currency: "USD",
      min: "0.02",
      max: "0.2",
    });
  });

  test.each([
    "/openapi.json",
    "/llms.txt",
    "/.well-known/x402",
    "/.well-known/agent-registration.json",
    "/.well-known/assay.json",
  ])("%s is sent once to a caller that keeps it", async (path) => {
    const first = await fetch(`${service.url}${path}`);
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, first.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const strong = etag.replace(/^W\//, "");
    for (const tags of [`"x", ${etag}`, strong, "*"]) {
      const again = await fetch(`${service.url}${path}`, { headers: { "if-none-match": tags } });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    const text = await first.text();
    for (const coding of ["br", "gzip"]) {
      const coded = await fetch(`${service.url}${path}`, { headers: { "accept-encoding": coding } });
      expect([coded.headers.get("content-encoding"), coded.headers.get("etag")]).toEqual([coding, etag]);
      expect(await coded.text()).toBe(text);
    }
    const plain = await fetch(`${service.url}${path}`, { headers: { "accept-encoding": "br;q=0" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const other = await fetch(`${service.url}${path}`, { headers: { "if-none-match": '"x"' } });
    expect(other.status).toBe(200);
  });
});

describe("the check fails", () => {
  type Change = (described: { -readonly [Key in keyof Described]: Described[Key] }) => void;
  type Parameters = { parameters: { name?: string; $ref?: string }[] };
  const paths = (one: Described) => one.document.paths as Record<string, Record<string, never>>;
  const responses = (one: Described, path: string, method: string) =>
    one.document.paths[path]?.[method]?.responses as Record<string, unknown>;
  const cases: [string, Change, string][] = [
    [
      "on a route that left the document",
      (one) => delete paths(one)["/api/v1/bounties"],
      "GET /api/v1/bounties is served and not documented",
    ],
    [
      "on a route that is no longer served",
      (one) => {
        one.routes = one.routes.filter(({ path }) => path !== "/api/v1/bounties");
      },
      "GET /api/v1/bounties is documented and not served",
    ],
    [
      "on a capability that can be called and is not documented",
      (one) => delete paths(one)["/api/v1/capabilities/web.compile/invoke"],
      "/api/v1/capabilities/web.compile/invoke can be called and is not documented",
    ],
    [
      "on a capability that the contract lacks",
      (one) => {
        const [first] = one.catalog.capabilities;
        if (first) one.catalog.capabilities.push({ ...first, id: "example.echo" });
      },
      "the catalog has example.echo, which the contract lacks",
    ],
    [
      "on a price that is another in the catalog",
      (one) => {
        (one.catalog.capabilities[0] as { pricing: { cacheMissUsd: number } }).pricing.cacheMissUsd = 0.2;
      },
      "GET /api/v1/capabilities/contract.guard/invoke is said to cost 0.02 to 0.1 and costs 0.02 to 0.2",
    ],
    [
      "on a status that is left out",
      (one) => delete responses(one, "/api/v1/artifacts/publish", "post")["409"],
      "POST /api/v1/artifacts/publish answers 409, which the document leaves out",
    ],
    [
      "on a parameter that is left out",
      (one) => {
        const quote = one.document.paths["/api/v1/quotes"]?.get as unknown as Parameters;
        quote.parameters = quote.parameters.filter(({ $ref }) => $ref !== "#/components/parameters/wallet");
      },
      "GET /api/v1/quotes takes wallet!, which the document leaves out",
    ],
    [
      "on a limit that is another",
      (one) => {
        const note = one.document.components.schemas.OutcomeRequest?.properties?.note;
        (note as unknown as { maxLength: number }).maxLength = 501;
      },
      "POST /api/v1/outcomes: maxLength of note is 501, not 500",
    ],
    [
      "on an alias that is not marked as deprecated",
      (one) => {
        const alias = one.document.paths["/api/v1/capabilities/tx.preflight/invoke"]?.get;
        delete (alias as { deprecated?: boolean }).deprecated;
      },
      "deprecated are ",
    ],
  ];
  test.each(cases)("%s", (_name, change, sentence) => {
    const altered = described();
    change(altered);
    expect(checkAgreement(altered)).toContain(sentence);
  });
});

describe("registries and crawlers", () => {
  test("@agentcash/discovery finds no error, in the document or in what paid routes answer to a probe", async () => {
    const found = await getOpenAPI(service.url).unwrapOr(null);
    if (found === null || isOpenApiParseFailure(found)) throw new Error(JSON.stringify(found));
    const paid = found.routes.filter(({ authMode }) => authMode === "paid");
    expect(paid.map(({ path }) => path)).toHaveLength(capabilities.length + 3);
    const warnings = [
      ...getWarningsForOpenAPI(found),
      ...getWarningsForL2(checkL2ForOpenAPI(found)),
      ...getWarningsForL4(checkL4ForOpenAPI(found)),
    ];
    for (const { path, method } of paid) {
      const l3 = getL3ForOpenAPI(found, path, method);
      if (!l3) throw new Error(`${path} is not found`);
      const advisory = { ...l3, method };
      // What a tool call costs depends on the tool, so an empty message has no price; the document names the range.
      if (path === MCP) {
        warnings.push(...getWarningsForL3(advisory));
        continue;
      }
      await attachProbePayload(`${service.url}${path}`, [advisory]);
      expect([path, advisory.paymentRequiredBody]).toEqual([
        path,
        expect.objectContaining({ x402Version: 2 }),
      ]);
      warnings.push(...getWarningsForL3(advisory));
    }
    // Every route is described, although an agent's first page has room for fewer.
    expect(warnings.filter(({ code }) => code !== "L2_ROUTE_COUNT_HIGH")).toEqual([]);
  });

  test("every route with a price answers a bare request with 402", async () => {
    for (const { method, path, operation } of listPlaced(document)) {
      if (!operation["x-payment-info"] || path === MCP) continue;
      const { accepts } = await fetchChallenge(`${service.url}${path}`, { method });
      const { price } = operation["x-payment-info"];
      expect([path, Number(accepts[0]?.amount) / 1e6]).toEqual([path, Number(price.max ?? price.amount)]);
    }
  });

  test("/.well-known/x402 lists every paid route at its highest price", async () => {
    const manifest = x402ManifestSchema.parse(await (await fetch(`${service.url}/.well-known/x402`)).json());
    const paid = listPlaced(document).filter(
      ({ path, operation }) => operation["x-payment-info"] && !operation.deprecated && path !== MCP,
    );
    expect(manifest.resources.toSorted()).toEqual(paid.map(({ path }) => `${service.url}${path}`).toSorted());
    for (const { resource, method, accepts } of manifest.items) {
      const live = await fetchChallenge(resource, { method });
      expect([resource, accepts[0]?.amount]).toEqual([resource, live.accepts[0]?.amount]);
    }
  });

  test("/.well-known/agent-registration.json has the fields of ERC-8004, and endpoints that answer", async () => {
    const path = "/.well-known/agent-registration.json";
    const file = (await (await fetch(`${service.url}${path}`)).json()) as Record<string, unknown>;
    // The fields of the standard, in its order and no others.
    const fields = "type name description image services x402Support active registrations supportedTrust";
    expect(Object.keys(file)).toEqual(fields.split(" "));
    expect(file).toMatchObject({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      x402Support: true,
      active: true,
      registrations: [],
    });
    const { services, image } = agentRegistrationSchema.parse(file);
    expect(services.map(({ name }) => name)).toEqual(["web", "MCP", "OpenAPI", "x402"]);
    for (const endpoint of [image, ...services.map((one) => one.endpoint)]) {
      expect(endpoint.startsWith(`${service.url}/`)).toBe(true);
      // MCP answers GET with 405, because it offers no stream.
      expect([200, 405], endpoint).toContain((await fetch(endpoint)).status);
    }
    const registered = { agentId: 22, agentRegistry: `eip155:8453:0x${"80".repeat(20)}` };
    const settings = { ...service.context.settings, agentRegistrations: [registered] };
    const answer = await createApp({ ...service.context, settings }).request(path);
    expect(await answer.json()).toMatchObject({ registrations: [registered] });
  });

  test("/llms.txt names every capability that can be called, and links that lead somewhere", async () => {
    const response = await fetch(`${service.url}/llms.txt`);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const markdown = await response.text();
    for (const { id } of capabilities) expect(markdown).toContain(`[${id}](`);
    expect(markdown).toMatch(/\[contract\.guard\].*Input: `address` address\.$/m);
    expect(markdown).toMatch(/\[web\.compile\].*Input: `url` URL, `claim`\? text, `wallet` address\.$/m);
    expect(markdown).toMatch(/\[chain\.snapshot\].*Input: none\.$/m);
    for (const path of ["/api/v1/receipts/", "/api/v1/evidence/", "?x402=mcp", "(POST, 0.25)"])
      expect(markdown).toContain(path);
    expect(markdown.length).toBeLessThan(9_000);
    const links = [...markdown.matchAll(/\]\((http[^)]+)\)/g)].map(([, link]) => String(link));
    for (const link of links) expect([link, (await fetch(link)).status]).not.toEqual([link, 404]);
  });

  test("/.well-known/assay.json leads to all of them", async () => {
    const response = await fetch(`${service.url}/.well-known/assay.json`);
    const { links } = serviceDescriptionSchema.parse(await response.json());
    for (const link of Object.values(links))
      expect([link, (await fetch(link)).status]).not.toEqual([link, 404]);
  });
});
