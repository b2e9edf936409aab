import { type Hex, mapReading, noAnswer, type Reading, valueReading } from "@assay/protocol";
import type { FingerprintRecord, GatherContext } from "../../../gathering.js";
import type { CodeFingerprint } from "../../code/fingerprintBytecode.js";
import { rememberedFingerprint } from "../../code/rememberedFingerprint.js";

/** An account without code is a fact with a fingerprint of its own, the hash of nothing. */
export function fingerprintReading(code: Reading<Hex> = noAnswer): Reading<CodeFingerprint> {
  return code.status === "absent"
    ? valueReading(rememberedFingerprint("0x"))
    : mapReading(code, rememberedFingerprint);
}

/** What the evidence store keeps about an address whose code was read. */
export function recordFingerprint(
  { block }: GatherContext,
  address: Hex,
  code: Reading<CodeFingerprint>,
): FingerprintRecord | undefined {
  if (code.status !== "value") return undefined;
  const { form, codeHash, bytecodeBytes } = code.value;
  return {
    address,
    codeHash: form === "empty" ? null : codeHash,
    bytecodeBytes,
    computedAtBlock: block.number,
  };
}
