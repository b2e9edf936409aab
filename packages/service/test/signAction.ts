import { randomBytes } from "node:crypto";
import {
  type AgentActionName,
  actionHeaders,
  agentActionDomain,
  agentActionTypes,
  audienceOf,
} from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";

export interface ActionToSign {
  readonly action: AgentActionName;
  readonly resource: string;
  /** Unix milliseconds; now by default. */
  readonly timestamp?: number;
  readonly nonce?: string;
}

export const newNonce = (): string => randomBytes(12).toString("base64url");

/** The headers of a signed route, signed by viem. */
export async function signAction(
  url: string,
  account: PrivateKeyAccount,
  { action, resource, timestamp = Date.now(), nonce = newNonce() }: ActionToSign,
): Promise<Record<string, string>> {
  const signature = await account.signTypedData({
    domain: agentActionDomain(audienceOf(url)),
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

/** Sends a body to a signed route. */
export function post(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
