import { type Hex, keccak256 } from "@assay/protocol";

/** The address of what an account creates: the hash of the RLP of its address and its nonce (Yellow Paper, section 7). */
export function nameCreated(creator: string, nonce: number): Hex {
  const digits = nonce === 0 ? "" : nonce.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  const length = bytes.length / 2;
  // Numbers from 1 to 127 are their own encoding.
  const number = length === 1 && nonce < 0x80 ? bytes : `${(0x80 + length).toString(16)}${bytes}`;
  const payload = `94${creator.slice(2).toLowerCase()}${number}`;
  return `0x${keccak256(`0x${(0xc0 + payload.length / 2).toString(16)}${payload}`).slice(-40)}`;
}

/** The same where the creator chose the address with a salt of 32 bytes and the hash of the code that creates (EIP-1014). */
export function nameCreated2(creator: Hex, salt: Hex, creationCodeHash: Hex): Hex {
  return `0x${keccak256(`0xff${creator.slice(2)}${salt.slice(2)}${creationCodeHash.slice(2)}`).slice(-40)}`;
}
