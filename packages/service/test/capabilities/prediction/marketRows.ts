import { zeroAddress } from "viem";
import { accountOf, idOf, type PredictionRow, QUESTION, withOracle } from "./predictionRow.js";

export const marketRows: readonly PredictionRow[] = [
  {
    name: "market maker that names no oracle",
    hostile: false,
    verdict: "review",
    reasons: ["DECIDER_UNKNOWN", "QUESTION_UNCONFIRMED", "CONDITIONAL_TOKENS_KNOWN"],
    async prepare(world) {
      const { conditionId } = await withOracle(world, "SampleOracle", [zeroAddress]);
      const args = [world.conditionalTokens, world.devnet.contracts.stablecoin, [conditionId]];
      return { question: QUESTION, market: await world.launcher.deploy("SampleMarketMaker", args) };
    },
  },
  {
    name: "the tokens themselves, asked by condition id",
    hostile: false,
    verdict: "review",
    reasons: ["QUESTION_ID_MATCHES", "DECIDER_UNKNOWN"],
    async prepare(world) {
      const { conditionId } = await withOracle(world, "SampleOracle", [zeroAddress]);
      return { question: conditionId, market: world.conditionalTokens };
    },
  },
  {
    name: "the tokens themselves, asked in words",
    hostile: false,
    verdict: "review",
    reasons: ["MARKET_NOT_RECOGNISED"],
    prepare: async (world) => ({ question: QUESTION, market: world.conditionalTokens }),
  },
  {
    name: "asked by the id of another question",
    hostile: true,
    verdict: "block",
    reasons: ["QUESTION_OF_ANOTHER_MARKET"],
    prepare: async (world) => ({
      question: idOf("something else"),
      market: (await withOracle(world, "SampleRealityOracle", [zeroAddress])).market,
    }),
  },
  {
    name: "two conditions",
    hostile: false,
    verdict: "review",
    reasons: ["CONDITION_AMBIGUOUS"],
    async prepare(world) {
      const { oracle, questionId, conditionId } = await withOracle(world, "SampleRealityOracle", [
        zeroAddress,
      ]);
      const conditionIds = [conditionId, idOf("another")];
      const market = await world.openMarket({ oracle, questionId, conditionIds, isPrepared: false });
      return { question: QUESTION, market };
    },
  },
  {
    name: "twenty outcomes",
    hostile: false,
    verdict: "review",
    reasons: ["CONDITION_STATE_UNREAD", "CONDITION_RECOMPUTED"],
    async prepare(world) {
      const oracle = await world.launcher.deploy("SampleRealityOracle", [zeroAddress]);
      const market = await world.openMarket({ oracle, questionId: idOf(QUESTION), outcomes: 20n });
      return { question: QUESTION, market };
    },
  },
  {
    name: "tokens that lie about payouts",
    hostile: true,
    verdict: "review",
    reasons: ["CONDITIONAL_TOKENS_UNKNOWN"],
    async prepare(world) {
      const { oracle, questionId } = await withOracle(world, "SampleRealityOracle", [zeroAddress]);
      const tokens = await world.launcher.deploy("LyingConditionalTokens", [2n, 1n]);
      const market = await world.openMarket({ oracle, questionId, tokens, isPrepared: false });
      return { question: QUESTION, market };
    },
  },
  {
    name: "tokens that answer without end",
    hostile: true,
    verdict: "review",
    reasons: ["CONDITIONAL_TOKENS_UNKNOWN", "CONDITION_STATE_UNREAD"],
    async prepare(world) {
      const { oracle, questionId } = await withOracle(world, "SampleRealityOracle", [zeroAddress]);
      const tokens = await world.launcher.deploy("VerboseContract", [200_000n]);
      const market = await world.openMarket({ oracle, questionId, tokens, isPrepared: false });
      return { question: QUESTION, market };
    },
  },
  {
    name: "tokens without code",
    hostile: true,
    verdict: "block",
    reasons: ["CONDITION_NOT_PREPARED"],
    async prepare(world) {
      const { oracle, questionId } = await withOracle(world, "SampleRealityOracle", [zeroAddress]);
      const market = await world.openMarket({ oracle, questionId, tokens: accountOf(2), isPrepared: false });
      return { question: QUESTION, market };
    },
  },
  {
    name: "condition id that does not recompute",
    hostile: true,
    verdict: "block",
    reasons: ["CONDITION_MISMATCH", "DECIDER_UNKNOWN"],
    async prepare(world) {
      const { conditionId } = await withOracle(world, "SampleRealityOracle", [zeroAddress]);
      const other = { oracle: accountOf(3), questionId: idOf(QUESTION), conditionIds: [conditionId] };
      return { question: QUESTION, market: await world.openMarket({ ...other, isPrepared: false }) };
    },
  },
  {
    name: "condition that was never prepared",
    hostile: true,
    verdict: "block",
    reasons: ["CONDITION_NOT_PREPARED"],
    prepare: async (world) => ({
      question: QUESTION,
      market: await world.openMarket({ oracle: accountOf(4), questionId: idOf("never"), isPrepared: false }),
    }),
  },
  {
    name: "payouts that do not add up",
    hostile: true,
    verdict: "block",
    reasons: ["PAYOUTS_INCONSISTENT"],
    async prepare(world) {
      const { market, conditionId } = await withOracle(world, "SampleRealityOracle", [zeroAddress]);
      await world.setPayouts(conditionId, 1n, [1n, 1n]);
      return { question: QUESTION, market };
    },
  },
  {
    name: "payouts reported in part",
    hostile: true,
    verdict: "block",
    reasons: ["PAYOUTS_INCONSISTENT"],
    async prepare(world) {
      const { market, conditionId } = await withOracle(world, "SampleRealityOracle", [zeroAddress]);
      await world.setPayouts(conditionId, 0n, [1n]);
      return { question: QUESTION, market };
    },
  },
  {
    name: "market whose code can be replaced",
    hostile: true,
    verdict: "review",
    reasons: ["MARKET_UPGRADEABLE"],
    async prepare(world) {
      const { market } = await withOracle(world, "SampleRealityOracle", [zeroAddress]);
      await world.makeUpgradeable(market);
      return { question: QUESTION, market };
    },
  },
  {
    name: "collateral without code",
    hostile: true,
    verdict: "block",
    reasons: ["COLLATERAL_HAS_NO_CODE"],
    async prepare(world) {
      const oracle = await world.launcher.deploy("SampleRealityOracle", [zeroAddress]);
      const options = { oracle, questionId: idOf(QUESTION), collateral: accountOf(5) };
      return { question: QUESTION, market: await world.openMarket(options) };
    },
  },
  {
    name: "contract without such functions",
    hostile: false,
    verdict: "review",
    reasons: ["MARKET_NOT_RECOGNISED", "DECIDER_UNKNOWN"],
    prepare: async (world) => ({ question: QUESTION, market: world.devnet.contracts.plainToken }),
  },
  {
    name: "no code",
    hostile: true,
    verdict: "block",
    reasons: ["NO_CODE"],
    prepare: async () => ({ question: QUESTION, market: accountOf(6) }),
  },
  {
    name: "market that answers without end",
    hostile: true,
    verdict: "review",
    reasons: ["MARKET_ANSWER_MALFORMED", "MARKET_NOT_RECOGNISED"],
    prepare: async (world) => ({
      question: QUESTION,
      market: await world.launcher.deploy("VerboseContract", [200_000n]),
    }),
  },
  {
    name: "market that burns all gas",
    hostile: true,
    verdict: "review",
    reasons: ["MARKET_NOT_RECOGNISED"],
    async prepare({ devnet }) {
      const market = accountOf(7);
      await devnet.request("hardhat_setCode", [market, "0xfe"]);
      await devnet.mine();
      return { question: QUESTION, market };
    },
  },
  {
    name: "calls unanswered",
    hostile: true,
    verdict: "review",
    reasons: ["MARKET_UNREAD", "DECIDER_UNKNOWN"],
    prepare: async (world) => ({
      question: QUESTION,
      market: (await withOracle(world, "SampleRealityOracle", [zeroAddress])).market,
      through: world.deafTo(({ kind }) => kind === "call"),
    }),
  },
  {
    name: "the lenses unanswered",
    hostile: true,
    verdict: "review",
    reasons: ["CONDITION_STATE_UNREAD", "ORACLE_UNREAD"],
    prepare: async (world) => ({
      question: QUESTION,
      market: (await withOracle(world, "SampleRealityOracle", [zeroAddress])).market,
      through: world.deafTo((read) => read.kind === "call" && read.to === null),
    }),
  },
];
