/** Parts of a name under which anybody can have a name of their own: national ones, and those of hosts (Public Suffix List). */
const SHARED_SECOND = /^(?:co|com|org|net|gov|ac|edu|or|ne|go)\.[a-z]{2}$/;
const SHARED_HOSTS: ReadonlySet<string> = new Set([
  "github.io",
  "gitlab.io",
  "vercel.app",
  "netlify.app",
  "pages.dev",
  "workers.dev",
  "web.app",
  "firebaseapp.com",
  "herokuapp.com",
  "onrender.com",
  "fly.dev",
  "surge.sh",
  "repl.co",
  "replit.app",
  "glitch.me",
  "blogspot.com",
  "wixsite.com",
  "weebly.com",
  "webflow.io",
  "framer.app",
  "ngrok.io",
  "ngrok-free.app",
  "trycloudflare.com",
  "cloudfront.net",
  "amazonaws.com",
  "azurewebsites.net",
  "eth.limo",
  "eth.link",
  "ipfs.io",
  "dweb.link",
]);

/** The name that somebody registered, of which everything before it is theirs; null for a suffix, an address or one word. */
export function registeredNameOf(host: string): string | null {
  const labels = host.toLowerCase().replace(/\.$/, "").split(".");
  if (labels.length < 2 || labels.some((label) => label === "") || /^\d+$/.test(labels.at(-1) ?? ""))
    return null;
  const last = labels.slice(-2).join(".");
  const isShared = SHARED_SECOND.test(last) || SHARED_HOSTS.has(last);
  if (!isShared) return last;
  return labels.length === 2 ? null : labels.slice(-3).join(".");
}

/** Whether two hosts belong to the one who registered the name: compared whole, never by a part of it. */
export function isSameSite(host: string, other: string): boolean {
  const name = registeredNameOf(host);
  return host === other || (name !== null && name === registeredNameOf(other));
}

/** Whether a host is called as a service is: the first part of its registered name is that word, whole. */
export function isCalled(host: string, service: string): boolean {
  const [label = ""] = registeredNameOf(host)?.split(".") ?? [];
  return label !== "" && label.replace(/-/g, "") === service.toLowerCase().replace(/[^a-z0-9]/g, "");
}
