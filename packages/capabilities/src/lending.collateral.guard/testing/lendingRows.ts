import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { maxUint256, parseEther, parseUnits, zeroAddress } from "viem";
import { loadSample } from "./lendingActions.js";
import { ask, dollars, HOUR, type LendingRow, withFeed, withLoanToken } from "./lendingRow.js";
import { oracleRows } from "./oracleRows.js";
import { unvouchedRows } from "./unvouchedRows.js";

const safe: LendingRow[] = [
  {
    name: "a loan that survives a fall of a fifth",
    verdict: "allow",
    reasons: ["MARKET_MATCHES", "ORACLE_PRICE_EXPLAINED", "BORROW_ALLOWED", "HEALTHY_AFTER_FALL_20"],
    ...ask("10000"),
  },
  {
    name: "a second loan beside the first, a month later",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED", "HEALTHY_AFTER_FALL_20"],
    async prepare(world) {
      await world.borrow(world.honest, dollars("6000"), world.alice);
      await world.devnet.request("evm_increaseTime", [30 * 24 * HOUR]);
      await world.devnet.mine();
      return { params: world.honest, user: world.alice, amount: dollars("4000") };
    },
  },
  {
    name: "a loan without interest",
    verdict: "allow",
    reasons: ["INTEREST_FREE", "BORROW_ALLOWED"],
    async prepare(world) {
      const params = await world.openLike({ irm: zeroAddress });
      return { params, user: world.alice, amount: dollars("10000") };
    },
  },
  {
    name: "a loan that a fall of a fifth would liquidate",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_20"],
    ...ask("22000"),
  },
  {
    name: "a user who is a contract wallet",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED"],
    async prepare(world) {
      const user = lowercase(world.devnet.contracts.wallet1271);
      await world.addCollateral(world.honest, parseEther("10"), user);
      return { params: world.honest, user, amount: dollars("10000") };
    },
  },
  {
    name: "a user with nothing to pay fees with",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED"],
    async prepare(world) {
      const user: Hex = "0x00000000000000000000000000000000000b0b0b";
      await world.addCollateral(world.honest, parseEther("10"), user);
      return { params: world.honest, user, amount: dollars("10000") };
    },
  },
];

const tight: LendingRow[] = [
  {
    name: "a loan that a fall of a tenth would liquidate",
    verdict: "review",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_10"],
    ...ask("24000"),
  },
  {
    name: "a loan that a fall of a twentieth would liquidate",
    verdict: "block",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_5"],
    ...ask("25000"),
  },
  {
    // The very most depends on the second; the campaign borrows it to the unit.
    name: "nearly the most that can be borrowed",
    verdict: "block",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_5"],
    ...ask("25799"),
  },
  {
    name: "one unit more than can be borrowed",
    verdict: "block",
    reasons: ["COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    ...ask("25800.000001"),
  },
  {
    name: "no collateral",
    verdict: "block",
    reasons: ["COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    prepare: ({ honest, bob }) => ({ params: honest, user: bob, amount: 1n }),
  },
  {
    name: "more than the market has",
    verdict: "block",
    reasons: ["LIQUIDITY_TOO_LOW", "BORROW_REVERTS"],
    async prepare(world) {
      await world.addCollateral(world.honest, parseEther("1000"), world.alice);
      return { params: world.honest, user: world.alice, amount: dollars("900000.000001") };
    },
  },
  {
    name: "a position that can be liquidated already",
    verdict: "block",
    reasons: ["ALREADY_UNHEALTHY", "COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    async prepare(world) {
      await world.borrow(world.honest, dollars("25000"), world.alice);
      return withFeed(parseUnits("2800", 8), 0).prepare(world);
    },
  },
  {
    name: "an amount beyond all numbers",
    verdict: "block",
    reasons: ["AMOUNT_TOO_LARGE", "LIQUIDITY_TOO_LOW", "BORROW_REVERTS"],
    prepare: ({ honest, alice }) => ({ params: honest, user: alice, amount: maxUint256 }),
  },
];

const mistaken: LendingRow[] = [
  {
    name: "an id under which there is no market",
    verdict: "block",
    reasons: ["MARKET_NOT_CREATED"],
    prepare: ({ honest, alice }) => ({
      params: honest,
      user: alice,
      amount: 1n,
      marketId: `0x${"ab".repeat(32)}`,
    }),
  },
  {
    name: "the two tokens exchanged",
    verdict: "block",
    reasons: ["MARKET_TOKENS_DIFFER"],
    prepare: ({ honest, alice }) => ({
      params: honest,
      user: alice,
      amount: 1n,
      loanToken: honest.collateralToken,
      collateralToken: honest.loanToken,
    }),
  },
  {
    name: "another collateral token than the market's",
    verdict: "block",
    reasons: ["MARKET_TOKENS_DIFFER"],
    prepare: ({ honest, alice, devnet }) => ({
      params: honest,
      user: alice,
      amount: 1n,
      collateralToken: lowercase(devnet.contracts.plainToken),
    }),
  },
  {
    name: "no Morpho on the chain",
    verdict: "block",
    reasons: ["LENDING_CONTRACT_ABSENT"],
    async prepare(world) {
      await world.devnet.request("hardhat_setCode", [world.morpho, "0x"]);
      await world.devnet.mine();
      return { params: world.honest, user: world.alice, amount: dollars("10000") };
    },
  },
];

const tokens: LendingRow[] = [
  {
    name: "a loan in a token that is priced as the stablecoin and is not it",
    verdict: "review",
    reasons: ["FEED_PAIR_DIFFERS", "BORROW_ALLOWED"],
    ...withLoanToken("PlainToken"),
  },
  {
    name: "a loan in a token that keeps a hundredth",
    verdict: "block",
    reasons: ["LOAN_ARRIVES_SHORT"],
    ...withLoanToken("SkimmingToken"),
  },
  {
    name: "a loan in a token that has blacklisted the user",
    verdict: "block",
    reasons: ["BORROW_REVERTS", "LOAN_TOKEN_REFUSES"],
    ...withLoanToken("BlacklistingToken", (world, token) =>
      world.call(token, loadSample("BlacklistingToken").abi, "blacklist", [world.alice]),
    ),
  },
  {
    name: "a loan in a paused token",
    verdict: "block",
    reasons: ["BORROW_REVERTS", "LOAN_TOKEN_REFUSES"],
    ...withLoanToken("PausableToken", (world, token) =>
      world.call(token, loadSample("PausableToken").abi, "pause"),
    ),
  },
  {
    name: "a loan whose interest model hides its rate",
    verdict: "review",
    reasons: ["COMPUTATION_DISAGREES"],
    async prepare(world) {
      const params = await world.openLike({ irm: await world.deploy("TwoFacedRateModel") });
      await world.addCollateral(params, parseEther("10"), world.bob);
      await world.borrow(params, dollars("10000"), world.bob);
      await world.devnet.request("evm_increaseTime", [HOUR]);
      await world.devnet.mine();
      return { params, user: world.alice, amount: dollars("5000") };
    },
  },
];

export const lendingRows: readonly LendingRow[] = [
  ...safe,
  ...tight,
  ...mistaken,
  ...oracleRows,
  ...unvouchedRows,
  ...tokens,
];
