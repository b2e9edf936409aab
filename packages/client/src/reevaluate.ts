import { capabilityInputs } from "@assay/protocol";
import {
  chainSnapshotReadingsSchema,
  chainSnapshotRule,
  contractGuardReadingsSchema,
  contractGuardRule,
  type Evaluation,
  evaluateChainSnapshot,
  evaluateContractGuard,
} from "@assay/rules";

/** Parses what is recorded, then judges it as the service did. */
type Reevaluate = (input: unknown, readings: unknown) => Evaluation;

const rules: ReadonlyMap<string, Reevaluate> = new Map<string, Reevaluate>([
  [
    keyOf(contractGuardRule),
    (input, readings) =>
      evaluateContractGuard(
        capabilityInputs["contract.guard"].parse(input),
        contractGuardReadingsSchema.parse(readings),
      ),
  ],
  [
    keyOf(chainSnapshotRule),
    (input, readings) =>
      evaluateChainSnapshot(
        capabilityInputs["chain.snapshot"].parse(input),
        chainSnapshotReadingsSchema.parse(readings),
      ),
  ],
]);

function keyOf({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}@${version}`;
}

/** The rule of exactly this version, if this client knows it. */
export function findReevaluation(rule: {
  readonly id: string;
  readonly version: string;
}): Reevaluate | undefined {
  return rules.get(keyOf(rule));
}
