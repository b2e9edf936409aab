import { z } from "zod";

/** CAIP-2 id of the one chain every verdict is about. */
export const NETWORK = "eip155:8453";
/** The version of the interface that /openapi.json describes, not of this software. */
export const INTERFACE_VERSION = "5.0.0";

/** The version of every package of this release, as the command and the MCP servers state it. */
export const RELEASE_VERSION = "0.1.0";
export const CHAIN_ID = 8453;

export type Hex = `0x${string}`;

const hex = (pattern: RegExp, rule: string) =>
  z.string().regex(pattern, rule) as unknown as z.ZodType<Hex, string>;

/** An EVM address in any casing. */
export const addressSchema = hex(/^0x[a-fA-F0-9]{40}$/, "must be 0x followed by 40 hex digits");
/** An address in a normalized input: lowercase, so that one address has one input hash. */
export const lowercaseAddressSchema = addressSchema.transform((value) => value.toLowerCase() as Hex);
export const hash32Schema = hex(/^0x[0-9a-f]{64}$/, "must be 0x followed by 64 lowercase hex digits");
/** Bytes in hex; an odd number of digits is not a whole number of bytes. */
export const bytesSchema = hex(/^0x([a-fA-F0-9]{2})*$/, "must be 0x followed by whole hex bytes");
export const artifactIdSchema = z
  .string()
  .regex(/^sha256:[a-f0-9]{64}$/, "must be sha256: followed by 64 lowercase hex digits");
export const blockNumberSchema = z.int().min(0);
export const usdSchema = z.number().min(0);
export const dateTimeSchema = z.iso.datetime();
/** The outcomes that may be reported for a paid call. */
export const outcomeNames = ["success", "failure", "avoided", "unknown"] as const;
/** The decisions that may be recorded on a verdict on an obligation. */
export const decisionNames = ["accepted", "rejected", "escalated"] as const;
export const verdictSchema = z.enum(["allow", "review", "block"]);
export const cacheStatusSchema = z.enum(["hit", "partial", "miss"]);

export type Verdict = z.infer<typeof verdictSchema>;
export type CacheStatus = z.infer<typeof cacheStatusSchema>;

/** Longest URL of a page that is read. */
export const MAX_URL_CHARACTERS = 2048;
