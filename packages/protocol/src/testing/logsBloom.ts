import { type Hex, hexToBytes, keccak256 } from "viem";

interface Logged {
  readonly address: string;
  readonly topics: readonly string[];
}

/** The bloom filter of logs (Yellow Paper, 4.3.1): three bits of 2048 for each address and topic. */
export function logsBloom(logs: readonly Logged[]): Hex {
  const bloom = new Uint8Array(256);
  for (const entry of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = hexToBytes(keccak256(entry as Hex));
    for (const at of [0, 2, 4]) {
      const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
      const byte = 255 - (bit >> 3);
      bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
    }
  }
  return `0x${Buffer.from(bloom).toString("hex")}`;
}
