import type { Hex, Reading } from "@assay/protocol";
import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import { listConditionSlots } from "./conditionState.js";
import type { PredictionEvidenceInput } from "./input.js";
import type { ConditionReadings, PredictionEvidenceReadings } from "./readings.js";

/** Code and slots read directly, the condition's own among them. No proof can show the answers of calls, or a page. */
export function listPredictionEvidenceFacts(
  { market }: PredictionEvidenceInput,
  readings: PredictionEvidenceReadings,
): ProvableAccount[] {
  if (readings.kind === "page") return [];
  const { tokens, oracle, collateral } = readings;
  return [
    describeAccount({ address: market, ...readings.market }),
    ...(tokens === null ? [] : [describeTokens(tokens)]),
    ...(oracle === null ? [] : [describeAccount(oracle)]),
    ...(collateral === null ? [] : [describeAccount({ ...collateral, slots: {} })]),
  ];
}

function describeTokens({ address, conditionId, code, storage }: ConditionReadings): ProvableAccount {
  const places = listConditionSlots(conditionId);
  const words: [Hex, Reading<Hex> | undefined][] = [
    [places.outcomeSlotCount, storage.outcomeSlotCount],
    [places.payoutDenominator, storage.payoutDenominator],
    ...places.payoutNumerators.map((slot, index): [Hex, Reading<Hex> | undefined] => [
      slot,
      storage.payoutNumerators[index],
    ]),
  ];
  const slots = words.flatMap(([slot, word]) =>
    word?.status === "value" ? [{ slot, value: word.value }] : [],
  );
  return { ...describeAccount({ address, code, slots: {} }), slots };
}
