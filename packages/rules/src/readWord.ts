/** The one word a call answered with, as a number; null for anything else. */
export function readWord(reading: { readonly status: string; readonly value?: string }): bigint | null {
  return reading.status === "value" && /^0x[0-9a-f]{64}$/.test(reading.value ?? "")
    ? BigInt(reading.value as string)
    : null;
}
