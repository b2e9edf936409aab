import { expect, test } from "vitest";
import type { Devnet } from "../createDevnet.js";
import { borrowDevnet, openSharedDevnet } from "./sharedDevnet.js";

/** Borrows as a test file does, and gives back. */
async function withDevnet<Result>(run: (devnet: Devnet) => Promise<Result>): Promise<Result> {
  const { devnet, release } = await borrowDevnet();
  try {
    return await run(devnet);
  } finally {
    await release();
  }
}

const address = "0x00000000000000000000000000000000000000aa";
const stranger = "0x00000000000000000000000000000000000000bb";
const readBlock = (devnet: Devnet) =>
  devnet.request<{ number: string; timestamp: string }>("eth_getBlockByNumber", ["latest", false]);

/** What a file may find on the devnet it borrows. */
const describeState = (devnet: Devnet) =>
  Promise.all([
    devnet.rpcUrl,
    readBlock(devnet).then(({ number }) => number),
    devnet.request("eth_getCode", [address, "latest"]),
    devnet.request("eth_getBalance", [stranger, "latest"]),
    devnet.request("hardhat_getAutomine"),
    devnet
      .request("eth_getBlockByNumber", ["pending", true])
      .then((block) => (block as { transactions: [] }).transactions),
  ]);

const nowSeconds = () => Math.floor(Date.now() / 1_000);

test("the next file finds what the first one found, on the same devnet", async () => {
  const before = await withDevnet(describeState);
  await withDevnet(async (devnet) => {
    await devnet.request("hardhat_setCode", [address, "0x00"]);
    await devnet.request("hardhat_setBalance", [stranger, "0xde0b6b3a7640000"]);
    await devnet.request("evm_increaseTime", [3_600]);
    await devnet.mine(3);
    await devnet.request("evm_setAutomine", [false]);
    await devnet.request("hardhat_impersonateAccount", [stranger]);
    await devnet.request("eth_sendTransaction", [{ from: stranger, to: address, gas: "0x5208" }]);
  });
  await withDevnet(async (devnet) => {
    expect(await describeState(devnet)).toEqual(before);
    const sending = devnet.request("eth_sendTransaction", [{ from: stranger, to: address, gas: "0x5208" }]);
    await expect(sending).rejects.toThrow(/unknown account/i);
  });
});

test("the newest block is of this moment, whatever time was added before", async () => {
  await withDevnet((devnet) => devnet.request("evm_increaseTime", [3_600]));
  await withDevnet(async (devnet) => {
    const age = nowSeconds() - Number((await readBlock(devnet)).timestamp);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThanOrEqual(2);
  });
});

test.each<[string, (devnet: Devnet) => Promise<unknown>]>([
  ["was closed", (devnet) => devnet.close()],
  [
    "was given a setting that no snapshot holds",
    (devnet) => devnet.request("hardhat_setCoinbase", [stranger]),
  ],
])("a devnet that %s is replaced by a new one", async (_, spoil) => {
  const [usedUrl] = await withDevnet(async (devnet) => {
    const state = await describeState(devnet);
    await spoil(devnet);
    return state;
  });
  await withDevnet(async (devnet) => {
    expect(devnet.rpcUrl).not.toBe(usedUrl);
    expect(await devnet.request("eth_chainId")).toBe("0x2105");
  });
});

test("a setting that came over HTTP is noticed as well", async () => {
  const usedUrl = await withDevnet(async (devnet) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hardhat_setCoinbase", params: [stranger] });
    await fetch(devnet.rpcUrl, { method: "POST", body });
    return devnet.rpcUrl;
  });
  expect(await withDevnet(async ({ rpcUrl }) => rpcUrl)).not.toBe(usedUrl);
});

test("while it is lent, another caller gets a devnet of its own", async () => {
  const first = await borrowDevnet();
  const second = await borrowDevnet();
  expect(second.devnet.rpcUrl).not.toBe(first.devnet.rpcUrl);
  await second.release();
  expect(await first.devnet.request("eth_chainId")).toBe("0x2105");
  await first.release();
});

test("one with idle blocks mines until it is closed, and is then lent again without them", async () => {
  const numberOf = async (devnet: Devnet) => Number((await readBlock(devnet)).number);
  const first = await openSharedDevnet({ blockTimeMs: 10 });
  const start = await numberOf(first);
  await expect.poll(() => numberOf(first)).toBeGreaterThan(start + 1);
  await first.close();
  await withDevnet(async (devnet) => {
    expect(devnet.rpcUrl).toBe(first.rpcUrl);
    const before = await numberOf(devnet);
    // Closed twice, it stays with the one who has it now.
    await first.close();
    await new Promise((resume) => setTimeout(resume, 50));
    expect(await numberOf(devnet)).toBe(before);
    const other = await openSharedDevnet({ blockTimeMs: 0 });
    expect(other.rpcUrl).not.toBe(devnet.rpcUrl);
    await other.close();
  });
});
