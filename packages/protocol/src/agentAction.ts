import { z } from "zod";
import { keccak256Text } from "./keccak256.js";
import { addressSchema, CHAIN_ID, type Hex } from "./primitives.js";

/** Signed, free actions, by the names that are signed. */
export const agentActions = [
  "claim_challenge",
  "artifact_publish",
  "capability_outcome",
  "demand_pledge",
  "obligation_decision",
  "bounty_list",
] as const;
export type AgentActionName = (typeof agentActions)[number];

/** EIP-712 struct of every signed action. */
export const agentActionTypes = {
  AgentAction: [
    { name: "action", type: "string" },
    { name: "resource", type: "string" },
    { name: "timestamp", type: "uint256" },
    { name: "nonce", type: "string" },
  ],
} as const;

export interface AgentAction {
  readonly action: AgentActionName;
  /** What the action is about; each action defines its form. */
  readonly resource: string;
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly nonce: string;
}

/** How far a signed time may be from the server's, in either direction. */
export const ACTION_WINDOW_MS = 5 * 60_000;
/** A nonce is used once in this time per wallet and action: as long as any signature over it can be fresh. */
export const NONCE_LIFE_MS = 10 * 60_000;
export const NONCE_PATTERN = /^[a-zA-Z0-9_-]{8,128}$/;

export const actionHeaders = {
  wallet: "x-agent-wallet",
  signature: "x-agent-signature",
  timestamp: "x-agent-timestamp",
  nonce: "x-agent-nonce",
} as const;

/** The form of each header; the signature itself is checked elsewhere. */
export const actionHeaderSchemas = {
  wallet: addressSchema.describe("address that signs; the wallet in the body"),
  // One spelling of each signature. Contract wallets (ERC-1271) take more than 65 bytes.
  signature: z
    .string()
    .regex(/^0x([0-9a-f]{2}){1,2048}$/, "must be 0x followed by whole bytes in lowercase hex")
    .describe("EIP-712 signature over the AgentAction, in lowercase hex"),
  timestamp: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,15})$/, "must be Unix milliseconds in decimal digits")
    .describe("Unix milliseconds, at most five minutes from the server's clock"),
  nonce: z
    .string()
    .regex(NONCE_PATTERN, "must be 8 to 128 letters, digits, _ or -")
    .describe("chosen by the caller; used once in ten minutes per wallet and action"),
} as const;

/** The origin that a signature is meant for, without a trailing slash. */
export const audienceOf = (baseUrl: string): string => new URL(baseUrl).origin;

/** The salt binds a signature to one server: one that was made for another is not valid here. */
export function agentActionDomain(audience: string): {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly salt: Hex;
} {
  return {
    name: "Service Agent API",
    version: "1",
    chainId: CHAIN_ID,
    salt: keccak256Text(audience),
  };
}

/** The form in which a capability's name is pledged for and counted: letters, digits, and single separators between them. */
export const CAPABILITY_NAME_PATTERN = /^[a-z0-9]+([._-][a-z0-9]+)*$/;

export const normalizeCapabilityName = (name: string): string => name.trim().toLowerCase();
