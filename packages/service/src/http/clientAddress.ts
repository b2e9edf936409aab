import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Context } from "hono";
import type { FindPeer } from "./peers.js";

/** The caller that a request is counted for. Unknown only where there is no socket, as in a direct call of the app. */
export const clientAddress = (c: Context): string => c.get("clientAddress") ?? "unknown";

export type ReadClientAddress = (request: Pick<IncomingMessage, "socket" | "headers">) => string;

interface Hop {
  /** An IPv4 address, or the /64 of an IPv6 one: a caller that has one address of a /64 has all of them. */
  readonly caller: string;
  readonly isTrusted: boolean;
}

const MAX_REMEMBERED = 10_000;
/** The longest spelling of an address and the longest name of an interface. */
const MAX_ADDRESS_CHARACTERS = 64;

/**
 * The peer of the connection; behind a trusted proxy the right-most address of X-Forwarded-For that is no trusted
 * proxy itself. Entries left of it were written by the caller and prove nothing.
 */
export function createClientAddressReader(trustedProxies: readonly string[]): ReadClientAddress {
  const findHop = createHopFinder(trustedProxies);
  return ({ socket, headers }) => {
    let hop = findHop(socket.remoteAddress ?? "");
    if (!hop?.isTrusted) return hop?.caller ?? "unknown";
    // Node joins repeated lines of this header with commas, in their order.
    let unread = String(headers["x-forwarded-for"] ?? "");
    while (hop.isTrusted) {
      const comma = unread.lastIndexOf(",");
      const before = findHop(unread.slice(comma + 1).trim());
      if (!before) break;
      hop = before;
      unread = unread.slice(0, Math.max(comma, 0));
    }
    return hop.caller;
  };
}

/** The caller at the other end of a connection; undefined for a trusted proxy, which speaks for many callers. */
export function createPeerFinder(trustedProxies: readonly string[]): FindPeer {
  const findHop = createHopFinder(trustedProxies);
  return ({ remoteAddress = "" }) => {
    const hop = findHop(remoteAddress);
    return hop?.isTrusted ? undefined : hop?.caller;
  };
}

function createHopFinder(trustedProxies: readonly string[]): (text: string) => Hop | undefined {
  const trusted = createTrustedList(trustedProxies);
  const hops = new Map<string, Hop>();
  return (text) => {
    const known = hops.get(text);
    if (known) return known;
    const address = findCanonicalAddress(text);
    if (address === undefined) return undefined;
    const isV6 = address.includes(":");
    const hop = {
      caller: isV6 ? networkOf(address) : address,
      isTrusted: trusted.check(address, isV6 ? "ipv6" : "ipv4"),
    };
    hops.set(text, hop);
    if (hops.size > MAX_REMEMBERED) hops.delete(hops.keys().next().value as string);
    return hop;
  };
}

function createTrustedList(trustedProxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of trustedProxies) {
    const [address = "", prefix] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** The one spelling of an address; IPv4 in IPv6 (RFC 4291, section 2.5.5.2) is IPv4. Undefined for anything else. */
function findCanonicalAddress(text: string): string | undefined {
  const version = text.length > MAX_ADDRESS_CHARACTERS ? 0 : isIP(text);
  if (version !== 6) return version === 4 ? text : undefined;
  // A zone names an interface of this machine, not a caller.
  const address = new URL(`http://[${text.replace(/%.*/, "")}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (!mapped) return address;
  const bytes = mapped
    .slice(1)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  return bytes.join(".");
}

/** The first 64 bits of a canonical IPv6 address. */
function networkOf(address: string): string {
  const [left = [], right] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = right === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...(right ?? [])];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
