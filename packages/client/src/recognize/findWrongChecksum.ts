import { type Hex, keccak256 } from "@assay/protocol";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An address of one case says nothing about itself; one of mixed case has its own checksum in it (EIP-55). */
export function hasWrongChecksum(address: string): boolean {
  const digits = address.slice(2);
  if (!ADDRESS.test(address) || digits === digits.toLowerCase() || digits === digits.toUpperCase())
    return false;
  return writeChecksum(address) !== address;
}

/** An address in the case that EIP-55 gives it. */
export function writeChecksum(address: string): Hex {
  const digits = [...address.slice(2).toLowerCase()];
  const text = digits.map((digit) => digit.charCodeAt(0).toString(16)).join("");
  const hash = keccak256(`0x${text}`).slice(2);
  const written = digits.map((digit, at) =>
    Number.parseInt(hash[at] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${written.join("")}`;
}

export const describeWrongChecksum = (address: string): string =>
  `${address} has a wrong checksum (EIP-55): a digit is mistyped, or it was copied wrongly. Written in lower case it is taken as it is.`;

/** The first address inside a value whose checksum is wrong. Bytes and texts are not addresses. */
export function findWrongChecksum(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return hasWrongChecksum(value) ? value : undefined;
  if (typeof value !== "object" || value === null || depth > 16) return undefined;
  for (const inner of Object.values(value)) {
    const found = findWrongChecksum(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
