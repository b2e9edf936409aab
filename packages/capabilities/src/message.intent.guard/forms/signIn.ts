import type { Hex } from "@assay/protocol";
import { CHAIN_ID } from "@assay/protocol/primitives";
import { type Meaning, mean } from "../meaning.js";
import type { FormCode } from "../reasons.js";

/** ERC-4361, line by line; the scheme before the domain and most fields behind the nonce may be left out. */
const HEAD =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?<domain>[^\s/?#]+) wants you to sign in with your Ethereum account:\n(?<address>0x[0-9a-fA-F]{40})\n/;
const FIELD = /^(URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID): ?(.*)$/;

interface SignIn {
  readonly domain: string;
  readonly address: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly resources: readonly string[];
  readonly statement: string;
}

function parseSignIn(text: string): SignIn | undefined {
  const normal = text.replaceAll("\r\n", "\n");
  const head = HEAD.exec(normal);
  if (!head?.groups) return undefined;
  const fields: Record<string, string> = {};
  const resources: string[] = [];
  const statement: string[] = [];
  let isListing = false;
  for (const line of normal.slice(head[0].length).split("\n")) {
    const field = FIELD.exec(line);
    if (field && !isListing) fields[field[1] as string] ??= field[2] as string;
    else if (line === "Resources:") isListing = true;
    else if (isListing && line.startsWith("- ")) resources.push(line.slice(2));
    else if (line.trim() !== "") statement.push(line);
  }
  return {
    domain: (head.groups.domain ?? "").toLowerCase(),
    address: (head.groups.address ?? "").toLowerCase(),
    fields,
    resources,
    statement: statement.join(" "),
  };
}

/** A sign-in (ERC-4361): who may use it is bound by domain, address, chain, nonce and time. */
export function readSignIn(text: string, signer: Hex, origin: string | null): Meaning | undefined {
  const read = parseSignIn(text);
  if (read === undefined) return undefined;
  const { domain, fields, resources } = read;
  const codes: FormCode[] = [];
  const uri = URL.canParse(fields.URI ?? "") ? new URL(fields.URI as string) : null;
  if (uri === null || uri.host.toLowerCase() !== withoutDefaultPort(domain, uri))
    codes.push("SIGN_IN_URI_DIFFERS");
  if (origin !== null && new URL(origin).host !== domain) codes.push("SIGN_IN_FOR_ANOTHER_SITE");
  if (read.address !== signer) codes.push("SIGN_IN_OF_ANOTHER");
  if (isDoubtfulHost(domain)) codes.push("SIGN_IN_DOMAIN_DOUBTFUL");
  if (fields["Chain ID"] !== String(CHAIN_ID)) codes.push("SIGN_IN_OTHER_CHAIN");
  if (!/^[A-Za-z0-9_-]{8,}$/.test(fields.Nonce ?? "")) codes.push("SIGN_IN_REPLAYABLE");
  if (fields.Version !== "1" || Number.isNaN(Date.parse(fields["Issued At"] ?? "")))
    codes.push("SIGN_IN_MALFORMED");
  if (resources.some((one) => one.startsWith("urn:recap:"))) codes.push("SIGN_IN_GRANTS_MORE");
  return mean({
    form: "signIn",
    title: `a sign-in at ${domain} (ERC-4361)`,
    owner: read.address as Hex,
    from: secondsOf(fields["Not Before"]),
    until: secondsOf(fields["Expiration Time"]),
    notes: codes.length === 0 ? [{ code: "SIGN_IN" }] : codes.map((code) => ({ code })),
    says: [
      `Signs in at ${domain}${read.statement === "" ? "" : `, saying ${JSON.stringify(read.statement.slice(0, 200))}`}.`,
    ],
  });
}

const withoutDefaultPort = (domain: string, { protocol }: URL): string =>
  domain.replace(protocol === "https:" ? /:443$/ : /:80$/, "");

/** Letters of several scripts, numbers in place of a name, or a name before an at sign. */
const isDoubtfulHost = (host: string): boolean => {
  const name = host.replace(/:\d+$/, "");
  if (name === "localhost" || name === "127.0.0.1") return false;
  return (
    /[^\x21-\x7e]|@|xn--/.test(name) || /^[0-9.]+$/.test(name) || name.startsWith("[") || !name.includes(".")
  );
};

function secondsOf(time: string | undefined): string | null {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) || ms < 0 ? null : Math.floor(ms / 1000).toString();
}
