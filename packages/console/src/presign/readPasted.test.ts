import { serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { readPasted } from "./readPasted.js";

const from = "0x73B54E0e58fe9f54E9Ac5CB8147e06C87Db655F1";
const to = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const transaction = { from, to, data: "0xa9059cbb", value: "0x0a" };
const NO_CHAIN = "It names no chain; it is judged as a transaction for Base.";
const values = { from, to, data: "0xa9059cbb", value: "10" };

describe("what is pasted before signing", () => {
  it.each([
    ["a request to estimate", { method: "eth_estimateGas", params: [transaction, "latest"] }],
    ["a request", { method: "eth_sendTransaction", params: [transaction] }],
    ["its parameters", [transaction]],
    ["a transaction", transaction],
    ["a transaction with input and a decimal value", { from, to, input: "0xa9059cbb", value: "10" }],
    ["a transaction with data and the same input", { ...transaction, input: "0xA9059CBB" }],
  ])("is read from %s", async (_, value) => {
    const read = { ok: true, kind: "request", values, notes: [NO_CHAIN] };
    expect(await readPasted(JSON.stringify(value))).toEqual(read);
  });

  it("is read with fees, nonce and access list, and says that they are not judged", async () => {
    const accessList = [{ address: to, storageKeys: [] }];
    const full = { ...transaction, chainId: "0x2105", type: "0x2", nonce: "0x1", gas: "0x5208", accessList };
    expect(await readPasted(JSON.stringify(full))).toEqual({
      ok: true,
      kind: "request",
      values,
      notes: ["Not judged: nonce, gas.", "Its access list is not judged: it only changes the cost of gas."],
    });
  });

  it("is read from a serialized transaction, with its sender once it is signed", async () => {
    const call = { chainId: 8453, to, data: "0xa9059cbb", value: 10n, nonce: 1, gas: 21_000n } as const;
    const unsigned = serializeTransaction({ ...call, type: "eip1559", maxFeePerGas: 1n });
    expect(await readPasted(unsigned)).toEqual({
      ok: true,
      kind: "transaction",
      values: { ...values, from: "", to: to.toLowerCase() },
      notes: ["Not judged: nonce, gas, maxFeePerGas."],
    });
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const signed = await account.signTransaction({ ...call, type: "eip1559", maxFeePerGas: 1n });
    expect(await readPasted(signed)).toMatchObject({ ok: true, values: { from: account.address } });
    const request = { method: "eth_sendRawTransaction", params: [signed] };
    expect(await readPasted(JSON.stringify(request))).toEqual(await readPasted(signed));
  });

  it("is calldata where it is nothing else, with or without 0x, on one line or more", async () => {
    for (const text of ["0xA9059CBB00", "a9059cbb00", "0xa905\n 9cbb00\u200b"])
      expect(await readPasted(text)).toEqual({
        ok: true,
        kind: "calldata",
        values: { data: "0xa9059cbb00" },
        notes: [],
      });
  });

  it("is refused whole where it also hands the account to other code (EIP-7702)", async () => {
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const signed = await account.signAuthorization({ address: to, chainId: 8453, nonce: 0 });
    const call = { chainId: 8453, to: from, value: 0n, nonce: 0, maxFeePerGas: 1n } as const;
    const serialized = serializeTransaction({ ...call, type: "eip7702", authorizationList: [signed] });
    const problem = `This transaction also hands your account's code to ${to} (EIP-7702); no guard judges that.`;
    for (const text of [
      serialized,
      JSON.stringify({ ...transaction, authorizationList: [signed] }, (_, value) =>
        typeof value === "bigint" ? String(value) : value,
      ),
      JSON.stringify({ method: "eth_sendRawTransaction", params: [serialized] }),
    ]) {
      const pasted = await readPasted(text);
      expect(pasted.ok ? "taken" : pasted.problem.toLowerCase()).toContain(problem.toLowerCase());
    }
  });

  const json = (more: object) => JSON.stringify({ ...transaction, ...more });
  it.each([
    ["the type of a delegation", json({ type: "0x4" }), "hands your account's code to another contract"],
    ["blobs", json({ blobVersionedHashes: [`0x01${"00".repeat(31)}`] }), "carries blobs (EIP-4844)"],
    ["the type of blobs", json({ type: 3 }), "carries blobs (EIP-4844)"],
    ["an unknown type", json({ type: "0x7e" }), "of type 0x7e, which no guard knows"],
    ["serialized bytes of an unknown type", "0x7ec3010203", "of type 126, which no guard knows"],
    ["serialized bytes that are no transaction", "0x02c3010203", "cannot be read as one"],
    ["unknown keys", json({ paymaster: from, gas: 1 }), "No guard judges paymaster."],
    ["data and another input", json({ input: "0x095ea7b3" }), "data and input differ"],
    ["several transactions", JSON.stringify([transaction, transaction]), "Check them one by one"],
    [
      "several in a request",
      JSON.stringify({ method: "eth_sendTransaction", params: [transaction, transaction] }),
      "Check them one by one",
    ],
    ["a bundle", JSON.stringify({ method: "wallet_sendCalls", params: [{}] }), "asked for wallet_sendCalls"],
    ["parts that are no text", json({ data: ["0x"] }), "data is not text in hex"],
    ["more calldata than is taken", `0x${"00".repeat(300_000)}`, "too long: 300000 bytes"],
    [
      "a serialized creation",
      serializeTransaction({ chainId: 8453, type: "eip1559", data: "0x6000", nonce: 1 }),
      "The transaction creates a contract",
    ],
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
