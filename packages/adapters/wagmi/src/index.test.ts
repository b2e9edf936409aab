import { createClient, custom, type Hex } from "viem";
import { base } from "viem/chains";
import { expect, it, vi } from "vitest";
import { expectProtection } from "../../../../examples/testing/runAdapter.js";
import { guardConnector } from "./index.js";

it("judges what wagmi has the wallet sign, and rejects the drain as a user would", async () => {
  const { guarded, unguarded } = await expectProtection("packages/adapters/wagmi");
  expect(guarded).toEqual([
    "swap: sent: success",
    expect.stringMatching(/^drain: not signed \(block\): .*UNLIMITED_APPROVAL_TO_ACCOUNT/),
    expect.stringMatching(/^permit: not signed \(block\): .*UNLIMITED_APPROVAL_TO_ACCOUNT/),
    "The stranger may take 0.",
  ]);
  expect(unguarded.slice(0, 3)).toEqual([
    "swap: sent: success",
    "drain: sent: success",
    expect.stringMatching(/^permit: signed 0x/),
  ]);
});

it("gives wagmi one provider for each of the wallet's, and no client that goes around it", async () => {
  const provider = { request: vi.fn(), on: vi.fn() };
  const getClient = async () => createClient({ chain: base, transport: custom(provider) });
  const inner = () => ({ id: "own", getProvider: async () => provider, getClient });
  const create = guardConnector(inner as never, { assay: { judge: vi.fn() } as never });
  const connector = create({} as never);
  expect(await connector.getProvider()).toBe(await connector.getProvider());
  expect(await connector.getProvider()).not.toBe(provider);
  expect(connector.getClient).toBeUndefined();
  const guarded = (await connector.getProvider()) as typeof provider;
  await expect(guarded.request({ method: "eth_sign", params: ["0x", "0x" as Hex] })).rejects.toMatchObject({
    code: 4200,
  });
  expect(provider.request).not.toHaveBeenCalled();
});
