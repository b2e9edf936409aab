import { describe, expect, it, vi } from "vitest";
import { expectProtection } from "../../../../examples/testing/runAdapter.js";

it("judges what the framework's wallet signs, and does not sign the drain", async () => {
  const { guarded, unguarded } = await expectProtection("packages/adapters/agentkit");
  expect(guarded).toEqual([
    "contract_guard: ALLOW by contract.guard",
    "swap: sent: success",
    expect.stringMatching(/^drain: not signed \(block\): .*UNLIMITED_APPROVAL_TO_ACCOUNT/),
    "The stranger may take 0.",
  ]);
  expect(unguarded.slice(1, 3)).toEqual(["swap: sent: success", "drain: sent: success"]);
});

describe("guardWallet", () => {
  // What the wallet inside was asked to do.
  const asked = vi.fn(async (_given: unknown) => "0x01" as const);
  const inner = {
    getAddress: () => "0x00000000000000000000000000000000000a11ce",
    getName: () => "inner",
    getNetwork: () => ({ protocolFamily: "evm", chainId: "8453" }),
    waitForTransactionReceipt: vi.fn(),
    ...{ sendTransaction: asked, signTransaction: asked, signTypedData: asked, signMessage: asked },
  } as never;
  const judge = vi.fn();
  const guarded = async () => {
    // AgentKit reports every wallet to Coinbase.
    vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response());
    const { guardWallet } = await import("./index.js");
    return guardWallet(inner, { assay: { judge } as never });
  };
  const to = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" as const;

  it("asks the wallet inside for nothing that was not judged, in every way to sign", async () => {
    judge.mockRejectedValue(new Error("no verdict"));
    const wallet = await guarded();
    for (const act of [
      () => wallet.sendTransaction({ to, value: 1n }),
      () => wallet.signTransaction({ to, value: 1n }),
      () => wallet.nativeTransfer(to, "1"),
      () => wallet.signMessage("hello"),
      () => wallet.signTypedData({ domain: {}, types: {}, primaryType: "A", message: {} }),
      () => wallet.toSigner().signMessage({ message: { raw: "0x1234" } }),
    ])
      await expect(act()).rejects.toThrow("no verdict");
    await expect(wallet.sign(`0x${"ab".repeat(32)}`)).rejects.toThrow("bare hash");
    await expect(wallet.sendTransaction({ to, authorizationList: [] } as never)).rejects.toThrow(
      "No guard evaluates authorizationList",
    );
    expect(asked).not.toHaveBeenCalled();
    expect(judge.mock.calls.at(-1)?.[0]).toMatchObject({ message: { personalMessage: "0x1234" } });
  });

  it("passes on exactly what was judged", async () => {
    judge.mockResolvedValue({ answer: { verdict: "allow" }, confirm: vi.fn() });
    const wallet = await guarded();
    await wallet.sendTransaction({ to, value: 1n, gas: 5n });
    expect(judge.mock.calls.at(-1)?.[0]).toMatchObject({ transaction: { to, data: "0x", value: 1n } });
    expect(asked.mock.calls.at(-1)?.[0]).toEqual({ to, data: "0x", value: 1n, gas: 5n });
  });
});
