/** Precompiled contracts of Ethereum, and room for more of them; the zero address. */
const LAST_OF_ETHEREUM = 0xffn;
/** Those of Base: signatures on P-256 (RIP-7212), the factory of native tokens and their policy registry. */
const ofBase: ReadonlySet<bigint> = new Set([
  0x100n,
  0xb20f000000000000000000000000000000000000n,
  0x8453000000000000000000000000000000000002n,
]);

/** Whether an address belongs to the protocol itself: nobody has its key, and it never passes on what it receives. */
export function isReservedAddress(address: string): boolean {
  const number = BigInt(address);
  return number <= LAST_OF_ETHEREUM || ofBase.has(number);
}
