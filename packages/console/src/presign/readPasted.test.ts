import { serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { readPasted } from "./readPasted.js";

const from = "0x73B54E0e58fe9f54E9Ac5CB8147e06C87Db655F1";
const to = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const transaction = { from, to, data: "0xa9059cbb", value: "0x0a" };
const values = { from, to, data: "0xa9059cbb", value: "10" };

describe("what is pasted before signing", () => {
  it.each([
    ["a request", { method: "eth_sendTransaction", params: [transaction] }],
    ["its parameters", [transaction]],
    ["a transaction", transaction],
    ["a transaction with input and a decimal value", { from, to, input: "0xa9059cbb", value: "10" }],
    ["a transaction for this chain", { ...transaction, chainId: "0x2105" }],
  ])("is read from %s", async (_, value) => {
    expect(await readPasted(JSON.stringify(value))).toEqual({ ok: true, kind: "request", values });
  });

  it("is read from a serialized transaction, with its sender once it is signed", async () => {
    const call = { chainId: 8453, to, data: "0xa9059cbb", value: 10n, nonce: 1, gas: 21_000n } as const;
    const unsigned = serializeTransaction({ ...call, type: "eip1559", maxFeePerGas: 1n });
    expect(await readPasted(unsigned)).toEqual({
      ok: true,
      kind: "transaction",
      values: { ...values, from: "", to: to.toLowerCase() },
    });
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const signed = await account.signTransaction({ ...call, type: "eip1559", maxFeePerGas: 1n });
    expect(await readPasted(signed)).toMatchObject({ ok: true, values: { from: account.address } });
  });

  it("is calldata where it is nothing else, with or without 0x", async () => {
    for (const text of ["0xA9059CBB00", "a9059cbb00"])
      expect(await readPasted(text)).toEqual({
        ok: true,
        kind: "calldata",
        values: { data: "0xa9059cbb00" },
      });
  });

  it.each([
    ["another chain", JSON.stringify({ ...transaction, chainId: 1 }), "The transaction is for chain 1"],
    ["a creation", JSON.stringify({ from, data: "0x6000" }), "The transaction creates a contract"],
    ["broken JSON", "{", "not well-formed"],
    ["JSON without a transaction", "{}", "No transaction is in this JSON"],
    ["a value that is no amount", JSON.stringify({ ...transaction, value: "ten" }), "value is neither"],
    ["half a byte", "0x123", "Paste hex bytes"],
    ["words", "please sign", "Paste hex bytes"],
  ])("is refused in words: %s", async (_, text, problem) => {
    const pasted = await readPasted(text);
    expect(pasted.ok ? "" : pasted.problem).toContain(problem);
  });
});
