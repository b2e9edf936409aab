import type { Hex } from "@assay/protocol";

/** 32 bytes in hex that are no part of longer bytes: a hash, or a private key. */
const ALONE = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi;
const MOST_TRIED = 64;

/**
 * Whether an input holds the private key of this account, pasted by mistake or put there by a model. What is asked is sent to
 * the service, and answers that are shared show their input to everybody.
 */
export async function holdsOwnKey(input: object, address: Hex): Promise<boolean> {
  const text = JSON.stringify(input, (_, value) => (typeof value === "bigint" ? `${value}` : value)) ?? "";
  const found = new Set(text.match(ALONE)?.map((digits) => digits.toLowerCase()));
  if (found.size === 0) return false;
  const { privateKeyToAddress } = await import("viem/accounts");
  return [...found].slice(0, MOST_TRIED).some((digits) => {
    try {
      return privateKeyToAddress(`0x${digits}`).toLowerCase() === address.toLowerCase();
    } catch {
      // Zero, or not below the order of the curve: no key.
      return false;
    }
  });
}
