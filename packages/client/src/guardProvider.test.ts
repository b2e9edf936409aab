import type { Hex } from "@assay/protocol";
import { createWalletClient, custom, UserRejectedRequestError } from "viem";
import { base } from "viem/chains";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { guardProvider } from "./guardProvider.js";
import { GuardRefusedError } from "./guardRefusedError.js";

const from: Hex = "0x00000000000000000000000000000000000a11ce";
const to: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const document = { domain: {}, types: { A: [] }, primaryType: "A", message: {} };

const judge = vi.fn();
const wallet = { request: vi.fn(), on: vi.fn(), send: vi.fn(), sendAsync: vi.fn(), isOwn: true };
const guarded = guardProvider(wallet, { assay: { judge } });
const confirm = vi.fn();
const result = { reasonCodes: ["UNLIMITED_APPROVAL_TO_ACCOUNT"], summary: "It gives everything away." };
const answer = (verdict: string) => ({ answer: { verdict, result, receiptUrl: "https://a/r" }, confirm });

beforeEach(() => {
  for (const mock of [judge, wallet.request, confirm]) mock.mockReset();
  wallet.request.mockResolvedValue("0x01");
});

describe("guardProvider", () => {
  it.each([
    ["eth_sendTransaction", [{ from, to, value: "0x1" }], { transaction: { from, to, value: 1n } }],
    ["eth_signTransaction", [{ from, to }], { transaction: { from, to, data: "0x" } }],
    ["personal_sign", ["0x1234", from], { message: { personalMessage: "0x1234" }, signer: from }],
    ["personal_sign", ["hello", from], { message: { personalMessage: "0x68656c6c6f" } }],
    ["eth_signTypedData_v4", [from, JSON.stringify(document)], { signer: from }],
    [
      "wallet_sendCalls",
      [{ from, chainId: "0x2105", calls: [{ to }] }],
      { message: { calls: [{ to, data: "0x", value: "0x0" }] } },
    ],
  ])("has %s judged before the wallet learns of it", async (method, params, question) => {
    judge.mockRejectedValueOnce(new Error("no verdict"));
    await expect(guarded.request({ method, params })).rejects.toThrow("no verdict");
    expect(wallet.request).not.toHaveBeenCalled();
    judge.mockResolvedValue(answer("allow"));
    expect(await guarded.request({ method, params })).toBe("0x01");
    expect(judge.mock.lastCall?.[0]).toMatchObject(question);
    expect(confirm).toHaveBeenCalledOnce();
    expect(wallet.request.mock.lastCall?.[0]).toMatchObject({ method });
  });

  it("rejects as a user does, with verdict, reasons and receipt", async () => {
    judge.mockResolvedValue(answer("block"));
    const client = createWalletClient({ account: from, chain: base, transport: custom(guarded) });
    wallet.request.mockImplementation(async ({ method }) => (method === "eth_chainId" ? "0x2105" : "0x01"));
    const failure = await client.sendTransaction({ to, gas: 21_000n }).catch((error: unknown) => error);
    const rejected = (failure as UserRejectedRequestError).walk(
      (one) => one instanceof UserRejectedRequestError,
    );
    expect(rejected).toMatchObject({
      code: 4001,
      cause: { data: { verdict: "block", reasons: result.reasonCodes, receiptUrl: "https://a/r" } },
    });
    expect((rejected as { cause?: { cause?: unknown } }).cause?.cause).toBeInstanceOf(GuardRefusedError);
    expect(wallet.request.mock.calls.map(([{ method }]) => method)).not.toContain("eth_sendTransaction");
  });

  it.each([
    ["eth_sign", [from, "0x12"], 4200],
    ["eth_signTypedData_v3", [from, "{}"], 4200],
    ["wallet_grantPermissions", [{}], 4200],
    ["wallet_somethingNew", [], 4200],
    ["eth_sendTransaction", [{ from, data: "0x60" }], 4001],
    ["eth_sendTransaction", [{ from, to, authorizationList: [] }], -32602],
    ["eth_sendTransaction", [{ from, to, chainId: "0x1" }], -32602],
    ["eth_sendTransaction", {}, -32602],
  ])("does not pass on %s with %j", async (method, params, code) => {
    await expect(guarded.request({ method, params })).rejects.toMatchObject({ code });
    expect([judge, wallet.request].flatMap((mock) => mock.mock.calls)).toEqual([]);
  });

  it("passes reads and the wallet's own fields, but no older way to ask", async () => {
    await guarded.request({ method: "eth_getBalance", params: [from, "latest"] });
    expect(wallet.request).toHaveBeenCalledWith({ method: "eth_getBalance", params: [from, "latest"] });
    guarded.on("accountsChanged", () => {});
    expect(wallet.on).toHaveBeenCalledOnce();
    expect([guarded.isOwn, guarded.send, guarded.sendAsync]).toEqual([true, undefined, undefined]);
  });

  it("signs what was judged, also when somebody changes it meanwhile", async () => {
    const transaction = { from, to, value: "0x1" };
    judge.mockImplementation(async () => {
      transaction.value = "0xffff";
      return answer("allow");
    });
    await guarded.request({ method: "eth_sendTransaction", params: [transaction] });
    expect(wallet.request.mock.lastCall?.[0]).toMatchObject({ params: [{ value: "0x1" }] });
  });
});
