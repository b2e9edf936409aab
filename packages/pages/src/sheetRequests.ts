/** A style sheet in another file that a page asks for. */
export interface SheetRequest {
  /** Absolute, without a fragment. */
  readonly url: string;
  /** Hashes of which its bytes must have one (Subresource Integrity), or empty. */
  readonly integrity: string;
}

/** Equal for requests of the same sheet. */
export const keyOf = ({ url, integrity }: SheetRequest) => `${integrity} ${url}`;

/** A sheet as its server sent it. A sheet that nobody can load is empty: it does not style the page for people either. */
export interface FetchedSheet extends SheetRequest {
  /** Null where only this service's limits kept it from being read. */
  readonly css: string | null;
}

/** Longer tags and more imports are not searched, so that no page can make this take long. */
const LINK = /<(?:link|base)\b[^>]{0,3000}>/gi;
const IMPORT = /@import\s{0,20}(?:url\(\s{0,20})?["']?([^"')\s;]{1,2000})/gi;
const MAX_IMPORTS = 12;
/** `@import` counts only before all other rules. */
const MAX_HEAD_CHARACTERS = 20_000;

/**
 * The sheets that a page names, found by its tags and not by its document: those that the document uses and this does not find
 * count as unread.
 */
export function listSheetRequests(html: string, finalUrl: string): SheetRequest[] {
  let base = finalUrl;
  const found: SheetRequest[] = [];
  for (const [tag] of html.matchAll(LINK)) {
    const href = readAttribute(tag, "href");
    if (/^<base/i.test(tag)) base = base === finalUrl ? (resolveUrl(href, finalUrl) ?? base) : base;
    else if (/\bstylesheet\b/i.test(readAttribute(tag, "rel")) && !/^\s*data:/i.test(href)) {
      const url = resolveUrl(href, base);
      if (url !== undefined) found.push({ url, integrity: readAttribute(tag, "integrity").trim() });
    }
  }
  const styles = html.split(/<style\b/i).slice(1, 20);
  return [...found, ...styles.flatMap((style) => listImports(style, base))];
}

/** The sheets that a sheet imports. */
export function listImports(css: string, base: string): SheetRequest[] {
  const matches = [...css.slice(0, MAX_HEAD_CHARACTERS).matchAll(IMPORT)].slice(0, MAX_IMPORTS);
  return matches.flatMap(([, href = ""]) => {
    const url = /^data:/i.test(href) ? undefined : resolveUrl(href, base);
    return url === undefined ? [] : [{ url, integrity: "" }];
  });
}

/** Undefined for what is not fetched over HTTP. */
export function resolveUrl(href: string, base: string): string | undefined {
  if (!URL.canParse(href.trim(), base)) return undefined;
  const url = new URL(href.trim(), base);
  url.hash = "";
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function readAttribute(tag: string, name: string): string {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(tag) ?? [];
  return (double ?? single ?? bare ?? "").replaceAll("&amp;", "&");
}
