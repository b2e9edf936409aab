import { createHash } from "node:crypto";
import { type FetchedSheet, keyOf, listImports, type SheetRequest } from "./sheetRequests.js";

/** More than nearly every page has; further ones are unread. */
const MAX_SHEETS = 24;
const MAX_BYTES_IN_ALL = 3 * 1024 * 1024;
/** Of sheets that import sheets. */
const MAX_IMPORT_DEPTH = 4;

/** Hosts whose sheets only name fonts, which do not decide whether text is seen. */
const FONT_HOSTS =
  /^(?:fonts\.(?:googleapis|gstatic)\.com|fonts\.bunny\.net|use\.typekit\.net|p\.typekit\.net)$/;

/** The bytes of a sheet; "absent" where nobody can load it, "unread" where only this service does not. */
export type SheetAnswer = { readonly bytes: Uint8Array; readonly charset: string } | "absent" | "unread";

/** Fetches the sheets of a page and those that they import. `ask` throws nothing. */
export async function fetchSheets(
  pageUrl: string,
  requests: readonly SheetRequest[],
  ask: (url: string) => Promise<SheetAnswer>,
): Promise<FetchedSheet[]> {
  const sheets = new Map<string, FetchedSheet>();
  const answers = new Map<string, Promise<SheetAnswer>>();
  let bytesLeft = MAX_BYTES_IN_ALL;

  const askOnce = (url: string) => {
    const known = answers.get(url);
    if (known) return known;
    const answer = answers.size < MAX_SHEETS ? ask(url) : Promise.resolve("unread" as const);
    answers.set(url, answer);
    return answer;
  };

  async function read(request: SheetRequest): Promise<string | null> {
    const { host, protocol } = new URL(request.url);
    // Browsers load no insecure sheet into a secure page.
    if (FONT_HOSTS.test(host) || (protocol === "http:" && pageUrl.startsWith("https:"))) return "";
    const answer = await askOnce(request.url);
    if (answer === "unread") return null;
    if (answer === "absent" || !hasIntegrity(answer.bytes, request.integrity)) return "";
    bytesLeft -= answer.bytes.length;
    return bytesLeft < 0 ? null : decodeSheet(answer);
  }

  let wave = requests;
  for (let depth = 0; depth <= MAX_IMPORT_DEPTH && wave.length > 0; depth += 1) {
    const unknown = new Map(wave.map((request) => [keyOf(request), request]));
    for (const key of sheets.keys()) unknown.delete(key);
    const found = await Promise.all(
      [...unknown.values()].map(async (request) => ({ ...request, css: await read(request) })),
    );
    for (const sheet of found) sheets.set(keyOf(sheet), sheet);
    wave = found.flatMap(({ css, url }) => listImports(css ?? "", url));
  }
  return [...sheets.values()];
}

/** Subresource Integrity, section 3.3: the strongest kind of hash that is given decides. */
function hasIntegrity(bytes: Uint8Array, integrity: string): boolean {
  const given = [...integrity.matchAll(/(?:^|\s)(sha(?:256|384|512))-([A-Za-z0-9+/=_-]+)/g)];
  const kinds = given.map(([, kind = ""]) => kind).sort();
  const strongest = kinds.at(-1);
  if (strongest === undefined) return true;
  const own = createHash(strongest).update(bytes).digest("base64");
  return given.some(([, kind, hash = ""]) => kind === strongest && hash === own);
}

function decodeSheet({ bytes, charset }: { bytes: Uint8Array; charset: string }): string {
  const named = /^@charset "([^"]{1,40})";/.exec(Buffer.from(bytes.subarray(0, 60)).toString("latin1"))?.[1];
  for (const label of [charset, named ?? "", "utf-8"])
    if (label !== "")
      try {
        return new TextDecoder(label).decode(bytes);
      } catch {
        // An unknown name: the next one.
      }
  return "";
}
