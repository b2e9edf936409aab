import type { Hex } from "@assay/protocol";
import type { ChainSource } from "../chain/askNode.js";
import type { Connection } from "../connect.js";
import type { SpendRules } from "../preparePayment.js";
import type { ChannelStore } from "./channelRecord.js";

/** How a client pays from a channel. */
export interface ChannelOptions {
  /** What the first paid call deposits, and every later one that finds the channel used up. */
  readonly depositUsd: number;
  /** No voucher adds more than this. At most `depositUsd`; that, or the client's own limit, unless given. */
  readonly maxPriceUsd?: number | undefined;
  /** Where the record of the channel is kept. In memory unless given: then close the channel before the program ends. */
  readonly store?: ChannelStore | undefined;
}

/** A channel as its payer counts it. */
export interface ChannelStatus {
  readonly channelId: Hex;
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly depositedUsd: number;
  /** What answers have cost. */
  readonly chargedUsd: number;
  /** What the service can claim at most: the highest voucher that was signed. */
  readonly signedUsd: number;
  /** What is left for calls, and comes back when the channel is closed. */
  readonly leftUsd: number;
  /** How long a withdrawal without the service takes, from the request to the money. */
  readonly withdrawDelaySeconds: number;
}

/** What every part of a channel works with. */
export interface ChannelContext {
  readonly connection: Connection;
  readonly rules: SpendRules;
  readonly store: ChannelStore;
  readonly depositMicroUsd: bigint;
  readonly node: ChainSource | undefined;
}
