import { type Hex, microUsdFromNumber, NETWORK, paymentRequiredSchema, usdFromMicro } from "@assay/protocol";
import { checkLogHead, type SeenHead } from "./checkLogHead.js";
import { type Client, createClient } from "./createClient.js";
import { TIMEOUT_MS } from "./exchange.js";

export interface DeploymentStep {
  readonly name:
    | "reachable"
    | "chain"
    | "database"
    | "x402"
    | "payment"
    | "clocks"
    | "audience"
    | "log"
    | "node";
  readonly ok: boolean;
  readonly detail: string;
}

export interface Deployment {
  readonly ok: boolean;
  readonly steps: readonly DeploymentStep[];
  /** The log's head, to be passed as `seen` the next time; undefined when it must not be trusted. */
  readonly head: SeenHead | undefined;
}

export interface DeploymentOptions {
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** A node of the caller's own; its head is compared with the service's. */
  readonly rpcUrl?: string | undefined;
  readonly seen?: SeenHead | undefined;
  /** The address that the service is known to sign with: it must still, or have named its successor. */
  readonly signer?: Hex | undefined;
}

/** Signed actions are refused beyond five minutes; payments signed by a wrong clock expire early. */
const MAX_CLOCK_SKEW_MS = 30_000;
/** The service stops selling on an older head. */
const MAX_HEAD_AGE_MS = 30_000;
/** How far two honest nodes may be apart; in blocks by the block time that the service measures. */
const MAX_LAG_MS = 10_000;

/** Checks whether a deployment can take calls now. No step costs anything. */
export async function checkDeployment(options: DeploymentOptions): Promise<Deployment> {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const given = options.fetch ?? globalThis.fetch;
  const fetch: typeof given = (input, init) =>
    given(input, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
  const { rpcUrl } = options;
  const client = createClient({ baseUrl, fetch });
  const reached = await attempt("reachable", async () => {
    const { capabilities } = await client.catalog();
    return `${baseUrl} lists ${capabilities.length} capabilities.`;
  });
  if (!reached.ok) return { ok: false, steps: [reached], head: undefined };
  let head: SeenHead | undefined;
  const steps = [
    reached,
    ...(await checkHealth(client)),
    await attempt("payment", () => probeChallenge(fetch, client, baseUrl)),
    await attempt("clocks", () => compareClocks(fetch, baseUrl)),
    await attempt("audience", () => compareAudience(client, baseUrl, options.signer)),
    await attempt("log", async () => {
      const checked = await checkLogHead(client, options.seen, { signer: options.signer });
      head = checked.head;
      if (!checked.ok) throw new Error(checked.detail);
      return checked.detail;
    }),
    ...(rpcUrl === undefined ? [] : [await attempt("node", () => compareNode(fetch, client, rpcUrl))]),
  ];
  return { ok: steps.every(({ ok }) => ok), steps, head };
}

async function attempt(name: DeploymentStep["name"], check: () => Promise<string>): Promise<DeploymentStep> {
  try {
    return { name, ok: true, detail: await check() };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

async function checkHealth(client: Client): Promise<DeploymentStep[]> {
  const names = { chain: "chain", persistence: "database", x402: "x402" } as const;
  try {
    const { dependencies, headBlock, headAgeMs, blockTimeMs } = await client.health();
    return dependencies.map(({ name, ok, detail }) => {
      if (name !== "chain" || !ok) return { name: names[name], ok, detail };
      const isOld = headAgeMs === null || headAgeMs > MAX_HEAD_AGE_MS;
      const pace = blockTimeMs === null ? "" : `, a block every ${Math.round(blockTimeMs)} ms`;
      // After the head the service says what its nodes cannot do.
      const limits = detail.replace(/^block \d+(; )?/, "");
      return {
        name: "chain",
        ok: !isOld,
        detail: `Head ${headBlock}, ${headAgeMs} ms old${pace}${isOld ? ": too old to judge by" : ""}.${limits && ` Its nodes lack: ${limits}.`}`,
      };
    });
  } catch (error) {
    return [{ name: "chain", ok: false, detail: error instanceof Error ? error.message : String(error) }];
  }
}

/** An unpaid call must be answered 402, with the same challenge in header and body, within the catalog's prices. */
async function probeChallenge(
  fetch: typeof globalThis.fetch,
  client: Client,
  baseUrl: string,
): Promise<string> {
  const [probed] = (await client.catalog()).capabilities;
  if (!probed) throw new Error("The catalog lists nothing.");
  const { id, pricing } = probed;
  // Without a question, which is asked for when the payment is sent.
  const response = await fetch(`${baseUrl}/api/v1/capabilities/${id}/invoke`, { redirect: "manual" });
  if (response.status !== 402) throw new Error(`An unpaid call is answered ${response.status}, not 402.`);
  const text = await response.text();
  const header = response.headers.get("payment-required");
  if (header === null || atob(header) !== text)
    throw new Error("PAYMENT-REQUIRED and the body of a 402 differ; is a proxy changing one of them?");
  const body = paymentRequiredSchema.parse(JSON.parse(text));
  const [accepted] = body.accepts;
  if (!accepted) throw new Error("A 402 names nothing to pay with.");
  if (!body.resource.url.startsWith(baseUrl))
    throw new Error(`Payments are asked for ${body.resource.url}: set PUBLIC_URL to ${baseUrl}.`);
  const { cacheHitUsd, cacheMissUsd } = pricing;
  const askedMicroUsd = BigInt(accepted.amount);
  if (askedMicroUsd < microUsdFromNumber(cacheHitUsd) || askedMicroUsd > microUsdFromNumber(cacheMissUsd))
    throw new Error(
      `A 402 asks for ${usdFromMicro(askedMicroUsd)} USD; the catalog has ${id} for ${cacheHitUsd} to ${cacheMissUsd} USD.`,
    );
  return `An unpaid call is answered 402: ${usdFromMicro(askedMicroUsd)} USD in ${accepted.asset} to ${accepted.payTo}.`;
}

async function compareClocks(fetch: typeof globalThis.fetch, baseUrl: string): Promise<string> {
  const askedAtMs = Date.now();
  const response = await fetch(`${baseUrl}/api/v1/health`, { redirect: "manual" });
  const answeredAtMs = Date.now();
  await response.arrayBuffer();
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(date)) return "The service does not state its time.";
  // The Date header has whole seconds.
  const skewMs = Math.round(date + 500 - (askedAtMs + answeredAtMs) / 2);
  if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS)
    throw new Error(
      `This machine and the service are ${Math.round(skewMs / 1000)} s apart; set the wrong clock.`,
    );
  return `This machine and the service agree within ${Math.max(1, Math.round(Math.abs(skewMs) / 1000))} s.`;
}

async function compareAudience(client: Client, baseUrl: string, pinned: Hex | undefined): Promise<string> {
  const { audience, signingAddress, network } = await client.describe();
  if (network !== NETWORK) throw new Error(`The service is about ${network}.`);
  if (audience !== new URL(baseUrl).origin)
    throw new Error(`Actions must be signed for ${audience}, and the service was reached as ${baseUrl}.`);
  const trusted = pinned === undefined ? signingAddress : await client.followSigner(pinned, signingAddress);
  if (trusted.toLowerCase() !== signingAddress.toLowerCase())
    throw new Error(
      `Results are signed by ${signingAddress}, and no statement leads there from ${pinned}, the key that you keep.`,
    );
  const isSuccessor = pinned !== undefined && pinned.toLowerCase() !== signingAddress.toLowerCase();
  if (isSuccessor)
    return `Results are signed by ${signingAddress}, which ${pinned} has named as its successor: keep the new key; actions are signed for ${audience}.`;
  return `Results are signed by ${signingAddress}; actions are signed for ${audience}.`;
}

async function compareNode(fetch: typeof globalThis.fetch, client: Client, rpcUrl: string): Promise<string> {
  const ask = async (method: string) => {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }),
    });
    const { result } = (await response.json()) as { result?: string };
    if (typeof result !== "string") throw new Error(`Your node does not answer ${method}.`);
    return Number(result);
  };
  const [chainId, own, { headBlock, blockTimeMs }] = await Promise.all([
    ask("eth_chainId"),
    ask("eth_blockNumber"),
    client.health(),
  ]);
  if (`eip155:${chainId}` !== NETWORK) throw new Error(`Your node is on chain ${chainId}.`);
  if (headBlock === null || blockTimeMs === null)
    throw new Error("The service knows no head to compare with.");
  const blocks = Math.abs(own - headBlock);
  const apart = `${blocks} block${blocks === 1 ? "" : "s"} apart, which take ${((blocks * blockTimeMs) / 1_000).toFixed(1)} s`;
  if (blocks * blockTimeMs > MAX_LAG_MS)
    throw new Error(`The service is at block ${headBlock}, your node at ${own}: ${apart}.`);
  return `Your node is at block ${own}, the service at ${headBlock}: ${apart}.`;
}
