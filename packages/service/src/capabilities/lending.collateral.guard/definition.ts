import { getCapabilitySpec } from "@assay/protocol";
import {
  evaluateLendingCollateral,
  type LendingCollateralReadings,
  listLendingCollateralFacts,
} from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherLendingCollateral } from "./gather.js";

export const lendingCollateralGuard: Capability<"lending.collateral.guard", LendingCollateralReadings> = {
  spec: { ...getCapabilitySpec("lending.collateral.guard"), id: "lending.collateral.guard" },
  gather: gatherLendingCollateral,
  evaluate: evaluateLendingCollateral,
  listFacts: listLendingCollateralFacts,
  watchedBy: null,
  longLivedPart: null,
};
