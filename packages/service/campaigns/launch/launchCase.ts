import type { PowerPart } from "./tokenSources.js";

type Argument = PowerPart["arm"][number];

/** Calls of the deployer. */
export interface Step {
  readonly signature: string;
  readonly args: readonly Argument[];
  /** The token, unless a companion is named. */
  readonly on?: string;
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
  readonly keptBps?: number;
  /** Where what was kept goes: to a contract that keeps it for a year. */
  readonly vested?: boolean;
  readonly finish?: readonly Step[];
  readonly arm?: readonly Step[];
  /** Blocks and seconds that pass before the sale. */
  readonly later?: { readonly blocks: number; readonly seconds: number };
  /** The deployer sells what it has, or withdraws the liquidity. */
  readonly rug?: "dump" | "pull";
}

export const step = ([signature, ...args]: PowerPart["arm"], on?: string): Step => ({
  signature: signature as string,
  args,
  ...(on && { on }),
});
