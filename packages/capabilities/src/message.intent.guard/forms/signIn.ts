import type { Hex } from "@assay/protocol";
import { CHAIN_ID } from "@assay/protocol/primitives";
import { type Meaning, mean } from "../meaning.js";
import type { FormCode } from "../reasons.js";
import { hidesContent } from "./hiddenContent.js";
import { judgeWords, MAX_JUDGED } from "./judgeWords.js";
import { isSameSite } from "./sites.js";
import { speaksOfGiving } from "./textWords.js";

/** ERC-4361, line by line; the scheme before the domain and most fields behind the nonce may be left out. */
const HEAD =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?<domain>[^\s/?#]+) wants you to sign in with your Ethereum account:\n(?<address>0x[0-9a-fA-F]{40})\n/;
/** The same in other letters and blanks: programs that compare less strictly take it for a sign-in. */
const LOOSE_MARK = /\bwants\s+you\s+to\s+sign[\s-]+in\s+with\s+your\s+\w+\s+account/gi;
const LOOSE_DOMAIN = /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?<domain>[^/?#]*)/i;
const MAX_DOMAIN = 300;
/** Of a sign-in with Farcaster (FIP-11): its statement, and the number of the user who signs in. */
const FARCASTER = "Farcaster Auth";
const FARCASTER_USER = /^farcaster:\/\/fid\/\d{1,20}$/;
const FIELD = /^(URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID): ?(.*)$/;

interface SignIn {
  readonly scheme: string | null;
  readonly domain: string;
  readonly address: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly resources: readonly string[];
  readonly statement: string;
  /** Whether it is written as the standard writes it. */
  readonly isStrict: boolean;
}

function parseSignIn(text: string): SignIn | undefined {
  const marks = [...text.matchAll(LOOSE_MARK)];
  const [mark] = marks;
  if (mark === undefined) return undefined;
  const before = text.slice(Math.max(0, mark.index - MAX_DOMAIN), mark.index).trimEnd();
  const loose = LOOSE_DOMAIN.exec(before.split(/\s/).at(-1) ?? "");
  const head = HEAD.exec(text);
  const fields: Record<string, string> = {};
  const resources: string[] = [];
  const statement: string[] = [];
  let isStrict = head !== null && marks.length === 1 && !text.includes("\r");
  let isListing = false;
  const rest = head ? text.slice(head[0].length) : text.slice(mark.index + mark[0].length);
  for (const line of rest.split(/\r?\n/)) {
    const field = FIELD.exec(line);
    const name = field?.[1];
    if (field && name && !isListing) {
      if (Object.hasOwn(fields, name)) isStrict = false;
      fields[name] ??= field[2] as string;
    } else if (line === "Resources:" && !isListing) isListing = true;
    else if (isListing && line.startsWith("- ")) resources.push(line.slice(2));
    else if (line.trim() !== "") {
      // One line before the fields, and nothing after them.
      if (statement.length > 0 || Object.keys(fields).length > 0) isStrict = false;
      statement.push(line);
    }
  }
  const { scheme, domain = "" } = head?.groups ?? loose?.groups ?? {};
  return {
    scheme: scheme?.toLowerCase() ?? null,
    domain: domain.toLowerCase(),
    address: (head?.groups?.address ?? /0x[0-9a-fA-F]{40}/.exec(rest)?.[0] ?? "").toLowerCase(),
    fields,
    resources,
    statement: statement.join(" "),
    isStrict,
  };
}

/** A sign-in (ERC-4361): who may use it is bound by domain, address, chain, nonce and time. */
export function readSignIn(text: string, signer: Hex, origin: string | null): Meaning | undefined {
  const read = parseSignIn(text);
  if (read === undefined) return undefined;
  const { domain, fields, resources, statement } = read;
  const codes = new Set<FormCode>();
  const uri = URL.canParse(fields.URI ?? "") ? new URL(fields.URI as string) : null;
  if (uri === null || uri.host.toLowerCase() !== withoutDefaultPort(domain, uri))
    codes.add("SIGN_IN_URI_DIFFERS");
  const asked = origin === null ? null : judgeAsker(new URL(origin), domain);
  if (asked !== null) codes.add(asked);
  if (read.address !== signer) codes.add("SIGN_IN_OF_ANOTHER");
  if (isDoubtfulHost(domain)) codes.add("SIGN_IN_DOMAIN_DOUBTFUL");
  const schemes = [uri?.protocol, origin && new URL(origin).protocol, read.scheme && `${read.scheme}:`];
  if (schemes.includes("http:") && !isLocal(domain)) codes.add("SIGN_IN_UNPROTECTED");
  if (fields["Chain ID"] !== String(CHAIN_ID)) codes.add("SIGN_IN_OTHER_CHAIN");
  if (!/^[A-Za-z0-9_-]{8,}$/.test(fields.Nonce ?? "")) codes.add("SIGN_IN_REPLAYABLE");
  if (!read.isStrict || fields.Version !== "1" || Number.isNaN(Date.parse(fields["Issued At"] ?? "")))
    codes.add("SIGN_IN_MALFORMED");
  if (resources.some((one) => grantsMore(one, nameOf(domain)))) codes.add("SIGN_IN_GRANTS_MORE");
  if (statement !== FARCASTER) for (const code of judgeWords(statement, signer)) codes.add(code);
  const free = `${fields["Request ID"] ?? ""} ${fields.Nonce ?? ""}`.replace(/[^A-Za-z0-9]+/g, " ");
  if (speaksOfGiving(free)) codes.add("TEXT_SPEAKS_OF_ASSETS");
  if (text.length > MAX_JUDGED) codes.add("MESSAGE_CUT");
  // Hidden characters count wherever they stand.
  if (hidesContent(text)) codes.add("TEXT_OBSCURED");
  // A sign-in moves nothing on any chain; the other one is only named.
  const isSound = [...codes].every((code) => code === "SIGN_IN_OTHER_CHAIN");
  return mean({
    form: "signIn",
    title: `a sign-in at ${domain} (ERC-4361)`,
    owner: /^0x[0-9a-f]{40}$/.test(read.address) ? (read.address as Hex) : null,
    from: secondsOf(fields["Not Before"]),
    until: secondsOf(fields["Expiration Time"]),
    notes: [...(isSound ? ["SIGN_IN" as const] : []), ...codes].map((code) => ({ code })),
    says: [
      `Signs in at ${domain}${statement === "" ? "" : `, saying ${JSON.stringify(statement.slice(0, 200))}`}.`,
    ],
  });
}

/** ERC-4361 binds a sign-in to one host. Another one of the same owner may pass it on by mistake, and a stranger's is a theft. */
function judgeAsker(origin: URL, domain: string): FormCode | null {
  if (origin.host === withoutDefaultPort(domain, origin)) return null;
  return isSameSite(origin.hostname, nameOf(domain)) ? "SIGN_IN_FOR_SISTER_SITE" : "SIGN_IN_FOR_ANOTHER_SITE";
}

const withoutDefaultPort = (domain: string, { protocol }: URL): string =>
  domain.replace(protocol === "https:" ? /:443$/ : /:80$/, "");

const nameOf = (host: string): string => host.replace(/:\d+$/, "");
const isLocal = (host: string): boolean => nameOf(host) === "localhost" || nameOf(host) === "127.0.0.1";

/** Services that log people in for many sites, and name themselves in each sign-in without a path: there is nothing to permit. */
const SIGN_IN_SERVICES: ReadonlySet<string> = new Set(["https://privy.io"]);

/** Pages of the site itself and files say what is agreed to; other resources are permissions somewhere. */
function grantsMore(resource: string, site: string): boolean {
  if (resource.startsWith("ipfs://")) return resource.includes("*");
  if (FARCASTER_USER.test(resource)) return false;
  if (resource.includes("*") || !/^https?:\/\//.test(resource) || !URL.canParse(resource)) return true;
  const { hostname, pathname, search, hash } = new URL(resource);
  if (SIGN_IN_SERVICES.has(resource)) return false;
  const words = `${pathname}${search}${hash}`.replace(/%[0-9a-f]{2}|[^A-Za-z0-9]+/gi, " ");
  return !isSameSite(hostname, site) || speaksOfGiving(words);
}

/** Letters of several scripts, numbers in place of a name, or a name before an at sign. */
const isDoubtfulHost = (host: string): boolean => {
  const name = nameOf(host);
  if (name === "localhost") return false;
  return (
    /[^\x21-\x7e]|@|xn--/.test(name) || /^[0-9.]+$/.test(name) || name.startsWith("[") || !name.includes(".")
  );
};

function secondsOf(time: string | undefined): string | null {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) || ms < 0 ? null : Math.floor(ms / 1000).toString();
}
