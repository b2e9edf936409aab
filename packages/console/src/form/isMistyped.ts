import { isAddress } from "viem";

/** An address in both cases whose capitals are not its checksum (EIP-55): most likely a digit is wrong. */
export const isMistyped = (text: string): boolean =>
  isAddress(text, { strict: false }) && /[a-f]/.test(text.slice(2)) && !isAddress(text);
