import { getCapabilitySpec } from "@assay/protocol";
import { evaluateRwaMarket, listRwaMarketFacts, type RwaMarketReadings } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherRwaMarket } from "./gather.js";

export const rwaMarketGuard: Capability<"rwa.market.guard", RwaMarketReadings> = {
  spec: { ...getCapabilitySpec("rwa.market.guard"), id: "rwa.market.guard" },
  gather: gatherRwaMarket,
  evaluate: evaluateRwaMarket,
  listFacts: listRwaMarketFacts,
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
};
