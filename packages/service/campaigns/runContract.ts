import fc from "fast-check";
import { type AnswerCheck, createAnswerCheck } from "../src/http/openapi/testing/createAnswerCheck.js";
import { type Document, listPlaced, type Placed } from "../src/http/openapi/testing/readDocument.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { Tally } from "./commandLine.js";
import { type ContractRequest, type KnownValues, requestsOf } from "./contractRequests.js";

export interface ContractOptions extends CampaignOptions {
  /** Requests to each route. */
  readonly runs: number;
  /** The service that is asked. */
  readonly url: string;
  /** What a caller of this service may know. */
  readonly known: KnownValues;
  /** The document that answers are compared with; the service's own by default. */
  readonly document?: Document;
}

export interface ContractSummary extends CampaignSummary {
  readonly requests: number;
  /** Answers by route and status. */
  readonly seen: Tally;
  readonly ms: number;
}

/** After this many faults of one route, more add nothing new. */
const MAX_FAULTS = 3;

/** Asks every route with requests made from the document, and compares every answer with it. */
export async function runContract(options: ContractOptions): Promise<ContractSummary> {
  const startedAt = performance.now();
  const { seed, runs, url, known } = options;
  const document = options.document ?? ((await (await fetch(`${url}/openapi.json`)).json()) as Document);
  const check = createAnswerCheck(document);
  const seen = new Tally();
  const violations: string[] = [];
  let requests = 0;
  for (const placed of listPlaced(document)) {
    const found = new Set<string>();
    const asked = fc.sample(requestsOf(document, placed, known), { numRuns: runs, seed });
    for (const request of asked) {
      requests += 1;
      for (const fault of await ask(url, placed, request, check, seen)) found.add(fault);
      if (found.size >= MAX_FAULTS) break;
    }
    violations.push(...found);
    options.onProgress?.(`contract: ${placed.route}, ${asked.length} requests, ${found.size} faults`);
  }
  const ms = Math.round(performance.now() - startedAt);
  return { campaign: "contract", seed, requests, seen, violations, ms };
}

async function ask(
  url: string,
  { route, method }: Placed,
  { target, headers, body }: ContractRequest,
  check: AnswerCheck,
  seen: Tally,
): Promise<string[]> {
  const response = await fetch(`${url}${target}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  seen.add(`${route} ${response.status}`);
  const answer = { status: response.status, headers: response.headers, text };
  const faults =
    response.status >= 500 ? [`${route} failed with ${response.status}: ${text}`] : check(route, answer);
  return faults.map((fault) => `${fault} <- ${JSON.stringify({ target, headers, body }).slice(0, 600)}`);
}
