import { type Address, encodeErrorResult, type Hex, parseAbi, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDevnet, type Devnet } from "./createDevnet.js";

const target: Address = "0x00000000000000000000000000000000000000aa";
const abi = parseAbi(["error Error(string)", "error Panic(uint256)", "error Refused(address)"]);

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ blockTimeMs: 0 });
});
afterAll(() => devnet.close());

/** Code that copies what follows it into memory and reverts with it. */
function createReverting(data: Hex): Hex {
  const size = toHex((data.length - 2) / 2, { size: 1 }).slice(2);
  return `0x60${size}600c60003960${size}6000fd${data.slice(2)}`;
}

async function callCode(code: Hex): Promise<unknown> {
  await devnet.request("hardhat_setCode", [target, code]);
  return devnet
    .request("eth_call", [{ to: target, gas: "0xfffff" }, "latest"])
    .catch((error: unknown) => error);
}

test("a revert with a reason is code 3, says the reason and carries the data", async () => {
  const data = encodeErrorResult({ abi, errorName: "Error", args: ["too late"] });
  const error = await callCode(createReverting(data));
  expect(error).toMatchObject({ code: 3, message: "eth_call: execution reverted: too late", data });
});

test("a panic names its code", async () => {
  const data = encodeErrorResult({ abi, errorName: "Panic", args: [0x11n] });
  const error = await callCode(createReverting(data));
  expect(error).toMatchObject({ code: 3, message: "eth_call: execution reverted: panic: code 0x11", data });
});

test("a custom error carries its data", async () => {
  const data = encodeErrorResult({ abi, errorName: "Refused", args: [target] });
  expect(await callCode(createReverting(data))).toMatchObject({
    code: 3,
    message: "eth_call: execution reverted",
    data,
  });
});

test("a bare revert has empty data", async () => {
  expect(await callCode("0x60006000fd")).toMatchObject({ code: 3, data: "0x" });
});

test.each([
  ["an invalid opcode", "0xfe"],
  ["running out of gas", "0x5b600056"],
] as const)("%s is no revert", async (_, code) => {
  expect(await callCode(code)).toMatchObject({ code: -32000, data: undefined });
});

test("estimating the gas of a revert fails the same way", async () => {
  await devnet.request("hardhat_setCode", [target, "0x60006000fd"]);
  await expect(devnet.request("eth_estimateGas", [{ to: target }])).rejects.toMatchObject({ code: 3 });
});

test.each([
  ["hash", { blockHash: `0x${"11".repeat(32)}` }],
  ["number", "0xffffff"],
])("a block %s that is not known is a resource not found", async (_, block) => {
  await expect(devnet.request("eth_getBalance", [target, block])).rejects.toMatchObject({ code: -32001 });
});

test("a known block hash can be named as EIP-1898 has it", async () => {
  const { hash } = await devnet.request<{ hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
  const block = { blockHash: hash, requireCanonical: true };
  expect(await devnet.request("eth_getBalance", [target, block])).toBe("0x0");
});
