import { capabilityInputs } from "@assay/protocol";
import {
  chainSnapshotRule,
  contractChangeRule,
  contractGuardRule,
  contractInterfaceRule,
  evidenceArtifactRule,
  lendingCollateralRule,
  obligationVerdictRule,
  predictionEvidenceRule,
  rwaMarketRule,
  swapGuardRule,
  tokenLaunchRule,
  tokenMetadataRule,
  tradeExecutionRule,
  transactionIntentRule,
} from "@assay/rules";
import { expect, test } from "vitest";
import { capabilities, findCapability } from "./registry.js";

test("every capability is filed under the id and version of its specification", () => {
  for (const [id, { spec }] of capabilities) {
    expect(spec.id).toBe(id);
    expect(capabilityInputs).toHaveProperty([id]);
  }
});

test.each([
  contractGuardRule,
  contractChangeRule,
  contractInterfaceRule,
  chainSnapshotRule,
  swapGuardRule,
  tokenLaunchRule,
  tokenMetadataRule,
  evidenceArtifactRule,
  lendingCollateralRule,
  obligationVerdictRule,
  predictionEvidenceRule,
  rwaMarketRule,
  tradeExecutionRule,
  transactionIntentRule,
])("$id runs the rule of its version", (rule) => {
  expect(findCapability(rule.id)?.spec).toMatchObject(rule);
});

test("an unknown name finds nothing", () => {
  expect(findCapability("constructor")).toBeUndefined();
});
