/** Of a page's beginning, where browsers act on it before anybody can read anything. */
const MAX_BYTES = 16 * 1024;
/** In seconds. Who waits longer reads the page first. */
const MAX_DELAY = 1;
/** Comments and what browsers with scripts skip. */
const SKIPPED =
  /<!--[\s\S]*?(?:-->|$)|<(noscript|script|style|template|title|textarea)\b[\s\S]*?(?:<\/\1|$)/gi;
const META = /<meta\b[^>]{0,3000}>/gi;
const ATTRIBUTE = /\s(http-equiv|content)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;
/** HTML, section 4.2.5.3: the time, then the address with or without "url=" and quotation marks. */
const REFRESH = /^\s*(\d*)(?:\.[\d.]*)?\s*[;,]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^"'\s][\s\S]*))/i;

/**
 * The address to which a page sends every browser at once, in its own bytes as Latin-1 like a `Location`; undefined where it sends
 * nobody anywhere, or only after a while.
 */
export function findRefresh(contentType: string | undefined, body: Buffer): string | undefined {
  if (!/^text\/html|^application\/xhtml/i.test(contentType ?? "")) return undefined;
  const head = body
    .toString("latin1", 0, MAX_BYTES)
    .replaceAll(SKIPPED, " ")
    .split(/<body\b/i)[0];
  for (const [tag] of (head ?? "").matchAll(META)) {
    const found = new Map(
      [...tag.matchAll(ATTRIBUTE)].map(([, name = "", double, single, bare]) => [
        name.toLowerCase(),
        double ?? single ?? bare ?? "",
      ]),
    );
    if (!/^\s*refresh\s*$/i.test(found.get("http-equiv") ?? "")) continue;
    const [, seconds = "", ...addresses] = REFRESH.exec(found.get("content") ?? "") ?? [];
    const address = addresses.find((one) => one !== undefined)?.trim();
    if (address !== undefined && address !== "" && Number(seconds) <= MAX_DELAY)
      return address.replaceAll("&amp;", "&");
  }
  return undefined;
}
