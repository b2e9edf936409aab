import { REALITY_ETH } from "@assay/capabilities/prediction.evidence/knownProcedures";
import type { Hex } from "@assay/protocol";
import { zeroAddress } from "viem";
import { accountOf, idOf, type PredictionRow, QUESTION, withOracle } from "./predictionRow.js";
import type { PredictionWorld } from "./predictionWorld.js";

/** An oracle that waits for a sample at the address of Reality.eth. */
async function withReality(world: PredictionWorld) {
  const sample = await world.launcher.deploy("SampleRealityOracle", [zeroAddress]);
  const code = await world.devnet.request<Hex>("eth_getCode", [sample, "latest"]);
  await world.devnet.request("hardhat_setCode", [REALITY_ETH, code]);
  return withOracle(world, "SampleRealityOracle", [REALITY_ETH]);
}

export const oracleRows: readonly PredictionRow[] = [
  {
    name: "Reality.eth, open",
    hostile: false,
    verdict: "allow",
    reasons: ["QUESTION_ID_MATCHES", "DECIDED_BY_BONDED_ANSWERS", "PROCEDURE_OPEN"],
    prepare: async (world) => ({
      question: QUESTION,
      market: (await withReality(world)).market,
    }),
  },
  {
    name: "oracle that is its own Reality.eth",
    hostile: true,
    verdict: "review",
    reasons: ["QUESTION_ID_MATCHES", "ORACLE_RULE_UNKNOWN"],
    prepare: async (world) => ({
      question: QUESTION,
      market: (await withOracle(world, "SampleRealityOracle", [zeroAddress])).market,
    }),
  },
  {
    name: "Reality.eth, in arbitration",
    hostile: false,
    verdict: "review",
    reasons: ["PROPOSAL_DISPUTED"],
    async prepare(world) {
      const { market, questionId } = await withReality(world);
      await world.send(REALITY_ETH, "SampleRealityOracle", "setState", [questionId, false, true]);
      return { question: QUESTION, market };
    },
  },
  {
    name: "oracle contract, how it decides unknown",
    hostile: false,
    verdict: "review",
    reasons: ["ORACLE_IS_CONTRACT", "ORACLE_RULE_UNKNOWN"],
    prepare: async (world) => ({
      question: QUESTION,
      market: (await withOracle(world, "SampleOracle", [zeroAddress])).market,
    }),
  },
  {
    name: "oracle contract, has reported",
    hostile: false,
    verdict: "allow",
    reasons: ["PAYOUTS_REPORTED", "OWNER_RENOUNCED"],
    async prepare(world) {
      const { market, oracle, questionId } = await withOracle(world, "SampleOracle", [zeroAddress]);
      await world.send(oracle, "SampleOracle", "report", [world.conditionalTokens, questionId, [0n, 3n]]);
      return { question: QUESTION, market };
    },
  },
  {
    name: "oracle with an owner",
    hostile: false,
    verdict: "review",
    reasons: ["ORACLE_HAS_OWNER"],
    prepare: async (world) => ({
      question: QUESTION,
      market: (await withOracle(world, "SampleOracle", [world.devnet.deployer.address])).market,
    }),
  },
  {
    name: "oracle is a plain account",
    hostile: true,
    verdict: "review",
    reasons: ["ORACLE_IS_ACCOUNT"],
    prepare: async (world) => ({
      question: QUESTION,
      market: await world.openMarket({ oracle: accountOf(1), questionId: idOf(QUESTION) }),
    }),
  },
  {
    name: "oracle is a proxy",
    hostile: true,
    verdict: "review",
    reasons: ["ORACLE_UPGRADEABLE"],
    prepare: async (world) => ({
      question: QUESTION,
      market: await world.openMarket({
        oracle: world.devnet.contracts.transparentProxy,
        questionId: idOf(QUESTION),
      }),
    }),
  },
  {
    name: "oracle is the zero address",
    hostile: true,
    verdict: "block",
    reasons: ["ORACLE_CANNOT_REPORT"],
    prepare: async (world) => ({
      question: QUESTION,
      market: await world.openMarket({ oracle: zeroAddress, questionId: idOf(QUESTION) }),
    }),
  },
];
