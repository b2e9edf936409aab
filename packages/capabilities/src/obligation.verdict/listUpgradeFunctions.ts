import type { Hex } from "@assay/protocol";
import { hexToBytes, toFunctionSelector } from "viem";

/** Functions by which a contract's implementation is replaced. */
export const upgradeFunctions = [
  "upgradeTo(address)",
  "upgradeToAndCall(address,bytes)",
  "updateCodeAddress(address)",
  "setImplementation(address)",
  "changeMasterCopy(address)",
] as const;
type UpgradeFunction = (typeof upgradeFunctions)[number];

const bySelector: ReadonlyMap<number, UpgradeFunction> = new Map(
  upgradeFunctions.map((name) => [Number(toFunctionSelector(name)), name]),
);

const PUSH1 = 0x60;
const PUSH4 = 0x63;
const PUSH32 = 0x7f;

/** The upgrade functions whose selectors this code pushes as four bytes, as compilers do to compare with the caller's. */
export function listUpgradeFunctions(bytecode: Hex): UpgradeFunction[] {
  const bytes = hexToBytes(bytecode);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Set<UpgradeFunction>();
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] as number;
    const pushed =
      opcode === PUSH4 && at + 4 < bytes.length ? bySelector.get(view.getUint32(at + 1)) : undefined;
    if (pushed) found.add(pushed);
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return upgradeFunctions.filter((name) => found.has(name));
}
