import { nothing, type ReadAgain, type Recognized, unknown } from "./recognized.js";

const EXPLORERS_OF_BASE = /^(www\.)?(basescan\.org|base\.blockscout\.com)$/;
/** Pages of these are about what is on another chain. */
const OTHER_EXPLORERS =
  /(^|\.)(etherscan\.io|arbiscan\.io|bscscan\.com|polygonscan\.com|snowtrace\.io|solscan\.io|basescan\.org|blockscout\.com)$/;
/** Names and addresses that are of somebody's own network. */
const OWN_NETWORK =
  /^(localhost|.*\.(local|localhost|internal)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|0\.0\.0\.0|\[(::1?|f[cde].*)\])$/i;
const SUBJECT = /^\/(?:address|token|tx|contract)\/(0x(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40}))(?:\/|$)/;

/** A page. Those of an explorer of Base are about what is in their address. */
export function recognizeUrl(text: string, again: ReadAgain): Recognized {
  if (/\s/.test(text) || !URL.canParse(text))
    return unknown("It begins like an address of a page and is none.");
  const { hostname, pathname, username, password } = new URL(text);
  const subject = SUBJECT.exec(pathname)?.[1];
  const isOfBase = EXPLORERS_OF_BASE.test(hostname);
  if (isOfBase && subject) return again(subject);
  if (username !== "" || password !== "")
    return nothing("url", "an address of a page", "It names a user or a password: remove them before @.");
  if (OWN_NETWORK.test(hostname))
    return nothing(
      "url",
      "an address of a page",
      "It is one of your own network, which the service cannot reach. Only public pages are read.",
    );
  if (text.length > 2048) return nothing("url", "an address of a page", "It is over 2,048 characters.");
  const isElsewhere = !isOfBase && OTHER_EXPLORERS.test(hostname);
  return {
    kind: "url",
    title: isElsewhere
      ? "an address of a page about another chain: the page can be read, what it is about is judged on Base alone"
      : "an address of a page",
    questions: [{ capabilityId: "web.compile", input: { url: text }, missing: [] }],
  };
}
