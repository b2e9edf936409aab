import { createPublicClient, erc20Abi, http, parseEther, parseUnits } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { base } from "viem/chains";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDevnet, type Devnet } from "./createDevnet.js";
import { DevnetRpcError } from "./readResult.js";

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ blockTimeMs: 0 });
});
afterAll(() => devnet.close());

const connect = () => createPublicClient({ chain: base, transport: http(devnet.rpcUrl) });

test("answers as Base", async () => {
  expect(await connect().getChainId()).toBe(8453);
});

test("every named contract has code", async () => {
  const client = connect();
  for (const [name, address] of Object.entries(devnet.contracts)) {
    expect(await client.getCode({ address }), name).toMatch(/^0x[0-9a-f]{2}/);
  }
});

test("ten accounts hold ether and stablecoins, and their addresses belong to their keys", async () => {
  const client = connect();
  expect(devnet.accounts).toHaveLength(10);
  for (const { address, privateKey } of devnet.accounts) {
    expect(privateKeyToAddress(privateKey)).toBe(address);
    expect(await client.getBalance({ address })).toBe(parseEther("10000"));
    const balance = await client.readContract({
      address: devnet.stablecoin.address,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address],
    });
    expect(balance).toBe(parseUnits("1000000", 6));
  }
});

test("the settler and the deployer have ether and are not among the ten accounts", async () => {
  const names = devnet.accounts.map(({ address }) => address);
  for (const { address, privateKey } of [devnet.settler, devnet.deployer]) {
    expect(privateKeyToAddress(privateKey)).toBe(address);
    expect(names).not.toContain(address);
    expect(await connect().getBalance({ address })).toBeGreaterThan(parseEther("1000"));
  }
  expect(names).not.toContain(devnet.payTo);
});

test("the description is plain JSON with what a client needs", () => {
  const description = devnet.describe();
  expect(JSON.parse(JSON.stringify(description))).toEqual(description);
  expect(Object.keys(description)).toEqual([
    "rpcUrl",
    "chainId",
    "stablecoin",
    "accounts",
    "contracts",
    "lendingMarket",
    "pages",
  ]);
});

test("multicall3 serves viem's multicall", async () => {
  const [name, decimals] = await connect().multicall({
    allowFailure: false,
    contracts: [
      { address: devnet.stablecoin.address, abi: erc20Abi, functionName: "name" },
      { address: devnet.stablecoin.address, abi: erc20Abi, functionName: "decimals" },
    ],
  });
  expect({ name, decimals }).toEqual({ name: devnet.stablecoin.name, decimals: devnet.stablecoin.decimals });
});

test("mines as many blocks as asked", async () => {
  const before = Number(await devnet.request("eth_blockNumber"));
  await devnet.mine(3);
  expect(Number(await devnet.request("eth_blockNumber"))).toBe(before + 3);
});

test("a failing call in-process throws with the code that HTTP would answer", async () => {
  const error = await devnet.request("no_suchMethod").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DevnetRpcError);
  expect(error).toMatchObject({ code: -32601 });
});

test("reverting to an unknown snapshot throws", async () => {
  await expect(devnet.revert("0xffff")).rejects.toThrow("no snapshot 0xffff");
});

test("closing leaves no timer and no socket behind", async () => {
  const countHeld = () =>
    process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name.startsWith("TCP")).length;
  const before = countHeld();
  const shortLived = await createDevnet();
  const keptAlive = createPublicClient({ transport: http(shortLived.rpcUrl) });
  await keptAlive.getBlockNumber();
  await shortLived.close();
  await expect(fetch(shortLived.rpcUrl, { method: "POST" })).rejects.toThrow("fetch failed");
  // The operating system's side of a closed socket goes away on a later turn of the event loop.
  await expect.poll(countHeld).toBeLessThanOrEqual(before);
});

test("a taken port is refused", async () => {
  const port = Number(new URL(devnet.rpcUrl).port);
  await expect(createDevnet({ port })).rejects.toThrow("EADDRINUSE");
});

test.each(["eth_call", "eth_estimateGas", "eth_sendTransaction"])(
  "%s with more wei than can exist is refused, and the process lives on",
  async (method) => {
    const [from, to] = devnet.accounts.map(({ address }) => address);
    const order = { from, to, value: `0x${"f".repeat(64)}` };
    await expect(devnet.request(method, [order])).rejects.toThrow("insufficient funds");
    expect(await connect().getChainId()).toBe(8453);
  },
);
