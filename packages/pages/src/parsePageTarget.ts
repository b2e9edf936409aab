import { isIP } from "node:net";
import { AssayError, MAX_URL_CHARACTERS } from "@assay/protocol";
import { isPublicAddress } from "./publicAddress.js";

/** Host names that are served from this machine, `127.0.0.1:port`; empty except where sample pages are served. */
export type TestHosts = ReadonlyMap<string, string>;

export interface PageTarget {
  /** In the form of the URL standard and without a fragment, so that two URLs of one page are equal. */
  readonly url: string;
  readonly isSecure: boolean;
  /** Lowercase, in ASCII, an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
  /** The origin that a robots.txt belongs to. */
  readonly origin: string;
  readonly pathAndQuery: string;
  /** Where a test host is served instead. */
  readonly servedAt?: { readonly address: string; readonly port: number };
}

/**
 * Last labels under which there are no public hosts: RFC 6761, 6762, 7686, 8375, 9476, ICANN's `internal`, and names that
 * private networks are known to use.
 */
const PRIVATE_SUFFIXES = new Set(
  [
    "alt arpa bit corp domain example gnu home i2p internal intranet invalid lan local localdomain localhost",
    "mail onion private test workgroup zkey",
  ].flatMap((line) => line.split(" ")),
);

/** Parses a URL once, by the URL standard. Throws `web_target_forbidden` where the URL alone shows that it is no public page. */
export function parsePageTarget(text: string, testHosts: TestHosts = new Map()): PageTarget {
  // The standard normalizes numbers of any spelling, full-width letters, escapes and dots; the text is not parsed again.
  const url = URL.canParse(text) ? new URL(text) : refuse("It is not an absolute URL.");
  if (url.protocol !== "http:" && url.protocol !== "https:") refuse("Only http and https pages are read.");
  if (url.username !== "" || url.password !== "") refuse("It must not carry a user name or password.");
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  if (port !== 80 && port !== 443) refuse("Only the ports 80 and 443 are allowed.");
  url.hash = "";
  if (url.href.length > MAX_URL_CHARACTERS) refuse(`It is longer than ${MAX_URL_CHARACTERS} characters.`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const served = testHosts.get(host);
  if (served === undefined) refusePrivateHost(host);
  return {
    url: url.href,
    isSecure,
    host,
    port,
    origin: url.origin,
    pathAndQuery: `${url.pathname}${url.search}`,
    ...(served !== undefined && { servedAt: parsePlace(served) }),
  };
}

function refusePrivateHost(host: string): void {
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) refuse("Its address is not public.");
    return;
  }
  const labels = host.split(".");
  if (labels.some((label) => label === "")) refuse("Its host has an empty label or ends in a dot.");
  if (labels.length < 2) refuse("Its host is a bare name.");
  if (PRIVATE_SUFFIXES.has(labels.at(-1) ?? "")) refuse(`Names under .${labels.at(-1)} are not public.`);
}

function parsePlace(place: string): { address: string; port: number } {
  const [address = "", port = ""] = place.split(":");
  return { address, port: Number(port) };
}

function refuse(reason: string): never {
  throw new AssayError("web_target_forbidden", reason, { fields: [{ field: "url", rule: reason }] });
}
