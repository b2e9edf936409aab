import type { KeyObject } from "node:crypto";
import type { LaunchVenues, ListedAsset, SwapRouter } from "@assay/capabilities";
import type { AgentRegistryEntry, Hex } from "@assay/protocol";

export interface Retention {
  /** Void and failed calls after their payment's validity, quotes after their expiry. */
  readonly unpaidHours: number;
  /** Publications that nobody has paid to use, and pledges of wallets that have never paid. */
  readonly unusedHours: number;
  /** Pledges of wallets that have paid for something. */
  readonly pledgeDays: number;
}

/** What the domain needs to know of the deployment. Secrets stay with the parts that use them. */
export interface Settings {
  /** `{base_url}` without a trailing slash. */
  readonly publicUrl: string;
  readonly payTo: Hex;
  readonly stablecoin: { readonly address: Hex; readonly name: string; readonly version: string };
  /** What a payment channel to us must be made of. Undefined where a remote facilitator settles: it takes no vouchers for us. */
  readonly channels:
    | {
        /** Address of the key that signs claims and refunds. */
        readonly receiverAuthorizer: Hex;
        /** Former keys of ours, whose channels are still served. */
        readonly formerAuthorizers: readonly Hex[];
        readonly withdrawDelaySeconds: number;
      }
    | undefined;
  /** Whose swaps amm.swap.guard judges. */
  readonly swapRouters: readonly SwapRouter[];
  /** Where token.launch.guard searches for a token's pools and trades in them. */
  readonly launchVenues: LaunchVenues;
  /** The assets that rwa.market.guard knows the issuers of. */
  readonly issuers: readonly ListedAsset[];
  /** Whether the calls of a lowercase wallet are counted apart from agents' traffic. */
  readonly isSimulated: (wallet: string) => boolean;
  /** Whether open claims are listed; each is public by its id in any case. */
  readonly claimsFeed: "enabled" | "feature_gated";
  /** Where this service is registered as an agent (ERC-8004). */
  readonly agentRegistrations: readonly AgentRegistryEntry[];
  /** Whether new claims are mentioned on the chain. */
  readonly writesBreadcrumbs: boolean;
  /** Hosts that web.compile reads on this machine, as `127.0.0.1:port`; empty except for trying out. */
  readonly webTestHosts: ReadonlyMap<string, string>;
  /** After which a question that one caller alone asked is listed as a bounty. */
  readonly bountyDelaySeconds: number;
  /** How long what nobody paid for is kept. */
  readonly retention: Retention;
  /** Keys the MAC that binds a challenge's price; equal on every process of a deployment. */
  readonly ticketSecret: KeyObject;
  /** Under which challenges of processes with other settings may have been made, while keys are rotated. */
  readonly otherTicketSecrets: readonly KeyObject[];
  /** Half of the key that private answers are kept under; the other half is the payment's signature. */
  readonly answerSecret: Buffer;
  /** Under which earlier private answers may be kept. */
  readonly formerAnswerSecrets: readonly Buffer[];
}
