import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from "viem";
import { parseProbeAnswer } from "../../shared/simulation/gather/parseProbeAnswer.js";
import type { MarketParams } from "../morphoLayout.js";
import type { OracleSight } from "../readings.js";
import { tellWord } from "./tellWord.js";

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
 * Asks the oracle for its parts and each part what it says in the same call: asked one after the other they would cost a
 * further round trip. Each question inside is given 300,000 gas, so that none can use up what the others need.
 */
export function readOracleParts({ oracle, collateralToken, loanToken }: MarketParams): CallRead {
  const args = encodeAbiParameters(parameters, [oracle, collateralToken, loanToken]);
  return { kind: "call", to: null, data: `${bytecode}${args.slice(2)}`, gas: 10_000_000 };
}

export function parseOracleParts(reading: Reading<Hex>): Reading<OracleSight> {
  return parseProbeAnswer(reading, (data) => {
    const [{ scaleFactor, vaults, feeds, tokenDecimals }] = decodeAbiParameters(answer, data);
    const [collateralToken, loanToken] = tokenDecimals;
    return {
      scaleFactor: tellWord(scaleFactor),
      vaults: vaults.map(({ vault, sample, assets, assetDecimals }) => ({
        vault: tellWord(vault),
        sample: tellWord(sample),
        assets: tellWord(assets),
        assetDecimals: tellWord(assetDecimals),
      })),
      feeds: feeds.map((one) => ({
        feed: tellWord(one.feed),
        decimals: tellWord(one.decimals),
        answer: tellWord(one.answer),
        updatedAt: tellWord(one.updatedAt),
      })),
      tokenDecimals: { collateralToken: tellWord(collateralToken), loanToken: tellWord(loanToken) },
    };
  });
}
