import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { startOwnService } from "@assay/client/testing/startOwnService";
import type { RunningService } from "@assay/client/testing/startService";
import { createPublicClient, erc20Abi, http } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runExample } from "./testing/runExample.js";

let service: RunningService;
beforeAll(async () => {
  service = await startOwnService({ BOUNTY_DELAY_SECONDS: "0" });
});
afterAll(() => service?.stop());

const clientOf = (name: string) => createClient({ baseUrl: service.url, account: service.wallet(name) });
const placeOf = (name: string) => join(import.meta.dirname, name);
/** The service's own folder stands for .data. */
const environment = () => ({ ASSAY_URL: service.url, DATA_DIR: service.dataDir });

const runHere = (name: string, settings: Record<string, string> = {}) =>
  runExample(placeOf(name), { ...environment(), ...settings });
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
    const lines = await runHere("guarded-send.mjs");
    expect(lines).toEqual([
      expect.stringMatching(/^allow: Lets Uniswap SwapRouter02 spend up to 1 USDC\. /),
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
    const lines = await runHere("mcp-agent.mjs");
    expect(lines).toEqual([
      expect.stringMatching(/^17 tools: .*amm_swap_guard/),
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
  it("stages demand, publishes what was asked for, and earns from its reuse", async () => {
    const [bob, frank] = [service.wallet("bob").address, service.wallet("frank").address];
    const wanted = service.contract("erc721");
    expect(await runHere("publisher.mjs")).toEqual([
      `staged: ${bob} has published a first fingerprint, and is attested by it`,
      `staged: ${frank} asks what contract.guard costs for ${wanted}, which nobody has shared`,
      "1 bounties, 1 to be fulfilled by publishing",
      `published ${wanted.toLowerCase()}, asked for 1 times`,
      "  earns 20 % of each reuse by others, up to 10 USD of credit",
      "record: 2 passed, 0 failed, 0 USD earned",
    ]);
    const { answer } = await clientOf("frank").call("contract.guard", { address: wanted });
    expect(answer.pricing.actualCacheStatus).toBe("miss");
    expect((await clientOf("bob").publisher(bob)).dividends).toMatchObject({
      settledReuses: 1,
      totalUsd: 0.02,
    });
    // A second run finds another contract.
    expect((await runHere("publisher.mjs")).join("\n")).toContain(
      `published ${service.contract("erc1155").toLowerCase()}, asked for 1 times`,
    );
  });
});

describe("challenger.mjs", () => {
  it("stages a false claim, falsifies it and lets the true claims stand", async () => {
    const lines = await runHere("challenger.mjs");
    const [, block] = /^staged: 0x\w+ is upgraded in block (\d+) and set back/.exec(lines[0] ?? "") ?? [];
    const [, opener = "", claimId] =
      /^staged: (0x\w+) claims that .* proves it wrong: (0x\w+)$/.exec(lines[1] ?? "") ?? [];
    expect(lines[2]).toBe("4 open claims (feed enabled)");
    const counterexample = { block: Number(block), implementation: service.contract("uupsBoxV2") };
    const found = lines.indexOf(`${claimId}: counterexample_valid with ${JSON.stringify(counterexample)}`);
    expect(lines[found + 1], lines.join("\n")).toBe(`  5 USD owed by ${opener.toLowerCase()}`);
    expect(lines.filter((line) => /^0x[0-9a-f]{64}: 4 of 4 blocks read, it holds$/.test(line))).toHaveLength(
      3,
    );
    const { status, winner } = await clientOf("erin").claim(claimId ?? "");
    expect({ status, winner }).toEqual({
      status: "falsified",
      winner: service.wallet("carol").address.toLowerCase(),
    });
  });

  it("stages nothing where a node and a key are named", async () => {
    const { accounts } = JSON.parse(await readFile(join(service.dataDir, "devnet.json"), "utf8"));
    const base = { RPC_URL: service.rpcUrl, ASSAY_PRIVATE_KEY: accounts[0].privateKey };
    for (const name of ["challenger.mjs", "publisher.mjs"])
      expect((await runHere(name, base)).join("\n")).not.toContain("staged");
  });
});

describe("every example", () => {
  it("says what to do when there is no local chain and nothing is set", async () => {
    const nowhere = { DATA_DIR: join(service.dataDir, "nowhere") };
    await expect(runHere("challenger.mjs", nowhere)).rejects.toThrow(
      "run npm start, or set RPC_URL and ASSAY_PRIVATE_KEY",
    );
    await expect(runHere("challenger.mjs", { RPC_URL: service.rpcUrl })).rejects.toThrow(
      "Set ASSAY_PRIVATE_KEY",
    );
  });
});
