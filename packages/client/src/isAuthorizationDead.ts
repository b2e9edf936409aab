import type { Hex } from "@assay/protocol";
import { hexToNumber, isHex, pad } from "viem";
import { askNode, type ChainSource } from "./chain/askNode.js";
import type { SignedAuthorization } from "./createBudget.js";

/** `authorizationState(address,bytes32)` of EIP-3009: whether a nonce was used or cancelled. */
const AUTHORIZATION_STATE = "0xe94a0102";
const UNUSED = pad("0x", { size: 32 });

/**
 * Whether a node shows that a payment was never settled and no longer can be: in a finalized block at or after the end of
 * its validity the nonce is unused (EIP-3009). A block that is not final could be replaced by one that has the payment.
 * False when the node does not show it.
 */
export async function isAuthorizationDead(
  node: ChainSource,
  { asset, payer, authorizationNonce, validBeforeSeconds }: SignedAuthorization,
): Promise<boolean> {
  const finalized = await askNode(node, { method: "eth_getBlockByNumber", params: ["finalized", false] });
  const { number, timestamp } = Object(finalized.ok ? finalized.result : undefined) as Record<
    string,
    unknown
  >;
  if (!isHex(number) || !isHex(timestamp) || hexToNumber(timestamp) < validBeforeSeconds) return false;
  const data = `${AUTHORIZATION_STATE}${pad(payer).slice(2)}${authorizationNonce.slice(2)}` as Hex;
  const state = await askNode(node, { method: "eth_call", params: [{ to: asset, data }, number] });
  return state.ok && state.result === UNUSED;
}
