import {
  type ChallengeAnswer,
  type ChallengeEvidence,
  challengeResource,
  type Hex,
  type Problem,
} from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { type ActionToSign, post, signAction } from "../../../test/signAction.js";

interface ChallengeResponse {
  readonly status: number;
  readonly body: Partial<ChallengeAnswer & Problem>;
}

export const challengePath = (claimId: string) => `/api/v1/claims/${claimId}/challenges`;

/** Signs evidence as the contract says and sends it; `signed` replaces parts of what is signed, `sent` of the body. */
export async function sendChallenge(
  url: string,
  account: PrivateKeyAccount,
  claimId: Hex,
  evidence: ChallengeEvidence,
  { signed = {}, sent = {} }: { signed?: Partial<ActionToSign>; sent?: object } = {},
): Promise<ChallengeResponse> {
  const headers = await signAction(url, account, {
    action: "claim_challenge",
    resource: challengeResource(claimId, evidence),
    ...signed,
  });
  const body = { wallet: account.address, ...evidence, ...sent };
  const response = await post(url, challengePath(claimId), headers, body);
  return { status: response.status, body: (await response.json()) as ChallengeResponse["body"] };
}
