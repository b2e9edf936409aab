import { type Address, encodeErrorResult, type Hex, parseAbi, toHex } from "viem";
import { expect, test } from "vitest";
import { useDevnet } from "./testing/useDevnet.js";

const target: Address = "0x00000000000000000000000000000000000000aa";
const abi = parseAbi(["error Error(string)", "error Panic(uint256)", "error Refused(address)"]);

const local = useDevnet();
const request = (method: string, params: unknown[]) => local.devnet.request(method, params);

/** Code that reverts with the data that follows it. */
function createReverting(data: Hex): Hex {
  const size = toHex((data.length - 2) / 2, { size: 1 }).slice(2);
  return `0x60${size}600c60003960${size}6000fd${data.slice(2)}`;
}

async function callCode(code: Hex): Promise<unknown> {
  await request("hardhat_setCode", [target, code]);
  return request("eth_call", [{ to: target, gas: "0xffff" }, "latest"]).catch((error: unknown) => error);
}

test("a revert with a reason is code 3, and has the reason and the data", async () => {
  const data = encodeErrorResult({ abi, errorName: "Error", args: ["too late"] });
  const error = await callCode(createReverting(data));
  expect(error).toMatchObject({ code: 3, message: "eth_call: execution reverted: too late", data });
});

test("a panic names its code", async () => {
  const data = encodeErrorResult({ abi, errorName: "Panic", args: [0x11n] });
  const error = await callCode(createReverting(data));
  expect(error).toMatchObject({ code: 3, message: "eth_call: execution reverted: panic: code 0x11", data });
});

test("a custom error has its data", async () => {
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
  await request("hardhat_setCode", [target, "0x60006000fd"]);
  await expect(request("eth_estimateGas", [{ to: target }])).rejects.toMatchObject({ code: 3 });
});

test.each([
  ["hash", { blockHash: `0x${"11".repeat(32)}` }],
  ["number", "0xffffff"],
])("a block %s that is not known is a resource not found", async (_, block) => {
  await expect(request("eth_getBalance", [target, block])).rejects.toMatchObject({ code: -32001 });
});

test("a known block hash can be given as EIP-1898 defines", async () => {
  const { hash } = await local.devnet.request<{ hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
  const block = { blockHash: hash, requireCanonical: true };
  expect(await request("eth_getBalance", [target, block])).toBe("0x0");
});
