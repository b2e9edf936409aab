import { type Address, createPublicClient, http, parseEther, parseUnits } from "viem";
import { base } from "viem/chains";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDevnet, type Devnet } from "./createDevnet.js";
import { loadSample } from "./deploySamples.js";

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ blockTimeMs: 0 });
});
afterAll(() => devnet?.close());

test("the described market is open under its id, lends, and holds alice's collateral", async () => {
  const client = createPublicClient({ chain: base, transport: http(devnet.rpcUrl) });
  const { id, loanToken, collateralToken, oracle, irm, lltv } = devnet.lendingMarket;
  const read = (functionName: string, args: readonly unknown[]) =>
    client.readContract({
      address: devnet.contracts.morpho,
      abi: loadSample("Morpho").abi,
      functionName,
      args,
    });
  expect(await read("idToMarketParams", [id])).toEqual([
    loanToken,
    collateralToken,
    oracle,
    irm,
    BigInt(lltv),
  ]);
  const [supplied, , borrowed] = (await read("market", [id])) as bigint[];
  expect([supplied, borrowed]).toEqual([parseUnits("1000000", 6), parseUnits("100000", 6)]);
  const alice = devnet.accounts.find(({ name }) => name === "alice")?.address as Address;
  expect(await read("position", [id, alice])).toEqual([0n, 0n, parseEther("10")]);
});
