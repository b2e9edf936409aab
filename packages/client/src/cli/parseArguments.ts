import { addressSchema, type Hex, hash32Schema } from "@assay/protocol/primitives";
import { InvalidArgumentError } from "commander";

export function parseAddress(text: string): Hex {
  const parsed = addressSchema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError("Give an address: 0x and 40 hex digits.");
  return parsed.data;
}

/** An address or the word `none`; commander keeps no null, so `toImplementation` makes it one. */
export const parseImplementation = (text: string): Hex | "none" =>
  text === "none" ? text : parseAddress(text);

export const toImplementation = (given: Hex | "none"): Hex | null => (given === "none" ? null : given);

export function parseClaimId(text: string): Hex {
  const parsed = hash32Schema.safeParse(text.toLowerCase());
  if (!parsed.success) throw new InvalidArgumentError("Give an id: 0x and 64 hex digits.");
  return parsed.data;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(count))
    throw new InvalidArgumentError("Give a whole number.");
  return count;
}

export function parseUsd(text: string): number {
  const usd = Number(text);
  if (!/^[0-9]+(\.[0-9]{1,6})?$/.test(text) || !(usd > 0))
    throw new InvalidArgumentError("Give an amount in USD, such as 0.25.");
  return usd;
}

/** A node's URL. It may contain an API key, so errors do not repeat it. */
export function parseNodeUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError("Give the http(s) address of a JSON-RPC node.");
  return text;
}

const HOUR_MS = 3_600_000;

/** A time, or how far ahead of now: 36h, 7d. */
export function parseDeadline(text: string): Date {
  const ahead = /^([0-9]{1,4})([hd])$/.exec(text);
  const deadline = ahead
    ? new Date(Date.now() + Number(ahead[1]) * (ahead[2] === "d" ? 24 * HOUR_MS : HOUR_MS))
    : new Date(text);
  if (Number.isNaN(deadline.getTime()))
    throw new InvalidArgumentError("Give a time such as 2030-01-31T12:00:00Z, or a duration: 36h, 7d.");
  return deadline;
}

export function parseLogKey(text: string): string {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32 || key.toString("base64") !== text)
    throw new InvalidArgumentError("Give an Ed25519 key: 32 bytes in base64.");
  return text;
}

/** A node that answers JSON-RPC by HTTP or WebSocket. It may contain an API key, so errors do not repeat it. */
export function parseUpstreamUrl(text: string): string {
  if (!/^(https?|wss?):\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError("Give the http(s) or ws(s) address of a JSON-RPC node.");
  return text;
}
