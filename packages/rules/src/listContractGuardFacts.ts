import type { CapabilityInput, Hex, Reading } from "@assay/protocol";
import type { ContractGuardReadings } from "./contractGuardReadings.js";
import type { CodeFingerprint } from "./fingerprintBytecode.js";
import { type KnownSlot, knownSlots } from "./knownSlots.js";
import type { ProvableAccount } from "./provableFact.js";

/** Code and slots read directly. What calls answered, a beacon's implementation and owners included, no proof can show. */
export function listContractGuardFacts(
  { address }: CapabilityInput<"contract.guard">,
  { code, slots, followed, controllers }: ContractGuardReadings,
): ProvableAccount[] {
  const withoutSlots = controllers.map((controller) => ({ ...controller, slots: {} }));
  return [{ address, code, slots }, ...followed, ...withoutSlots].map(describeAccount);
}

/** One account as a proof can show it: only what was read of it. */
export function describeAccount(account: {
  readonly address: string;
  readonly code: Reading<CodeFingerprint>;
  readonly slots: Readonly<Partial<Record<KnownSlot, Reading<string>>>>;
}): ProvableAccount {
  const { address, code, slots } = account;
  const words = Object.entries(slots).flatMap(([name, reading]) =>
    reading.status === "value" ? [{ slot: knownSlots[name as KnownSlot], value: reading.value as Hex }] : [],
  );
  const codeHash =
    code.status === "value" ? (code.value.form === "empty" ? null : code.value.codeHash) : undefined;
  return { address: address as Hex, ...(codeHash !== undefined && { codeHash }), slots: words };
}
