import { describe, expect, it, vi } from "vitest";
import { expectProtection } from "../../../../examples/testing/runAdapter.js";
import { guardWallet } from "./index.js";

it("judges what the framework's wallet signs, and does not sign the drain", async () => {
  const { guarded, unguarded } = await expectProtection("packages/adapters/goat");
  expect(guarded).toEqual([
    "contract_guard: ALLOW by contract.guard",
    "swap: sent: success",
    expect.stringMatching(/^drain: not signed \(block\): .*UNLIMITED_APPROVAL_TO_ACCOUNT/),
    "The stranger may take 0.",
  ]);
  expect(unguarded.slice(1, 3)).toEqual(["swap: sent: success", "drain: sent: success"]);
});

describe("guardWallet", () => {
  const asked = vi.fn(async (_given: unknown) => ({ hash: "0x01", signature: "0x01" }));
  const inner = {
    getAddress: () => "0x00000000000000000000000000000000000a11ce",
    getChain: () => ({ type: "evm", id: 8453 }),
    ...{ sendTransaction: asked, signTypedData: asked, signMessage: asked },
  } as never;
  const judge = vi.fn();
  const wallet = guardWallet(inner, { assay: { judge } as never, enableSend: true });
  const tokenAddress = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

  it("asks the wallet inside for nothing that was not judged, in every way to sign", async () => {
    judge.mockRejectedValue(new Error("no verdict"));
    for (const act of [
      () => wallet.sendTransaction({ to: tokenAddress, value: 1n }),
      () => wallet.approve({ tokenAddress, spender: tokenAddress, amount: "1" }),
      () => wallet.sendToken({ recipient: tokenAddress, amountInBaseUnits: "1", tokenAddress }),
      () => wallet.signMessage("hello"),
      () => wallet.signTypedData({ domain: {}, types: {}, primaryType: "A", message: {} }),
    ])
      await expect(act()).rejects.toThrow("no verdict");
    const paymaster = { address: tokenAddress, input: "0x" } as const;
    await expect(wallet.sendTransaction({ to: tokenAddress, options: { paymaster } })).rejects.toThrow(
      "No guard evaluates a paymaster",
    );
    expect(asked).not.toHaveBeenCalled();
  });

  it("passes on exactly what was judged", async () => {
    judge.mockResolvedValue({ answer: { verdict: "allow" }, confirm: vi.fn() });
    await wallet.approve({ tokenAddress, spender: tokenAddress, amount: "1" });
    const [{ transaction }] = judge.mock.calls.at(-1) ?? [];
    const { to, data, value } = transaction;
    expect(asked.mock.calls.at(-1)?.[0]).toEqual({ to, data, value });
    expect(data).toMatch(/^0x095ea7b3/);
  });
});
