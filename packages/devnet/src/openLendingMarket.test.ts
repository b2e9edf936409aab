import { type Address, createPublicClient, http, parseEther, parseUnits } from "viem";
import { base } from "viem/chains";
import { expect, test } from "vitest";
import { loadSample } from "./deploySamples.js";
import { useDevnet } from "./testing/useDevnet.js";

const local = useDevnet();

test("the described market is open under its id, lends, and holds alice's collateral", async () => {
  const client = createPublicClient({ chain: base, transport: http(local.devnet.rpcUrl) });
  const { id, loanToken, collateralToken, oracle, irm, lltv } = local.devnet.lendingMarket;
  const read = (functionName: string, args: readonly unknown[]) =>
    client.readContract({
      address: local.devnet.contracts.morpho,
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
  const alice = local.devnet.accounts.find(({ name }) => name === "alice")?.address as Address;
  expect(await read("position", [id, alice])).toEqual([0n, 0n, parseEther("10")]);
});
