import type { Hex } from "@assay/protocol";
import type { WaitingDelivery } from "./delivery.js";
import type { Fees } from "./settlerAccount.js";

/** A transaction under way, under every hash it was sent with. Without items it only uses up its nonce. */
export interface Flight {
  readonly nonce: number;
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly items: WaitingDelivery[];
  readonly hashes: Hex[];
  fees: Fees;
  raw: Hex;
  /** Whether a node has it. `no`: every node certainly refused or never got it, so it cannot be mined. */
  taken: "no" | "perhaps" | "yes";
  readonly startedAtMs: number;
  lastSentAtMs: number;
  /** Sends that reached a node since one last took it. */
  resends: number;
  /** Checks that found the nonce mined but none of our hashes. */
  missing: number;
}
