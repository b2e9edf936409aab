import { maxUint256, parseUnits } from "viem";
import { SCALE } from "./lendingActions.js";
import {
  deployOracle,
  feedsOf,
  HOUR,
  type LendingRow,
  makeOracle,
  OUT_OF_GAS,
  PRICE,
  place,
  setMockPrice,
  withFeed,
  withOracle,
} from "./lendingRow.js";

/** What an oracle may be or do. */
export const oracleRows: readonly LendingRow[] = [
  {
    name: "an oracle that returns zero",
    verdict: "block",
    reasons: ["ORACLE_PRICE_ZERO", "COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    ...withOracle((world) => world.deploy("OracleMock")),
  },
  {
    name: "an oracle that reverts",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, "0x60006000fd")),
  },
  {
    name: "an oracle that answers with nothing",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, "0x00")),
  },
  {
    name: "an oracle that burns all gas",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, OUT_OF_GAS)),
  },
  {
    name: "an oracle that answers 64 kB of zeros",
    verdict: "block",
    reasons: ["ORACLE_PRICE_ZERO", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, "0x620100005ff3")),
  },
  {
    name: "an oracle without code",
    verdict: "block",
    reasons: ["ORACLE_HAS_NO_CODE", "BORROW_REVERTS"],
    ...withOracle(() => "0x00000000000000000000000000000000000e0a00"),
  },
  {
    name: "an oracle whose price no number holds",
    verdict: "block",
    reasons: ["AMOUNT_TOO_LARGE", "BORROW_REVERTS"],
    ...withOracle((world) => setMockPrice(world, maxUint256)),
  },
  {
    name: "an oracle that names no sources",
    verdict: "review",
    reasons: ["ORACLE_SOURCE_UNKNOWN", "BORROW_ALLOWED"],
    ...withOracle((world) => setMockPrice(world, 3000n * SCALE)),
  },
  {
    name: "an oracle behind an upgradeable proxy",
    verdict: "review",
    reasons: ["ORACLE_UPGRADEABLE", "BORROW_ALLOWED"],
    ...withOracle(async (world) => {
      const behind = await deployOracle(world, "SampleFeedOracle");
      return world.deploy("TransparentUpgradeableProxy", [behind, world.deployer, PRICE]);
    }),
  },
  {
    name: "an oracle that returns more than its feeds",
    verdict: "review",
    reasons: ["ORACLE_PRICE_UNEXPLAINED", "BORROW_ALLOWED"],
    ...withOracle((world) => deployOracle(world, "BoastfulOracle")),
  },
  {
    name: "an oracle with a zero too many",
    verdict: "review",
    reasons: ["ORACLE_SCALE_UNUSUAL", "BORROW_ALLOWED"],
    ...withOracle((world) => makeOracle(world, feedsOf(world), SCALE * 10n)),
  },
  {
    name: "an oracle made of its maker's own feeds",
    verdict: "review",
    reasons: ["ORACLE_FEED_UNKNOWN", "BORROW_ALLOWED"],
    ...withOracle(async (world) => {
      const feed = await world.deploy("SamplePriceFeed", [8, parseUnits("3000", 8)]);
      return makeOracle(world, [feed, world.devnet.contracts.usdcUsdFeed]);
    }),
  },
  {
    name: "another oracle of the factory, made of the same feeds",
    verdict: "allow",
    reasons: ["ORACLE_PRICE_EXPLAINED", "BORROW_ALLOWED"],
    ...withOracle((world) => makeOracle(world, feedsOf(world))),
  },
  {
    name: "an oracle whose feeds price the other token each",
    verdict: "block",
    reasons: ["FEED_PAIR_DIFFERS", "COLLATERAL_TOO_LOW"],
    ...withOracle((world) => makeOracle(world, feedsOf(world).toReversed())),
  },
  {
    name: "an oracle that halves the price in transactions",
    verdict: "review",
    reasons: ["LIQUIDATION_LINE_DIFFERS"],
    ...withOracle((world) => deployOracle(world, "TwoFacedOracle", SCALE, world.morpho)),
  },
  {
    name: "the same oracle, for more than the half carries",
    verdict: "block",
    reasons: ["BORROW_REVERTS", "COMPUTATION_DISAGREES"],
    ...withOracle((world) => deployOracle(world, "TwoFacedOracle", SCALE, world.morpho), "20000"),
  },
  {
    name: "an oracle with a price for the market alone",
    verdict: "review",
    reasons: ["ORACLE_ANSWERS_BY_CALLER"],
    ...withOracle((world) => deployOracle(world, "PartialOracle", SCALE, world.morpho)),
  },
  {
    name: "a feed two hours old that should be twenty minutes old",
    verdict: "review",
    reasons: ["ORACLE_FEED_STALE", "BORROW_ALLOWED"],
    ...withFeed(parseUnits("3000", 8), 2 * HOUR),
  },
  {
    name: "a feed of tomorrow",
    verdict: "review",
    reasons: ["ORACLE_FEED_STALE", "BORROW_ALLOWED"],
    ...withFeed(parseUnits("3000", 8), -24 * HOUR),
  },
  {
    name: "a feed below zero",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withFeed(-1n, 0),
  },
];
