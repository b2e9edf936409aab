import type { Hex } from "@assay/protocol";
import { zeroAddress } from "viem";
import { getContract, type LocalChainFacts, type Sample } from "../localChain.js";

/** The local chain's pools of plain tokens against wrapped ether, which differ by their hooks alone. */
export function listSamples(facts: LocalChainFacts): Sample[] {
  const behind = (hook: string) => describeSamplePool(facts, getContract(facts, hook));
  return [
    { name: "Without a hook", input: describeSamplePool(facts, zeroAddress) },
    { name: "Hook that takes 0.1 %", input: behind("v4FeeHook") },
    { name: "Hook that takes a tenth", input: behind("v4SkimmingHook") },
    { name: "Hook that lets nothing out", input: behind("v4OneWayHook") },
    { name: "Hook behind a proxy", input: behind("v4UpgradeableHook") },
  ];
}

/** The input that asks about one of these pools. */
export function describeSamplePool(facts: Pick<LocalChainFacts, "contracts">, hooks: Hex) {
  const plainToken = getContract(facts, "plainToken");
  const weth = getContract(facts, "weth");
  // v4 identifies a pool by its currencies in the order of their addresses.
  const isTokenFirst = plainToken.toLowerCase() < weth.toLowerCase();
  return {
    poolManager: getContract(facts, "poolManager"),
    currency0: isTokenFirst ? plainToken : weth,
    currency1: isTokenFirst ? weth : plainToken,
    fee: 3000,
    tickSpacing: 60,
    hooks,
  };
}
