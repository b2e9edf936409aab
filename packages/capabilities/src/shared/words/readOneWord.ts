/** The answer of a call that is exactly one word, as a number; null for anything else. */
export function readOneWord(reading: { readonly status: string; readonly value?: string }): bigint | null {
  return reading.status === "value" && /^0x[0-9a-fA-F]{64}$/.test(reading.value ?? "")
    ? BigInt(reading.value as string)
    : null;
}
