import ipaddr from "ipaddr.js";

/** Answers inside a tenant's network on Azure, though its number is public. */
const AZURE_HOST = "168.63.129.16";
/** All of IPv6 that is given out to the public; what maps or embeds IPv4 by prefix `::/8` lies outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address, in the spelling a resolver or the URL standard gives, is one anybody can reach. What
 * carries another address inside (IPv4-mapped, 6to4, Teredo, NAT64, ISATAP) is not: where it leads, the
 * network decides and not the number.
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

/** Whether two spellings name one address. */
export function isSameAddress(one: string, other: string): boolean {
  return (
    ipaddr.isValid(one) &&
    ipaddr.isValid(other) &&
    ipaddr.parse(one).toNormalizedString() === ipaddr.parse(other).toNormalizedString()
  );
}
