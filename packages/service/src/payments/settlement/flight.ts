import type { Hex } from "@assay/protocol";
import type { WaitingDelivery } from "./delivery.js";
import type { Fees } from "./serializeOrder.js";

/** What is signed. */
export interface FlightOrder {
  readonly nonce: number;
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  fees: Fees;
}

/** A transaction under way, under every hash it was sent with. Without items it only uses up its nonce. */
export interface Flight extends FlightOrder {
  readonly items: WaitingDelivery[];
  /** None while it is being signed for the first time. */
  readonly hashes: Hex[];
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

export function createFlight(items: WaitingDelivery[], order: FlightOrder): Flight {
  const nowMs = Date.now();
  return {
    ...order,
    ...{ items, hashes: [], raw: "0x", taken: "no" },
    ...{ startedAtMs: nowMs, lastSentAtMs: nowMs, resends: 0, missing: 0 },
  };
}
