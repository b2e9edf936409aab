import type { Hex } from "@assay/protocol";
import type { PowerPart } from "./tokenSources.js";

/** Names stand for what is known once the token is launched; other text is taken as it is. */
type Argument = PowerPart["arm"][number] | boolean | readonly bigint[] | "shares" | (string & {});

/** Calls of the deployer, or of another account. */
export interface Step {
  readonly signature: string;
  readonly args: readonly Argument[];
  /** The token, unless a companion, the pool or the keeper is named. */
  readonly on?: string;
  /** Who calls, where it is not the deployer. */
  readonly as?: Hex;
  /** Ether that is sent along; a call without a signature only sends. */
  readonly value?: bigint;
  /** Instead of a call, the account takes the code of a companion (EIP-7702). */
  readonly delegatesTo?: string;
}

export interface LaunchCase {
  readonly name: string;
  readonly label: "trap" | "honest";
  readonly kind: string;
  readonly source: string;
  readonly contract: string;
  /** Other contracts of the source that are deployed before, and whose addresses the constructor takes. */
  readonly companions?: readonly string[];
  readonly pool?: "pair" | "concentrated" | "stablecoin";
  readonly liquidity?: "burnt" | "dev" | "locked" | "freeLock" | "shortLock" | "buried";
  /** A contract of the source that keeps the liquidity instead; its constructor takes what a locker's takes. */
  readonly keeper?: string;
  readonly keptBps?: number;
  /** Where what was kept goes: to a contract that keeps it for a year. */
  readonly vested?: boolean;
  /** Accounts among which the deployer hands out what it kept, or its shares of the pool; they act as one. */
  readonly pockets?: number;
  readonly sharePockets?: number;
  readonly finish?: readonly Step[];
  readonly arm?: readonly Step[];
  /** Purchases of others before the sale. */
  readonly others?: number;
  /** Blocks and seconds that pass before the sale. */
  readonly later?: { readonly blocks: number; readonly seconds: number };
  /** The deployer sells what it has, or withdraws the liquidity. */
  readonly rug?: "dump" | "pull";
}

export const step = ([signature, ...args]: readonly [string, ...Argument[]], on?: string): Step => ({
  signature,
  args,
  ...(on && { on }),
});
