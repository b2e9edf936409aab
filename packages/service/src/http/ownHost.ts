import { isIP } from "node:net";

/** Whether a Host header names this service. */
export type OwnHostCheck = (host: string | undefined) => boolean;

/**
 * A page may let its own name lead to 127.0.0.1 (DNS rebinding) and so pass for a page of whatever listens there; its name
 * then stands in Host. Who listens on the loopback interface alone is therefore asked for by a name of it, or by the public
 * one if a proxy stands before. Who listens for everybody has no such secret, and a name it cannot know of.
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
