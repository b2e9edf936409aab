/** Public identifiers of document types that put browsers into quirks mode (HTML, section 13.2.6.4.1). */
const OLD =
  /^(-\/\/(w3c|ietf|w3o|softquad|netscape comm\. corp\.|microsoft|metrius|o'reilly and associates|sun microsystems corp\.|spyglass|sq|webtechs|as|advasoft ltd)\/\/dtd (?!html 4\.01|xhtml)|\+\/\/silmaril|-\/w3c\/dtd html 4\.0 transitional\/en$|html$)/;
const OLD_WITHOUT_SYSTEM = /^-\/\/w3c\/\/dtd html 4\.01 (frameset|transitional)\/\//;

/** Whether browsers show a page in quirks mode: it has no document type, or an old one. */
export function isQuirksPage(html: string): boolean {
  const [, type] =
    /^(?:\s|\ufeff|<!--[\s\S]*?-->|<\?[^>]*>)*<!doctype\s*([^>]*)>/i.exec(html.slice(0, 20_000)) ?? [];
  if (type === undefined) return true;
  const [, name = "", publicId = "", systemId] =
    /^([^\s"']+)(?:\s+public\s*["']([^"']*)["']\s*(?:["']([^"']*)["'])?)?/i.exec(type.trim()) ?? [];
  if (name.toLowerCase() !== "html") return true;
  const id = publicId.toLowerCase();
  return OLD.test(id) || (OLD_WITHOUT_SYSTEM.test(id) && systemId === undefined);
}
