import ipaddr from "ipaddr.js";

/** A service inside every tenant's network on Azure, although its address is in a public range. */
const AZURE_HOST = "168.63.129.16";
/** The part of IPv6 that is assigned to the public; addresses that embed IPv4 under `::/8` are outside of it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address, as a resolver or the URL standard writes it, is publicly routed. An address that embeds another one
 * (IPv4-mapped, 6to4, Teredo, NAT64, ISATAP) is not: the local network decides where it leads.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return ipaddr.IPv4.parse(text).range() === "unicast" && text !== AZURE_HOST;
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  if (address.zoneId !== undefined) return false;
  return address.range() === "unicast" && address.match(GLOBAL_UNICAST) && !isIsatap(address);
}

/** RFC 5214: interface identifiers 0000:5efe and 0200:5efe, followed by an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe;
}

/** Whether two texts are the same address. */
export function isSameAddress(one: string, other: string): boolean {
  return (
    ipaddr.isValid(one) &&
    ipaddr.isValid(other) &&
    ipaddr.parse(one).toNormalizedString() === ipaddr.parse(other).toNormalizedString()
  );
}
