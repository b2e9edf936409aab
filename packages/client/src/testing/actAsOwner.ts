import type { Hex } from "@assay/protocol";
import { createTestClient, http, parseAbi, publicActions, walletActions } from "viem";

const abi = parseAbi([
  "function owner() view returns (address)",
  "function pause()",
  "function upgradeTo(address)",
  "function upgradeToAndCall(address, bytes)",
]);

type Act =
  | { readonly functionName: "pause"; readonly args: readonly [] }
  | { readonly functionName: "upgradeTo"; readonly args: readonly [Hex] }
  | { readonly functionName: "upgradeToAndCall"; readonly args: readonly [Hex, Hex] };

/** Calls a sample contract as its owner; returns the block of the transaction. */
export async function actAsOwner(rpcUrl: string, address: Hex, act: Act): Promise<number> {
  const chain = createTestClient({ mode: "hardhat", transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);
  const account = await chain.readContract({ address, abi, functionName: "owner" });
  await chain.impersonateAccount({ address: account });
  const hash = await chain.writeContract({ address, abi, ...act, account, chain: null });
  const receipt = await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  if (receipt.status !== "success") throw new Error(`${act.functionName} of ${address} failed`);
  return Number(receipt.blockNumber);
}
