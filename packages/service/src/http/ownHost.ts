import { isIP } from "node:net";

/** Whether a Host header names this service. */
export type OwnHostCheck = (host: string | undefined) => boolean;

/**
 * A page may let its own name resolve to 127.0.0.1 (DNS rebinding) and so call a service there as if from the same origin; its
 * name then stands in Host. A service that listens on the loopback interface alone therefore answers only to names of that
 * interface, and to its public name, which a proxy may use. A service that listens for everybody answers to every name,
 * because it cannot know all of its own.
 */
export function createOwnHostCheck(
  listenHost: string,
  settings: { readonly publicUrl: string },
): OwnHostCheck {
  if (!isLoopback(listenHost)) return () => true;
  return (host) => {
    const name = hostnameOf(`http://${host ?? ""}`);
    return name !== undefined && (isLoopback(name) || name === hostnameOf(settings.publicUrl));
  };
}

const hostnameOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname.replaceAll(/[[\]]/g, "") : undefined;

/** RFC 6761 keeps localhost and what ends in it on this machine. */
function isLoopback(name: string): boolean {
  if (isIP(name) === 4) return name.startsWith("127.");
  return name === "::1" || name === "localhost" || name.endsWith(".localhost");
}
