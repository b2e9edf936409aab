import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { computeFingerprint, createClient } from "@assay/client";
import { createPublicClient, erc20Abi, http } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFalseClaim } from "../packages/client/src/testing/openFalseClaim.js";
import { type RunningService, startService } from "../packages/client/src/testing/startService.js";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const clientOf = (name: string) => createClient({ baseUrl: service.url, account: service.wallet(name) });
const run = promisify(execFile);
/** What an example prints, run as its first line says, with the service's own folder for .data. */
async function runExample(name: string, settings: Record<string, string> = {}): Promise<string[]> {
  const env = { PATH: process.env.PATH, ASSAY_URL: service.url, DATA_DIR: service.dataDir, ...settings };
  const { stdout, stderr } = await run(process.execPath, [join(import.meta.dirname, name)], { env });
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}
const chain = () => createPublicClient({ transport: http(service.rpcUrl) });
const readToken = (token: string, functionName: "balanceOf" | "allowance", ...args: readonly string[]) =>
  chain().readContract({
    address: service.contract(token),
    abi: erc20Abi,
    functionName,
    args,
  } as never) as Promise<bigint>;

describe("guarded-send.mjs", () => {
  it("sends what is allowed, and does not sign what is not", async () => {
    const lines = await runExample("guarded-send.mjs");
    expect(lines).toEqual([
      expect.stringMatching(/^allow: approve to 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913: /),
      "verified: shape, block, inputHash, resultHash, artifactId, signature, rule, stateProofs",
      expect.stringMatching(/^sent 0x[0-9a-f]{64}: success in block \d+$/),
      expect.stringMatching(/^not signed \(block\): .*UNLIMITED_APPROVAL_TO_ACCOUNT/),
    ]);
    const { address } = service.wallet("alice");
    const allowed = (spender: string) => readToken("stablecoin", "allowance", address, spender);
    expect(await allowed(service.contract("swapRouter02"))).toBe(1_000_000n);
    expect(await allowed("0x00000000000000000000000000000000000a11ce")).toBe(0n);
  });
});

describe("mcp-agent.mjs", () => {
  it("signs a swap after it was allowed and verified, for two paid questions", async () => {
    const { address } = service.wallet("dave");
    const [dollars, ether] = [
      await service.balanceOf(address),
      await readToken("weth", "balanceOf", address),
    ];
    const lines = await runExample("mcp-agent.mjs");
    expect(lines).toEqual([
      expect.stringMatching(/^16 tools: .*amm_swap_guard/),
      "paid 0.25 USD for amm_swap_guard",
      expect.stringMatching(/^without a limit: block, .*MIN_OUT_ZERO/),
      "paid 0.25 USD for amm_swap_guard",
      "limited to 0.5 % less than now: allow, verified",
      "swapped: success",
    ]);
    expect(dollars - (await service.balanceOf(address))).toBe(1_000_000n + 2n * 250_000n);
    expect(await readToken("weth", "balanceOf", address)).toBeGreaterThan(ether);
  });
});

describe("publisher.mjs", () => {
  it("publishes what was asked for, and earns from its reuse", async () => {
    const [bob, wanted] = [service.wallet("bob").address, service.contract("erc721")];
    // An attested publisher sees a bounty as soon as there is one.
    await clientOf("bob").publish(await computeFingerprint(service.rpcUrl, service.contract("plainToken")));
    await clientOf("frank").quote("contract.guard", { address: wanted });
    await expect
      .poll(async () => (await clientOf("bob").bounties({ wallet: bob })).bounties.length, {
        timeout: 20_000,
      })
      .toBe(1);
    const lines = await runExample("publisher.mjs");
    expect(lines).toEqual([
      "1 bounties, 1 to be fulfilled by publishing",
      `published ${wanted.toLowerCase()}, asked for 1 times`,
      "  earns 20 % of each reuse by others, up to 10 USD of credit",
      "record: 2 passed, 0 failed, 0 USD earned",
    ]);
    const { answer } = await clientOf("frank").call("contract.guard", { address: wanted });
    expect(answer.pricing.actualCacheStatus).toBe("partial");
    expect((await clientOf("bob").publisher(bob)).dividends).toMatchObject({
      settledReuses: 1,
      totalUsd: 0.01,
    });
  });
});

describe("challenger.mjs", () => {
  it("falsifies a false claim and lets the true ones stand", async () => {
    const { claimId, opener, falseAt, implementation } = await openFalseClaim(service, "erin");
    const lines = await runExample("challenger.mjs");
    expect(lines[0]).toBe("4 open claims (feed enabled)");
    const told = lines.indexOf(
      `${claimId}: counterexample_valid with ${JSON.stringify({ block: falseAt, implementation })}`,
    );
    expect(lines[told + 1]).toBe(`  5 USD owed by ${opener.toLowerCase()}`);
    expect(lines.filter((line) => /^0x[0-9a-f]{64}: 4 of 4 blocks read, it holds$/.test(line))).toHaveLength(
      3,
    );
    const { status, winner } = await clientOf("erin").claim(claimId);
    expect({ status, winner }).toEqual({
      status: "falsified",
      winner: service.wallet("carol").address.toLowerCase(),
    });
  });
});

describe("every example", () => {
  it("says what to do when there is no local chain and nothing is set", async () => {
    const nowhere = { DATA_DIR: join(service.dataDir, "nowhere") };
    await expect(runExample("challenger.mjs", nowhere)).rejects.toThrow(
      "run npm start, or set RPC_URL and ASSAY_PRIVATE_KEY",
    );
    await expect(runExample("challenger.mjs", { RPC_URL: service.rpcUrl })).rejects.toThrow(
      "Set ASSAY_PRIVATE_KEY",
    );
  });
});
