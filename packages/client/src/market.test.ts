import { readFile } from "node:fs/promises";
import { audienceOf, type Hex } from "@assay/protocol";
import { createPublicClient, http, keccak256, recoverTypedDataAddress, size } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeFingerprint } from "./computeFingerprint.js";
import { createClient } from "./createClient.js";
import { ChainNodeError, ForeignAudienceError, NoAccountError, ProblemError } from "./errors.js";
import { signAction } from "./signAction.js";
import { findMissingLine, listConsoleExamples, splitWords } from "./testing/consoleExamples.js";
import { findClosedAddress } from "./testing/findClosedAddress.js";
import { type Run, runAssay } from "./testing/runAssay.js";
import { startOwnService } from "./testing/startOwnService.js";
import type { RunningService } from "./testing/startService.js";

let service: RunningService;
beforeAll(async () => {
  service = await startOwnService({ BOUNTY_DELAY_SECONDS: "0" });
});
afterAll(() => service?.stop());

const clientOf = (name: string) => createClient({ baseUrl: service.url, account: service.wallet(name) });
/** The same service at another origin than its own. */
const aliasOf = (url: string) => url.replace("127.0.0.1", "localhost");
const refusalOf = async (act: Promise<unknown>) => {
  const error = await act.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  return error as ProblemError;
};

// First, while the market is still empty.
describe("docs/market.md", () => {
  it("shows what the commands print", async () => {
    const text = await readFile(new URL("../../../docs/market.md", import.meta.url), "utf8");
    const variables: Record<string, string> = {
      CONTRACT: service.contract("plainToken"),
      WANTED: service.contract("bytes32Token"),
      WALLET: service.wallet("alice").address,
      NODE: service.rpcUrl,
      SERVICE: service.url,
      ALIAS: aliasOf(service.url),
    };
    for (const { command, expected } of listConsoleExamples(text)) {
      const filled = command.replaceAll(/\$([A-Z]+)/g, (_, name: string) => variables[name] ?? `$${name}`);
      const args = [...splitWords(filled), "--data-dir", service.dataDir];
      const shown = await runUntilShown(
        filled.includes("--url") ? args : [...args, "--url", service.url],
        expected,
      );
      const invocation = /receipts\/(inv_\w+)/.exec(shown)?.[1];
      if (invocation) variables.INVOCATION = invocation;
    }
  });
});

describe("a fingerprint", () => {
  it("is computed from a node alone, by its address or by a viem client", async () => {
    const chain = createPublicClient({ transport: http(service.rpcUrl) });
    const address = service.contract("erc721");
    const code = (await chain.getCode({ address })) as Hex;
    const block = Number(await chain.getBlockNumber());
    const expected = {
      address,
      bytecodeHash: keccak256(code),
      bytecodeBytes: size(code),
      computedAtBlock: block,
    };
    expect(await computeFingerprint(service.rpcUrl, address, block)).toEqual(expected);
    expect(await computeFingerprint(chain, address, block)).toEqual(expected);
    const { computedAtBlock } = await computeFingerprint(service.rpcUrl, address);
    expect(computedAtBlock).toBeGreaterThanOrEqual(block);
    const empty = privateKeyToAccount(generatePrivateKey()).address;
    expect(await computeFingerprint(chain, empty)).toMatchObject({ bytecodeHash: null, bytecodeBytes: 0 });
    await expect(computeFingerprint(chain, address, block + 1_000_000)).rejects.toThrow(ChainNodeError);
  });

  it("is of no other chain, and of no node that does not answer", async () => {
    const other = { request: async () => "0x1" };
    await expect(computeFingerprint(other, service.contract("erc721"))).rejects.toThrow("chain 0x1");
    const closed = await findClosedAddress();
    const failure = computeFingerprint(`${closed}/secret-key`, service.contract("erc721"));
    await expect(failure).rejects.toThrow("no connection to the node");
    await expect(failure).rejects.not.toThrow("secret-key");
  });

  it("is published once, and burned when the chain contradicts it", async () => {
    const heidi = clientOf("heidi");
    const address = service.contract("taxedToken");
    const fingerprint = await computeFingerprint(service.rpcUrl, address);
    const burned = await refusalOf(heidi.publish({ ...fingerprint, bytecodeBytes: 1 }));
    expect(burned).toMatchObject({ code: "publication_burned", status: 422 });
    const published = await clientOf("grace").publish(fingerprint);
    expect(published).toMatchObject({ audit: "passed", seeder: { wallet: published.wallet } });
    const late = await refusalOf(heidi.publish(fingerprint));
    expect(late).toMatchObject({ code: "fingerprint_fresh", status: 409 });
    expect(late.message).toContain("the bounties list what nobody has seeded");
    const record = await heidi.publisher(service.wallet("heidi").address);
    expect(record).toMatchObject({ attested: false, publications: { passed: 0, failed: 1 } });
  });
});

describe("a signed action", () => {
  it("has a time and a nonce of its own, and is good for one origin", async () => {
    const account = service.wallet("alice");
    const audience = audienceOf(service.url);
    const act = { action: "demand_pledge", resource: "solana.token.mint.change" } as const;
    const [one, two] = [await signAction(account, audience, act), await signAction(account, audience, act)];
    expect(one["x-agent-nonce"]).not.toBe(two["x-agent-nonce"]);
    const post = (headers: Record<string, string>) =>
      fetch(`${service.url}/api/v1/demand-pledges`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ wallet: account.address, capability: act.resource }),
      }).then(({ status }) => status);
    expect([await post(one), await post(two), await post(one)]).toEqual([201, 200, 401]);
    expect(await post(await signAction(account, "https://other.example", act))).toBe(401);
  });

  it("is not signed for another origin than the one that was chosen", async () => {
    const signed: unknown[] = [];
    const account = {
      address: service.wallet("bob").address,
      signTypedData: (message: { domain: Record<string, unknown> }) => {
        signed.push(message.domain.salt);
        return service.wallet("bob").signTypedData(message as never);
      },
    };
    const alias = createClient({ baseUrl: aliasOf(service.url), account });
    await expect(alias.pledge("amm.pool.state")).rejects.toThrow(ForeignAudienceError);
    expect(signed).toEqual([]);
    const named = createClient({ baseUrl: aliasOf(service.url), account, audience: `${service.url}/` });
    expect(await named.pledge("amm.pool.state")).toMatchObject({
      capability: "amm.pool.state",
      built: false,
    });
    expect(signed).toHaveLength(1);
    const wrong = createClient({ baseUrl: service.url, account, audience: "https://other.example" });
    expect(await refusalOf(wrong.pledge("amm.pool.state"))).toMatchObject({
      code: "action_signature_invalid",
    });
    await expect(createClient({ baseUrl: service.url }).pledge("x.y")).rejects.toThrow(NoAccountError);
  });

  it("is signed again when the service asks for a retry, and not when it might have been done", async () => {
    const nonces: string[] = [];
    const problem = (code: string) =>
      Response.json(
        { type: "about:blank", title: code, status: 503, detail: "Later.", code, requestId: "req" },
        { status: 503, headers: { "retry-after": "0" } },
      );
    const failing = (code: string) =>
      createClient({
        baseUrl: service.url,
        account: service.wallet("bob"),
        fetch: async (url, init) => {
          const nonce = new Headers(init?.headers).get("x-agent-nonce");
          if (nonce === null) return fetch(url, init);
          nonces.push(nonce);
          return nonces.length % 2 === 1 ? problem(code) : fetch(url, init);
        },
      });
    expect(await failing("chain_unavailable").pledge("solana.program.change")).toMatchObject({
      built: false,
    });
    expect(new Set(nonces).size).toBe(2);
    expect(await refusalOf(failing("database_unavailable").pledge("x.y"))).toMatchObject({ retryable: true });
    expect(nonces).toHaveLength(3);
  });

  it("can be recovered from its headers with plain EIP-712", async () => {
    const account = service.wallet("alice");
    const headers = await signAction(account, "https://assay.example", {
      action: "capability_outcome",
      resource: "inv_1",
    });
    const recovered = await recoverTypedDataAddress({
      domain: {
        name: "Service Agent API",
        version: "1",
        chainId: 8453,
        salt: keccak256(new TextEncoder().encode("https://assay.example")),
      },
      types: {
        AgentAction: [
          { name: "action", type: "string" },
          { name: "resource", type: "string" },
          { name: "timestamp", type: "uint256" },
          { name: "nonce", type: "string" },
        ],
      },
      primaryType: "AgentAction",
      message: {
        action: "capability_outcome",
        resource: "inv_1",
        timestamp: BigInt(headers["x-agent-timestamp"] ?? 0),
        nonce: headers["x-agent-nonce"] ?? "",
      },
      signature: headers["x-agent-signature"] as Hex,
    });
    expect(recovered).toBe(account.address);
  });
});

/** Misses are counted with a delay, so a listing may have to be requested again. */
async function runUntilShown(args: readonly string[], expected: readonly string[]): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const { out, err }: Run = await runAssay(args);
    const missing = findMissingLine(`${out}${err}`, expected);
    if (missing === undefined) return out;
    if (attempt === 20 || args[0] !== "bounties")
      expect.fail(`${args.join(" ")}\nlacks: ${missing}\n${out}${err}`);
    await new Promise((tick) => setTimeout(tick, 500));
  }
}
