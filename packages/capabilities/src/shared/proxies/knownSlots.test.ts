import { encodeAbiParameters, keccak256, numberToHex, stringToBytes } from "viem";
import { expect, test } from "vitest";
import { knownSlots } from "./knownSlots.js";

const hash = (text: string) => BigInt(keccak256(stringToBytes(text)));
const hex = (value: bigint) => numberToHex(value, { size: 32 });
/** ERC-7201: keccak256(abi.encode(keccak256(id) - 1)) with the last byte cleared. */
const erc7201 = (id: string) =>
  BigInt(keccak256(encodeAbiParameters([{ type: "uint256" }], [hash(id) - 1n]))) & ~0xffn;

test.each([
  ["eip1967Implementation", hash("eip1967.proxy.implementation") - 1n],
  ["eip1967Admin", hash("eip1967.proxy.admin") - 1n],
  ["eip1967Beacon", hash("eip1967.proxy.beacon") - 1n],
  ["eip1822Implementation", hash("PROXIABLE")],
  ["zeppelinosImplementation", hash("org.zeppelinos.proxy.implementation")],
  ["zeppelinosAdmin", hash("org.zeppelinos.proxy.admin")],
  ["diamondFacets", hash("diamond.standard.diamond.storage") + 2n],
  ["diamondOwner", hash("diamond.standard.diamond.storage") + 4n],
  ["safeSingleton", 0n],
  ["openZeppelinPausable", erc7201("openzeppelin.storage.Pausable")],
] as const)("the slot %s is what its standard derives", (name, derived) => {
  expect(knownSlots[name]).toBe(hex(derived));
});

test("every slot has a derivation above", () => {
  expect(Object.keys(knownSlots)).toHaveLength(10);
});
