import { type CapabilityId, capabilities, findCapability } from "@assay/capabilities";
import {
  type CapabilityResult,
  type ClaimOpened,
  challengeResource,
  type Hex,
  type PaymentRequired,
  type SignInOffer,
  type WalletSession,
} from "@assay/protocol";
import { keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { describeTrueClaim } from "../src/claims/testing/paidClaims.js";
import { challengePath } from "../src/claims/testing/sendChallenge.js";
import { recordUpgradeHistories } from "../src/claims/testing/upgradeHistory.js";
import { nameOperation } from "../src/http/openapi/nameOperation.js";
import type { RecordedExamples } from "../src/http/openapi/recordedExamples.js";
import { createRecorder, type Recorder } from "./examples/createRecorder.js";
import { listLocalInputs } from "./examples/listLocalInputs.js";
import { accountOf, asPost, signPayment, toHeader } from "./payer.js";
import { type ActionToSign, signAction } from "./signAction.js";
import type { TestService } from "./startTestService.js";

interface World {
  readonly service: Pick<TestService, "chainOf" | "context" | "url">;
  readonly recorder: Recorder;
  readonly payer: PrivateKeyAccount;
}

/** Makes every call of the document on a real service, free, paid and signed, and returns what it answered. */
export async function recordExamples(
  service: World["service"],
  /** Where the service listens; its public URL may be another. */
  origin: string,
): Promise<RecordedExamples> {
  const world = { service, recorder: createRecorder(origin), payer: accountOf(service, "alice") };
  await service.chainOf.mine(4);
  const answers = await recordCapabilities(world);
  await recordQuotes(world);
  await recordEvidence(world, answers);
  await recordWallet(world);
  await recordClaims(world);
  await recordMarket(world, answers);
  await recordMcp(world);
  await recordDocuments(world);
  return world.recorder.examples();
}

/** Asks without a payment, and again with it. */
async function recordPaid(
  { recorder, payer }: World,
  operationId: string,
  path: string,
  init: RequestInit = {},
  status = 200,
): Promise<unknown> {
  const challenge = await recorder.record(operationId, 402, path, init);
  const payment = toHeader(await signPayment(payer, challenge as PaymentRequired));
  const headers = { ...init.headers, "payment-signature": payment };
  return recorder.record(operationId, status, path, { ...init, headers });
}

/** Sends a signed action once for each status: the first creates a record, later ones find it. */
async function recordSigned(
  { service, recorder, payer }: World,
  operationId: string,
  path: string,
  body: object,
  action: ActionToSign,
  statuses: readonly number[],
): Promise<void> {
  for (const status of statuses) {
    const headers = await signAction(service.url, payer, action);
    const init = asPost({ wallet: payer.address, ...body });
    await recorder.record(operationId, status, path, { ...init, headers: { ...init.headers, ...headers } });
  }
}

async function recordCapabilities(world: World): Promise<Map<string, CapabilityResult>> {
  const inputs = await listLocalInputs(world.service);
  const answers = new Map<string, CapabilityResult>();
  const artifacts = new Map<string, string>();
  const inputOf = (id: CapabilityId) => {
    const found = inputs[id];
    return typeof found === "function" ? found(artifacts) : found;
  };
  for (const { id, method } of capabilities) {
    const answer = (await recordInvoke(world, id, method, inputOf(id))) as CapabilityResult;
    answers.set(id, answer);
    artifacts.set(id, answer.evidenceReference.artifactId);
  }
  for (const { id, deprecatedName } of capabilities)
    if (deprecatedName) await recordInvoke(world, deprecatedName.name, deprecatedName.method, inputOf(id));
  return answers;
}

function recordInvoke(world: World, name: string, method: "GET" | "POST", input: object = {}) {
  const path = `/api/v1/capabilities/${name}/invoke`;
  if (method === "POST") return recordPaid(world, nameOperation("invoke", name), path, asPost(input));
  const query = new URLSearchParams(input as Record<string, string>);
  if (findCapability(name)?.asksForWallet) query.set("wallet", world.payer.address);
  return recordPaid(world, nameOperation("invoke", name), `${path}?${query}`);
}

async function recordQuotes({ service, recorder, payer }: World): Promise<void> {
  const { contracts, pages } = service.chainOf;
  const quote = (path: string, query: Record<string, string>) =>
    `/api/v1/${path}?${new URLSearchParams({ ...query, wallet: payer.address })}`;
  const asked = { capability: "contract.guard", address: contracts.erc1155 };
  await recorder.record("getQuote", 200, quote("quotes", asked));
  const page = quote("capabilities/web.compile/quote", { url: String(pages[0]) });
  await recorder.record("getWebCompileQuote", 200, page);
}

async function recordEvidence(
  { recorder }: World,
  answers: ReadonlyMap<string, CapabilityResult>,
): Promise<void> {
  const { invocationId, evidenceReference } = answers.get("contract.guard") as CapabilityResult;
  await recorder.record("getReceipt", 200, `/api/v1/receipts/${invocationId}`);
  await recorder.record("getEvidence", 200, `/api/v1/evidence/${evidenceReference.artifactId}`);
  await recorder.record("getLogCheckpoint", 200, "/api/v1/log/checkpoint");
  await recorder.record("getLogProof", 200, "/api/v1/log/proof/1");
  await recorder.record("getLogConsistency", 200, "/api/v1/log/consistency?first=3&second=7");
}

/** The record of the wallet that paid for all of this. */
async function recordWallet({ recorder, payer }: World): Promise<void> {
  const path = `/api/v1/sign-in?wallet=${payer.address}`;
  const { message } = (await recorder.record("offerSignIn", 200, path)) as SignInOffer;
  const signature = await payer.signMessage({ message });
  const session = await recorder.record("signIn", 200, "/api/v1/sign-in", asPost({ message, signature }));
  const headers = { authorization: `Bearer ${(session as WalletSession).token}` };
  await recorder.record("getWallet", 200, `/api/v1/wallets/${payer.address}`, { headers });
}

/** A claim that is true at its end and false within, and one challenge on each side. */
async function recordClaims(world: World): Promise<void> {
  const { service, recorder, payer } = world;
  const { proxy, blockAt, implementationOf } = (await recordUpgradeHistories(service.chainOf))["EIP-1967"];
  const request = await describeTrueClaim(service, payer, {
    address: proxy,
    implementation: implementationOf("A"),
    fromBlock: blockAt("A1 first"),
    toBlock: blockAt("A3 first"),
  });
  const opened = (await recordPaid(
    world,
    "openClaim",
    "/api/v1/claims",
    asPost(request),
    201,
  )) as ClaimOpened;
  const challenge = async (status: number, moment: "A1 middle" | "B1 middle", name: "A" | "B") => {
    const evidence = { block: blockAt(moment), implementation: implementationOf(name) };
    const resource = challengeResource(opened.claimId, evidence);
    const action = { action: "claim_challenge", resource } as const;
    await recordSigned(world, "challengeClaim", challengePath(opened.claimId), evidence, action, [status]);
  };
  await challenge(200, "A1 middle", "A");
  await recorder.record("listClaims", 200, "/api/v1/claims?limit=2");
  await challenge(201, "B1 middle", "B");
  await recorder.record("getClaim", 200, `/api/v1/claims/${opened.claimId}`);
  await recorder.record("getClaimReceipt", 200, `/api/v1/claims/${opened.claimId}/receipt`);
}

async function recordMarket(world: World, answers: ReadonlyMap<string, CapabilityResult>): Promise<void> {
  const { service, recorder, payer } = world;
  const { invocationId } = answers.get("obligation.verdict") as CapabilityResult;
  const address = service.chainOf.contracts.erc721 as Hex;
  const code = await service.chainOf.request<Hex>("eth_getCode", [address, "latest"]);
  const { number: computedAtBlock } = await service.context.chain.latestBlock();
  await recordSigned(
    world,
    "publishArtifact",
    "/api/v1/artifacts/publish",
    {
      capabilityId: "contract.guard",
      address,
      bytecodeHash: keccak256(code),
      bytecodeBytes: (code.length - 2) / 2,
      computedAtBlock,
    },
    { action: "artifact_publish", resource: address },
    [201],
  );
  const capability = "amm.pool.state";
  const pledge = { action: "demand_pledge", resource: capability } as const;
  await recordSigned(world, "pledgeDemand", "/api/v1/demand-pledges", { capability }, pledge, [201, 200]);
  const outcome = { action: "capability_outcome", resource: invocationId } as const;
  const report = { invocationId, outcome: "success" };
  await recordSigned(world, "reportOutcome", "/api/v1/outcomes", report, outcome, [201, 200]);
  const decision = { action: "obligation_decision", resource: invocationId } as const;
  const decided = { invocationId, decision: "accepted" };
  const path = "/api/v1/obligations/decisions";
  await recordSigned(world, "recordDecision", path, decided, decision, [201, 200]);
  await service.context.demand.flush();
  // As if two hours had passed, so that what this one caller asked for is listed.
  await service.context.database.query({
    text: "UPDATE demand SET last_miss_at = last_miss_at - interval '2 hours'",
  });
  const passport = { action: "bounty_list", resource: payer.address.toLowerCase() } as const;
  const headers = await signAction(service.url, payer, passport);
  await recorder.record("listBounties", 200, "/api/v1/bounties", { headers });
  await recorder.record("listOpportunities", 200, "/api/v1/opportunities");
  await recorder.record("getPublisher", 200, `/api/v1/publishers/${payer.address}`);
}

async function recordMcp(world: World): Promise<void> {
  const call = (message: object) => asPost({ jsonrpc: "2.0", ...message });
  const params = { name: "chain_snapshot", arguments: {} };
  await recordPaid(world, "callMcp", "/api/mcp", call({ id: 1, method: "tools/call", params }));
  await world.recorder.record("callMcp", 202, "/api/mcp", call({ method: "notifications/initialized" }));
}

async function recordDocuments({ recorder }: World): Promise<void> {
  await recorder.record("listCapabilities", 200, "/api/v1/capabilities");
  await recorder.record("getCapabilityStats", 200, "/api/v1/capabilities/stats");
  await recorder.record("getHealth", 200, "/api/v1/health");
  await recorder.record("getServiceDescription", 200, "/.well-known/assay.json");
  await recorder.record("getX402Manifest", 200, "/.well-known/x402");
  await recorder.record("getAgentRegistration", 200, "/.well-known/agent-registration.json");
  await recorder.record("getOpenApi", 200, "/openapi.json");
  await recorder.record("getLlmsText", 200, "/llms.txt");
  await recorder.record("getMetrics", 200, "/metrics");
  await recorder.record("getLiveness", 200, "/api/v1/live");
}
