import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import { type Hex, keccak256, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { type Abi, decodeFunctionResult, encodeFunctionData, toHex } from "viem";
import { PROBE_GAS } from "../../pools/gather/findPools.js";
import { knownSlots } from "../../proxies/knownSlots.js";

/** The contract that reads a token's storage from the token's own address. */
const lens = createRequire(import.meta.url)("@assay/contracts/out/TokenLens.json") as {
  readonly abi: Abi;
  readonly deployedBytecode: Hex;
};

/** In the order in which `resolveImplementation` follows them. */
const PROXY_SLOTS = [
  knownSlots.eip1967Implementation,
  knownSlots.eip1967Beacon,
  knownSlots.eip1822Implementation,
  knownSlots.zeppelinosImplementation,
] as const;
const BEACON_AT = 1n;
/** Slots that a compiler gives out one after another. */
const FIRST = 256n;

/** Where a library keeps its variables (ERC-7201). */
const placeOfNamespace = (name: string): Hex => {
  const inner = BigInt(keccak256(toHex(name))) - 1n;
  return toHex(BigInt(keccak256(toHex(inner, { size: 32 }))) & ~0xffn, { size: 32 });
};
/** Where published libraries keep owners, administrators and pauses. */
const LIBRARY_SLOTS: readonly Hex[] = [
  ...["Ownable", "Ownable2Step", "AccessManaged", "AccessControlDefaultAdminRules", "Pausable", "ERC20"].map(
    (name) => placeOfNamespace(`openzeppelin.storage.${name}`),
  ),
  // Solady keeps the owner at the complement of a selector.
  "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffff74873927",
  knownSlots.diamondOwner,
];

/** What the token's storage named in one call, before its code was known. */
export interface Seen {
  /** What runs behind the token; null where its storage names nothing. */
  readonly target: Hex | null;
  readonly code: Hex;
  readonly words: ReadonlyMap<Hex, Reading<Hex>>;
}

/** Where the token's own code keeps addresses is read too, as far as it is known by now. */
export const readThroughLens = (address: Hex, places: readonly Hex[]): CallRead => ({
  kind: "call",
  to: address,
  data: encodeFunctionData({
    abi: lens.abi,
    functionName: "read",
    args: [PROXY_SLOTS, BEACON_AT, FIRST, [...LIBRARY_SLOTS, ...listFar(places)]],
  }),
  gas: PROBE_GAS,
  overrides: { [address]: { code: lens.deployedBytecode } },
});

const MAX_FAR = 24;
const listFar = (places: readonly Hex[]): Hex[] =>
  [...new Set(places)].filter((slot) => BigInt(slot) >= FIRST).slice(0, MAX_FAR);

/** A node that does not run it answers otherwise, and then nothing was seen early. */
export function parseLens(answer: Reading<Hex> = noAnswer): Seen {
  const nothing: Seen = { target: null, code: "0x", words: new Map() };
  if (answer.status !== "value") return nothing;
  try {
    const [target, code, words] = decodeFunctionResult({
      abi: lens.abi,
      functionName: "read",
      data: answer.value,
    }) as readonly [Hex, Hex, readonly { readonly slot: Hex; readonly value: Hex }[]];
    return {
      target: BigInt(target) === 0n ? null : (target.toLowerCase() as Hex),
      code,
      words: new Map(words.map(({ slot, value }) => [slot, valueReading(value)])),
    };
  } catch {
    return nothing;
  }
}
