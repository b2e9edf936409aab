import type { ClaimRequest } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { asPost, pay } from "../../../test/payer.js";
import type { TestService } from "../../../test/startTestService.js";

export const claimsUrl = (url: string) => `${url}/api/v1/claims`;

export const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

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
export const payForClaim = (url: string, account: PrivateKeyAccount, body: unknown) =>
  pay(claimsUrl(url), account, asPost(body));
