import { type AgentActionName, actionHeaders, agentActionDomain, agentActionTypes } from "@assay/protocol";
import { createNonce } from "./createNonce.js";
import type { PayerAccount } from "./signPayment.js";

export interface ActionToSign {
  readonly action: AgentActionName;
  /** What the action is about, written exactly as in its request body. */
  readonly resource: string;
}

/**
 * The four headers of a signed route, for one request: time and nonce are new each time. `audience` is the origin of the
 * service; the signature is not valid for any other.
 */
export async function signAction(
  account: PayerAccount,
  audience: string,
  { action, resource }: ActionToSign,
): Promise<Record<string, string>> {
  const timestamp = Date.now();
  const nonce = createNonce();
  const signature = await account.signTypedData({
    domain: agentActionDomain(audience),
    types: agentActionTypes,
    primaryType: "AgentAction",
    message: { action, resource, timestamp: BigInt(timestamp), nonce },
  });
  return {
    [actionHeaders.wallet]: account.address,
    [actionHeaders.signature]: signature,
    [actionHeaders.timestamp]: String(timestamp),
    [actionHeaders.nonce]: nonce,
  };
}
