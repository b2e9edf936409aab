import {
  type ChallengeAnswer,
  type ChallengeEvidence,
  type ClaimDetail,
  type ClaimFeed,
  type ClaimOpened,
  type ClaimRequest,
  challengeAnswerSchema,
  challengeResource,
  claimDetailSchema,
  claimFeedSchema,
  claimOpenedSchema,
  type Decision,
  decisionSchema,
  type Hex,
} from "@assay/protocol";
import type { Connection, RequestOptions } from "./connect.js";
import { type ListOptions, toLimit } from "./createMarket.js";
import { NoAccountError } from "./errors.js";
import { type HttpAnswer, readOk, toError } from "./exchange.js";
import { loadPaying } from "./loadPaying.js";
import { CLAIM_OPENING, type PreparedPayment } from "./preparedPayment.js";
import type { SpendRules } from "./preparePayment.js";
import { readSettlement, type Settlement } from "./readSettlement.js";
import type { SendOptions } from "./sendPayment.js";

/** The claim and its reward; the wallet that pays is the opener. */
export interface ClaimTerms {
  readonly address: Hex;
  /** The resolved implementation in every block of the window; null claims that there is none. */
  readonly implementation: Hex | null;
  readonly fromBlock: number;
  readonly toBlock: number;
  /** What the opener owes to the wallet that proves it wrong. */
  readonly rewardUsd: number;
  /** Until when it may be challenged. */
  readonly deadline: Date | string;
}

export interface OpenedClaim {
  readonly record: ClaimOpened;
  /** What the PAYMENT-RESPONSE header says about the transaction; null when the service sent none. */
  readonly settlement: Settlement | null;
  /** The body as received. */
  readonly rawBody: Uint8Array;
}

export interface OpenClaimOptions extends SendOptions {
  readonly maxPriceUsd?: number | undefined;
}

export type PreparedClaim = PreparedPayment<typeof CLAIM_OPENING>;

/** Assertions about the chain that anyone may challenge. Everything but opening one is free. */
export interface Claims {
  /** Open claims, the newest first. */
  claims(options?: ListOptions): Promise<ClaimFeed>;
  /** A claim or an obligation, with its challenges. */
  claim(claimId: string, options?: RequestOptions): Promise<ClaimDetail>;
  /** The exact bytes that the survival hash is taken over. */
  claimReceipt(claimId: string, options?: RequestOptions): Promise<Uint8Array>;
  /** Signs the payment for a claim, and sends nothing yet. */
  prepareClaim(terms: ClaimTerms, options?: OpenClaimOptions): Promise<PreparedClaim>;
  /** Sends a signed payment until it is answered; the service charges it once and opens one claim. */
  sendClaim(prepared: PreparedClaim, options?: SendOptions): Promise<OpenedClaim>;
  /** Pay and publish. */
  openClaim(terms: ClaimTerms, options?: OpenClaimOptions): Promise<OpenedClaim>;
  /** Challenges a claim with a reading of the chain. */
  challengeClaim(
    claimId: string,
    evidence: ChallengeEvidence,
    options?: RequestOptions,
  ): Promise<ChallengeAnswer>;
  /** Records what the caller did with a paid verdict on an obligation. An earlier decision stands, and is returned. */
  decide(invocationId: string, decision: Decision["decision"], options?: RequestOptions): Promise<Decision>;
}

export function createClaims(connection: Connection, rules: SpendRules): Claims {
  const { account, baseUrl, fetch, get, act } = connection;
  const pathOf = (claimId: string) => `/api/v1/claims/${encodeURIComponent(claimId)}`;
  const claims: Claims = {
    claims: async (options = {}) =>
      readOk(await get(`/api/v1/claims${toLimit(options)}`, options), claimFeedSchema),
    claim: async (claimId, options) => readOk(await get(pathOf(claimId), options), claimDetailSchema),
    async claimReceipt(claimId, options) {
      const answer = await get(`${pathOf(claimId)}/receipt`, options);
      if (answer.status !== 200) throw toError(answer);
      return answer.bytes;
    },
    async prepareClaim(terms, options = {}) {
      if (!account) throw new NoAccountError("Opening a claim");
      const deadline = terms.deadline instanceof Date ? terms.deadline.toISOString() : terms.deadline;
      const { address, implementation, fromBlock, toBlock, rewardUsd } = terms;
      const body: ClaimRequest = {
        wallet: account.address,
        address,
        implementation,
        fromBlock,
        toBlock,
        rewardUsd,
        deadline,
      };
      const request = { method: "POST", url: `${baseUrl}/api/v1/claims`, body } as const;
      const maxPriceUsd = options.maxPriceUsd ?? rules.maxPriceUsd;
      const { preparePayment } = await loadPaying();
      return preparePayment(connection, { id: CLAIM_OPENING, request }, { ...rules, maxPriceUsd }, options);
    },
    sendClaim: async (prepared, options) =>
      (await loadPaying()).sendPayment(fetch, prepared, readOpened, options, rules.budget),
    openClaim: async (terms, options) => claims.sendClaim(await claims.prepareClaim(terms, options), options),
    async challengeClaim(claimId, given, options) {
      // Loaded here: a checksum needs a hash function, and nothing else that a page loads first does.
      const { addChecksum } = await import("./addChecksum.js");
      const evidence = addChecksum(given);
      const resource = challengeResource(claimId, evidence);
      const path = `${pathOf(claimId)}/challenges`;
      const answer = await act({ action: "claim_challenge", resource, path, body: { ...evidence } }, options);
      return readOk(answer, challengeAnswerSchema, [200, 201]);
    },
    async decide(invocationId, decision, options) {
      const path = "/api/v1/obligations/decisions";
      const body = { invocationId, decision };
      const answer = await act(
        { action: "obligation_decision", resource: invocationId, path, body },
        options,
      );
      return readOk(answer, decisionSchema, [200, 201]);
    },
  };
  return claims;
}

const readOpened = (answer: HttpAnswer): OpenedClaim => ({
  record: readOk(answer, claimOpenedSchema, [201]),
  settlement: readSettlement(answer),
  rawBody: answer.bytes,
});
