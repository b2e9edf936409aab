import type { Chain } from "@assay/chain";
import { RpcError } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { plainReason } from "./plainReason.js";

/** What became of a transaction handed to a node. `perhaps`: no node answered, so it may be mined. */
export type Sent =
  | { readonly status: "accepted" }
  | { readonly status: "perhaps"; readonly reason: string }
  | {
      readonly status: "nonce_taken" | "nonce_wrong" | "underpriced" | "refused";
      readonly reason: string;
    };

/** Hands a signed transaction to a node. Never throws. */
export async function broadcast(chain: Chain, raw: Hex): Promise<Sent> {
  try {
    await chain.request("eth_sendRawTransaction", [raw]);
    return { status: "accepted" };
  } catch (error) {
    const reason = plainReason(error);
    return error instanceof RpcError ? readRefusal(reason) : { status: "perhaps", reason };
  }
}

/** What a node means by refusing a transaction. With a reason that is not recognised, it may still have accepted it. */
export function readRefusal(reason: string): Sent {
  if (/already known|already imported|known transaction|already exists/i.test(reason))
    return { status: "accepted" };
  if (/replacement|could not replace/i.test(reason)) return { status: "nonce_taken", reason };
  if (/nonce/i.test(reason)) return { status: "nonce_wrong", reason };
  if (/underpriced|less than block base fee|fee too low|too low to be included/i.test(reason))
    return { status: "underpriced", reason };
  if (/insufficient funds|doesn't have enough funds|not have enough/i.test(reason))
    return { status: "refused", reason: "the settler has too little ETH for gas" };
  return { status: "perhaps", reason };
}
