import { join } from "node:path";
import type { ConnectedService } from "@assay/client/testing/connectToService";
import { getSharedService } from "@assay/client/testing/getSharedService";
import {
  createTestClient,
  encodeAbiParameters,
  http,
  keccak256,
  maxUint256,
  numberToHex,
  parseEther,
} from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect } from "vitest";
import { runExample } from "./runExample.js";

const root = join(import.meta.dirname, "../..");

/** What the example of a folder prints, with a wallet of its own on the service that tests share. */
async function runAdapter(folder: string, settings: Record<string, string> = {}): Promise<string[]> {
  const service = await getSharedService();
  const { url, dataDir } = service;
  const environment = { ASSAY_URL: url, DATA_DIR: dataDir, ASSAY_PRIVATE_KEY: await fundKey(service) };
  // Some frameworks write warnings about themselves.
  return runExample(
    join(root, folder, "example.mjs"),
    { ...environment, ...settings },
    { mayComplain: true },
  );
}

/**
 * Runs the example with its guard and without: the swap goes through both times, the drain only without. So the example does
 * what it says, and what refuses the drain is the guard.
 */
export async function expectProtection(folder: string): Promise<{ guarded: string[]; unguarded: string[] }> {
  const guarded = await runAdapter(folder);
  expect(guarded.at(-1)).toMatch(/The stranger may take 0\.$/);
  const unguarded = await runAdapter(folder, { ASSAY_GUARD: "off" });
  expect(unguarded.at(-1)).toMatch(new RegExp(`The stranger may take ${maxUint256}\\.$`));
  return { guarded, unguarded };
}

/** The key of a new wallet with a little ether and a hundred dollars, written into the state: no transaction waits for another. */
export async function fundKey({ rpcUrl, contract }: ConnectedService): Promise<`0x${string}`> {
  const key = generatePrivateKey();
  const address = privateKeyToAddress(key);
  const chain = createTestClient({ mode: "hardhat", transport: http(rpcUrl) });
  await chain.setBalance({ address, value: parseEther("1") });
  // The local stablecoin keeps balances in the mapping at slot 0.
  const index = keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [address, 0n]));
  const value = numberToHex(100_000_000n, { size: 32 });
  await chain.setStorageAt({ address: contract("stablecoin"), index, value });
  return key;
}
