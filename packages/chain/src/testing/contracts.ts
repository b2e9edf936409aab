import type { Hex } from "@assay/protocol";
import type { LocalChain } from "./localChain.js";

const address = (tail: string) => `0x${tail.padStart(40, "0")}` as Hex;

/** Hand-assembled contracts, one for each way a call can end. The one that runs out of gas writes far into memory. */
export const contracts = {
  answers42: { address: address("c001"), code: "0x602a60005260206000f3" },
  revertsWithData: { address: address("c002"), code: "0x63deadbeef6000526004601cfd" },
  revertsEmpty: { address: address("c003"), code: "0x60006000fd" },
  invalidOpcode: { address: address("c004"), code: "0xfe" },
  runsOutOfGas: { address: address("c005"), code: "0x600063ffffffff52" },
  returnsNothing: { address: address("c006"), code: "0x00" },
  stackUnderflow: { address: address("c007"), code: "0x01" },
} as const satisfies Record<string, { address: Hex; code: Hex }>;

/** An account that does not exist on the chain. */
export const unusedAddress = address("dead00");
export const slotZero = `0x${"0".repeat(64)}` as const;

export async function installContracts(chain: LocalChain): Promise<void> {
  for (const contract of Object.values(contracts)) {
    await chain.rpc("hardhat_setCode", contract.address, contract.code);
  }
  await chain.rpc("hardhat_setStorageAt", contracts.answers42.address, "0x0", `0x${"7".padStart(64, "0")}`);
  await chain.rpc("hardhat_setBalance", contracts.answers42.address, "0x10");
  await chain.rpc("evm_mine");
}
