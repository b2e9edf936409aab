import { beforeAll, expect, test } from "vitest";
import { createAnswerCheck } from "../src/http/openapi/testing/createAnswerCheck.js";
import type { Document } from "../src/http/openapi/testing/readDocument.js";
import { useTestService } from "../test/useTestService.js";
import { learnKnownValues } from "./contractWorld.js";
import { type ContractOptions, runContract } from "./runContract.js";

const service = useTestService({ RATE_LIMITS: "off" });
let options: ContractOptions;
beforeAll(async () => {
  options = { seed: 8453, runs: 10, url: service.url, known: await learnKnownValues(service) };
});

test("whatever is sent, every route answers with a status and a shape that the document names, and none fails", async () => {
  const { violations, seen, requests } = await runContract(options);
  expect(violations).toEqual([]);
  expect(requests).toBeGreaterThan(400);
  // The requests were right often enough to reach what lies behind the checks.
  for (const reached of [
    "GET /api/v1/quotes 200",
    "GET /api/v1/quotes 400",
    "GET /api/v1/evidence/{artifactId} 200",
    "GET /api/v1/capabilities/contract.guard/invoke 402",
    "POST /api/v1/capabilities/transaction.intent.guard/invoke 402",
    "POST /api/v1/outcomes 401",
    "POST /api/mcp 200",
  ])
    expect([reached, seen.of(reached)]).not.toEqual([reached, 0]);
}, 180_000);

test("a second payment under one identifier is refused as the document says", async () => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  const route = "/api/v1/capabilities/contract.guard/invoke";
  const [, sameName] = options.known["PAYMENT-SIGNATURE"] ?? [];
  const response = await fetch(`${service.url}${route}?address=${options.known.address?.[1]}`, {
    headers: { "payment-signature": String(sameName) },
  });
  expect(response.status).toBe(409);
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  expect(createAnswerCheck(document)(`GET ${route}`, answer)).toEqual([]);
});

test("an answer that the document does not name is found", async () => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  const quotes = document.paths["/api/v1/quotes"];
  const responses = quotes?.get?.responses as Record<string, unknown>;
  delete responses["400"];
  const altered = { ...document, paths: { "/api/v1/quotes": quotes ?? {} } };
  const { violations } = await runContract({ ...options, document: altered });
  expect(violations[0]).toMatch(/^GET \/api\/v1\/quotes answers 400, which is not documented/);
});
