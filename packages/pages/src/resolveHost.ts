import { Resolver } from "node:dns/promises";
import { AssayError } from "@assay/protocol";
import { isPublicAddress } from "./publicAddress.js";

/** Every address of a host, IPv4 first. Throws `web_target_forbidden` unless all are public. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** The errors of a name server for a name without an address of this family. */
const NO_ADDRESS = new Set(["ENODATA", "ENOTFOUND"]);

/**
 * Asks name servers, not the hosts file, and without search domains. One address that is not public is enough to refuse a host:
 * an honest host has none, and names that alternate between public and private addresses are a way into private networks.
 */
export function createHostResolver(nameServers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);

  return async (host) => {
    const answers = await Promise.all([
      resolver.resolve4(host).catch(toNoAddress),
      resolver.resolve6(host).catch(toNoAddress),
    ]);
    const addresses = answers.flat();
    if (addresses.length === 0)
      throw new AssayError("web_page_unavailable", "The page's host has no address.");
    if (!addresses.every(isPublicAddress))
      // The address is not named, because it would reveal the network of this service to strangers.
      throw new AssayError("web_target_forbidden", "The page's host has an address that is not public.");
    return addresses;
  };
}

function toNoAddress(error: NodeJS.ErrnoException): string[] {
  if (NO_ADDRESS.has(error.code ?? "")) return [];
  throw new AssayError("web_page_unavailable", "The name of the page's host could not be resolved.", {
    cause: error,
  });
}
