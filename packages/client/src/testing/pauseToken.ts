import type { Hex } from "@assay/protocol";
import { createPublicClient, http, parseAbi } from "viem";
import { actAsOwner } from "./actAsOwner.js";

const abi = parseAbi(["function paused() view returns (bool)"]);

/** Pauses a sample token, which another test may have done. */
export async function pauseToken(rpcUrl: string, address: Hex): Promise<void> {
  try {
    await actAsOwner(rpcUrl, address, { functionName: "pause", args: [] });
  } catch (error) {
    const chain = createPublicClient({ transport: http(rpcUrl) });
    if (!(await chain.readContract({ address, abi, functionName: "paused" }))) throw error;
  }
}
