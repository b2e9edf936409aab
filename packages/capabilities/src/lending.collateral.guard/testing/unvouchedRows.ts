import { SCALE } from "./lendingActions.js";
import { deployOracle, type LendingRow, withOracle } from "./lendingRow.js";

/** Oracles that name honest feeds and now give the price these make, of code that no factory answers for. */
const oracles: [name: string, deploy: Parameters<typeof withOracle>[0]][] = [
  [
    "an oracle like the honest one that nobody answers for",
    (world) => deployOracle(world, "SampleFeedOracle"),
  ],
  ["an oracle whose price is a constant", (world) => deployOracle(world, "ConstantOracle")],
  ["an oracle whose price anybody may set", (world) => deployOracle(world, "SettableOracle")],
  [
    "an oracle that answers by tx.origin",
    (world) => deployOracle(world, "OriginOracle", SCALE, world.deployer),
  ],
  [
    "an oracle that answers by block number",
    async (world) => {
      const now = BigInt(await world.devnet.request<string>("eth_blockNumber"));
      return deployOracle(world, "BlockNumberOracle", SCALE, now + 1_000n);
    },
  ],
  ["an oracle that answers by gasleft()", (world) => deployOracle(world, "GasOracle")],
  [
    "an oracle that delegates to exchangeable code",
    async (world) => {
      const behind = await deployOracle(world, "SampleFeedOracle");
      return deployOracle(world, "DelegatingOracle", SCALE, behind);
    },
  ],
];

export const unvouchedRows: readonly LendingRow[] = oracles.map(([name, deploy]) => ({
  name,
  verdict: "review",
  reasons: ["ORACLE_CODE_UNKNOWN", "ORACLE_PRICE_EXPLAINED", "BORROW_ALLOWED"],
  ...withOracle(deploy),
}));
