import { type Hex, hash32Schema } from "@assay/protocol";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

export const partyRoles = [
  "token",
  "router",
  "spender",
  "pool",
  "vault",
  "lending",
  "bridge",
  "marketplace",
  "distributor",
  "account_factory",
  "account_implementation",
  "delegate",
  "module",
  "handler",
  "governance",
  "entry_point",
  "multicall",
  "executor",
  "infrastructure",
  "factory",
  "registry",
  "oracle",
  "hook",
  "predeploy",
  "burn",
  "fee_collector",
] as const;
export type PartyRole = (typeof partyRoles)[number];

/** Published contracts whose work is to take what they were allowed, for the one who allowed it. */
export const isSpendingRole = (role: PartyRole): boolean => spendingRoles.has(role);
const spendingRoles: ReadonlySet<PartyRole> = new Set<PartyRole>([
  "router",
  "spender",
  "vault",
  "lending",
  "bridge",
  "marketplace",
]);

/**
 * Routers take amounts, and of the one who calls them. Items are another matter: Uniswap's SwapRouter02 and its forks make any call
 * of the position manager for anybody (`callPositionManager`), also one that transfers what the router may take.
 */
export const isItemTakingRole = (role: PartyRole): boolean => isSpendingRole(role) && role !== "router";

/** Contracts that anybody can make call anything: what is given to them is given to everybody. */
export const callsForAnybody = (role: PartyRole): boolean => role === "multicall" || role === "executor";

/** Contracts that are made to command accounts. */
export const isCommandingRole = (role: PartyRole): boolean => role === "module" || role === "governance";

const byteCount = z.int().min(0);

/** A published contract of Base, as the registry lists it and as readings record it. */
export const knownPartySchema = z.strictObject({
  address: recordedAddressSchema,
  name: z.string().min(1).max(80),
  protocol: z.string().min(1).max(40),
  role: z.enum(partyRoles),
  /**
   * Accepted code of this address: the hash of the runtime code after the ranges in `immutables` are set to zero.
   * Empty when no hash is published. A list here is complete: another code at this address is a change.
   */
  code: z
    .array(
      z.strictObject({
        hash: hash32Schema,
        /** Offset and length in bytes of values that the constructor writes into the code. */
        immutables: z.array(z.tuple([byteCount, byteCount])).optional(),
        source: z.string(),
      }),
    )
    .max(16),
  /** For proxies: implementations that are published. Governance may install others, so the list is never complete. */
  implementations: z.array(recordedAddressSchema).max(32),
  /** Tokens sent straight to it cannot be taken back by the sender. */
  keepsTransfers: z.boolean(),
  /** Where the address is published. */
  source: z.string().min(1).max(300),
});
export type KnownParty = z.output<typeof knownPartySchema>;
export type PublishedCode = KnownParty["code"][number];

/** Code as it was read: the hash alone is enough where no range has to be set to zero. */
export interface ReadCode {
  readonly hash: Hex;
  readonly bytes?: Hex;
}
