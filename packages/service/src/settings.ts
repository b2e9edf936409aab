import type { Hex } from "@assay/protocol";
import type { LaunchVenues, SwapRouter } from "@assay/rules";

/** What the domain needs to know of the deployment. Secrets stay with the parts that use them. */
export interface Settings {
  /** `{base_url}` without a trailing slash. */
  readonly publicUrl: string;
  readonly payTo: Hex;
  readonly stablecoin: { readonly address: Hex; readonly name: string; readonly version: string };
  /** Whose swaps amm.swap.guard judges. */
  readonly swapRouters: readonly SwapRouter[];
  /** Where token.launch.guard looks for a token's pools and trades in them. */
  readonly launchVenues: LaunchVenues;
  /** Keys the MAC that binds a challenge's price; equal on every process of a deployment. */
  readonly ticketSecret: Buffer;
  /** Half of the key that private answers are kept under; the other half is the payment's signature. */
  readonly answerSecret: Buffer;
}
