import type { ClaimRequest, PaymentPayload } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { fetchChallenge, send, signPayment } from "../../testing/payer.js";
import type { TestService } from "../../testing/startTestService.js";

export const claimsUrl = (url: string) => `${url}/api/v1/claims`;

export const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A request to open a claim, without payment. */
export const asPost = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** A true claim about the local chain's upgradeable proxy, over its last three blocks. */
export async function describeTrueClaim(
  { chainOf, context }: Pick<TestService, "chainOf" | "context">,
  { address: wallet }: PrivateKeyAccount,
  change: object = {},
): Promise<ClaimRequest> {
  const { number: toBlock } = await context.chain.latestBlock();
  return {
    wallet,
    address: chainOf.contracts.upgradeableProxy,
    implementation: chainOf.contracts.boxV1,
    fromBlock: toBlock - 2,
    toBlock,
    rewardUsd: 12.34,
    deadline: hoursAhead(24),
    ...change,
  };
}

/** Asks, signs and pays, step by step. */
export async function payForClaim(
  url: string,
  account: PrivateKeyAccount,
  body: unknown,
): Promise<{ payment: PaymentPayload; response: Response }> {
  const payment = await signPayment(account, await fetchChallenge(claimsUrl(url), asPost(body)));
  return { payment, response: await send(claimsUrl(url), payment, asPost(body)) };
}
