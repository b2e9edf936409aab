/**
 * Storage slots that say who runs and who may change a contract. Each is a published constant;
 * the test beside this file derives every one that has a derivation.
 */
export const knownSlots = {
  /** ERC-1967: keccak256("eip1967.proxy.implementation") - 1. */
  eip1967Implementation: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  /** ERC-1967: keccak256("eip1967.proxy.admin") - 1. */
  eip1967Admin: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
  /** ERC-1967: keccak256("eip1967.proxy.beacon") - 1. */
  eip1967Beacon: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
  /** EIP-1822: keccak256("PROXIABLE"). */
  eip1822Implementation: "0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7",
  /** Before ERC-1967, and still under USDC: keccak256("org.zeppelinos.proxy.implementation"). */
  zeppelinosImplementation: "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3",
  /** keccak256("org.zeppelinos.proxy.admin"). */
  zeppelinosAdmin: "0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b",
  /**
   * ERC-2535's reference storage begins at keccak256("diamond.standard.diamond.storage"), but its
   * first two members are mappings, whose own slots stay zero. The third counts the facets, or the
   * selectors in the second reference version: zero in neither.
   */
  diamondFacets: "0xc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131e",
  /** The fifth member of the same storage: the owner, who may cut facets. */
  diamondOwner: "0xc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c1320",
  /** A Safe proxy keeps its singleton in the first slot; any other contract may keep anything there. */
  safeSingleton: "0x0000000000000000000000000000000000000000000000000000000000000000",
  /** ERC-7201 root of "openzeppelin.storage.Pausable"; its lowest byte is the flag. */
  openZeppelinPausable: "0xcd5ed15c6e187e77e9aee88184c21f4f2182ab5827cb3b7e07fbedcd63f03300",
} as const;

export type KnownSlot = keyof typeof knownSlots;
