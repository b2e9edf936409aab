import { type Address, type Hex, parseEther, parseGwei, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDevnet, type Devnet, type DevnetOptions } from "./createDevnet.js";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const pauseToNextSecond = () => pause(1_050 - (Date.now() % 1_000));

interface Block {
  number: Hex;
  timestamp: Hex;
  transactions: Hex[];
}

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ blockTimeMs: 0 });
});
afterAll(() => devnet.close());

const getBlock = (tag: string) => devnet.request<Block>("eth_getBlockByNumber", [tag, false]);
const getNumber = async () => Number(await devnet.request("eth_blockNumber"));
const getSecondsAhead = async (tag: string) =>
  Number((await getBlock(tag)).timestamp) - Math.floor(Date.now() / 1000);

function getUser(index: number) {
  const user = devnet.accounts[index];
  if (!user) throw new Error(`no account ${index}`);
  return user;
}

function transfer(from: Address, to: Address): Promise<Hex> {
  return devnet.request("eth_sendTransaction", [{ from, to, value: "0x1", gas: toHex(21_000) }]);
}

async function runWithDevnet(options: DevnetOptions, run: (own: Devnet) => Promise<void>) {
  const own = await createDevnet(options);
  try {
    await run(own);
  } finally {
    await own.close();
  }
}

test("the clock is never ahead of the wall clock, however quickly blocks follow each other", async () => {
  const before = await getNumber();
  for (let count = 0; count < 50; count += 1) {
    await transfer(getUser(0).address, getUser(1).address);
    expect(await getSecondsAhead("latest")).toBeLessThanOrEqual(0);
  }
  expect(await getNumber()).toBe(before + 50);
});

test("a transaction is in a block when its hash is returned", async () => {
  const hash = await transfer(getUser(0).address, getUser(1).address);
  expect(await devnet.request("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
});

test("nonces that arrive out of order wait for each other", async () => {
  const sender = privateKeyToAccount(getUser(2).privateKey);
  const signed = await Promise.all(
    [3, 1, 4, 0, 2].map((nonce) =>
      sender.signTransaction({
        chainId: 8453,
        type: "eip1559",
        nonce,
        gas: 21_000n,
        maxFeePerGas: parseGwei("10"),
        to: getUser(3).address,
        value: parseEther("1"),
      }),
    ),
  );
  const hashes = await Promise.all(signed.map((raw) => devnet.request<Hex>("eth_sendRawTransaction", [raw])));
  for (const hash of hashes) {
    expect(await devnet.request("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
  }
});

test("a revert restores the state and keeps the wall clock", async () => {
  const before = await getBlock("latest");
  const id = await devnet.snapshot();
  await transfer(getUser(0).address, getUser(1).address);
  // EDR's own clock would be ahead by the whole seconds since the snapshot.
  await pause(1100);
  await devnet.revert(id);
  expect(await getBlock("latest")).toEqual(before);
  expect(await getSecondsAhead("pending")).toBeGreaterThanOrEqual(-1);
  expect(await getSecondsAhead("pending")).toBeLessThanOrEqual(0);
  await pauseToNextSecond();
  const ahead: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    await transfer(getUser(0).address, getUser(1).address);
    ahead.push(await getSecondsAhead("latest"));
  }
  // A second may begin between a block and the reading of the clock, but not each time.
  expect(Math.max(...ahead)).toBe(0);
  expect(Math.min(...ahead)).toBeGreaterThanOrEqual(-1);
});

test("time moved on purpose stays moved until a revert undoes it", async () => {
  const id = await devnet.snapshot();
  await devnet.request("evm_increaseTime", [3600]);
  const moved = await devnet.snapshot();
  await devnet.mine();
  expect(await getSecondsAhead("latest")).toBeGreaterThanOrEqual(3599);
  await devnet.revert(moved);
  await devnet.mine();
  expect(await getSecondsAhead("latest")).toBeGreaterThanOrEqual(3599);
  await devnet.revert(id);
  await devnet.mine();
  expect(await getSecondsAhead("latest")).toBeLessThanOrEqual(0);
});

test("a chosen block time is kept and the clock continues from there", async () => {
  const id = await devnet.snapshot();
  const chosen = Math.floor(Date.now() / 1000) + 500;
  await devnet.request("evm_setNextBlockTimestamp", [chosen]);
  await devnet.mine();
  expect(Number((await getBlock("latest")).timestamp)).toBe(chosen);
  await devnet.request("evm_mine", [chosen + 100]);
  await devnet.mine();
  expect(await getSecondsAhead("latest")).toBeGreaterThanOrEqual(599);
  await devnet.request("hardhat_mine", [toHex(10), toHex(60)]);
  const inner = await devnet.snapshot();
  await devnet.revert(inner);
  await devnet.mine();
  expect(await getSecondsAhead("latest")).toBeGreaterThanOrEqual(1138);
  await devnet.revert(id);
});

test("with automine off transactions wait for evm_mine", async () => {
  await devnet.request("evm_setAutomine", [false]);
  expect(await devnet.request("hardhat_getAutomine")).toBe(false);
  const before = await getNumber();
  const hashes = [
    await transfer(getUser(4).address, getUser(1).address),
    await transfer(getUser(5).address, getUser(1).address),
  ];
  expect(await getNumber()).toBe(before);
  await devnet.mine();
  expect((await getBlock("latest")).transactions.sort()).toEqual(hashes.sort());
  await devnet.request("evm_setAutomine", [true]);
});

test("an idle chain mines on its interval, also after a revert, and stops on request", async () => {
  await runWithDevnet({ blockTimeMs: 50 }, async (own) => {
    const readNumber = async () => Number(await own.request("eth_blockNumber"));
    const first = await readNumber();
    await expect.poll(readNumber).toBeGreaterThan(first + 2);
    const id = await own.snapshot();
    await own.revert(id);
    const reverted = await readNumber();
    await expect.poll(readNumber).toBeGreaterThan(reverted);
    await own.request("evm_setIntervalMining", [0]);
    const stopped = await readNumber();
    await pause(200);
    expect(await readNumber()).toBe(stopped);
  });
});

test("without an interval only transactions make blocks", async () => {
  const before = await getNumber();
  await pause(300);
  expect(await getNumber()).toBe(before);
});
