import type { Hex, Reading } from "@assay/protocol";
import type { CodeFingerprint } from "../code/fingerprintBytecode.js";
import type { ProvableAccount } from "../proofs/provableFact.js";
import { type KnownSlot, knownSlots } from "./knownSlots.js";

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
