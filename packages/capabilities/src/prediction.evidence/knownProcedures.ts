import type { Hex } from "@assay/protocol";

export type ProcedureKind = "optimistic_oracle" | "reality_eth";

// https://github.com/UMAprotocol/protocol/blob/1f871bd4ed26/packages/core/networks/8453.json
/** UMA's optimistic oracle, version 2, on Base. The local chain keeps its sample at the same address. */
export const OPTIMISTIC_ORACLE_V2: Hex = "0x880d041d67aab3b062995d11d4ad9c1018a3b02f";
// https://github.com/RealityETH/reality-eth-monorepo/blob/ce290805e50a/packages/contracts/chains/deployments/8453/ETH/RealityETH-3.0.json
/** Reality.eth 3.0 with answers bonded in ether, on Base. */
export const REALITY_ETH: Hex = "0x2f39f464d16402ca3d8527da89617b73de2f60e8";

/** The deployments that UMA and Reality.eth list for Base. Any other contract that answers like one may be anyone's. */
const knownProcedures: Readonly<Record<ProcedureKind, readonly Hex[]>> = {
  // The second is version 3.
  optimistic_oracle: [OPTIMISTIC_ORACLE_V2, "0x2abf1bd76655de80edb3086114315eec75af500c"],
  reality_eth: [REALITY_ETH],
};

/** Whether it is a published procedure, and none of the contracts that state that they wait for it. */
export function isKnownProcedure(kind: ProcedureKind, address: Hex, waiting: readonly Hex[]): boolean {
  return knownProcedures[kind].includes(address) && !waiting.includes(address);
}
