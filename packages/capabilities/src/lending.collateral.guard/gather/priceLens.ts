import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from "viem";
import { parseProbeAnswer } from "../../shared/simulation/gather/parseProbeAnswer.js";
import type { MarketParams } from "../morphoLayout.js";
import type { OracleParts } from "../readings.js";
import { wordOrNull } from "./wordOrNull.js";

const { bytecode } = createRequire(import.meta.url)("@assay/contracts/out/PriceLens.json") as {
  readonly bytecode: Hex;
};

const parameters = parseAbiParameters("address oracle, address collateralToken, address loanToken");
const answer = parseAbiParameters([
  "Sight sight",
  "struct Sight { Word scaleFactor; Vault[2] vaults; Feed[4] feeds; Word[2] tokenDecimals; }",
  "struct Vault { Word vault; Word sample; Word assets; Word assetDecimals; }",
  "struct Feed { Word feed; Word decimals; Word answer; Word updatedAt; }",
  "struct Word { bool isRead; uint256 value; }",
]);

/**
 * Asks the oracle for its parts and each part for its values in the same call: one after the other they would cost
 * another round trip. Each question inside is given 300,000 gas, so that none can use up what the others need.
 */
export function readOracleParts({ oracle, collateralToken, loanToken }: MarketParams): CallRead {
  const args = encodeAbiParameters(parameters, [oracle, collateralToken, loanToken]);
  return { kind: "call", to: null, data: `${bytecode}${args.slice(2)}`, gas: 10_000_000 };
}

export function parseOracleParts(reading: Reading<Hex>): Reading<OracleParts> {
  return parseProbeAnswer(reading, (data) => {
    const [{ scaleFactor, vaults, feeds, tokenDecimals }] = decodeAbiParameters(answer, data);
    const [collateralToken, loanToken] = tokenDecimals;
    return {
      scaleFactor: wordOrNull(scaleFactor),
      vaults: vaults.map(({ vault, sample, assets, assetDecimals }) => ({
        vault: wordOrNull(vault),
        sample: wordOrNull(sample),
        assets: wordOrNull(assets),
        assetDecimals: wordOrNull(assetDecimals),
      })),
      feeds: feeds.map((one) => ({
        feed: wordOrNull(one.feed),
        decimals: wordOrNull(one.decimals),
        answer: wordOrNull(one.answer),
        updatedAt: wordOrNull(one.updatedAt),
      })),
      tokenDecimals: { collateralToken: wordOrNull(collateralToken), loanToken: wordOrNull(loanToken) },
    };
  });
}
