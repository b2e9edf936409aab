/** What a link's address says to whoever decodes it: its path, query, fragment or letter; empty for less than three words. */
export function readAddressText(href: string): string {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  const said = `${decode(path.replace(/^[a-z]+:\/\/[^/]*/i, ""))} ${decode(rest.replaceAll("+", " "))}`
    .replaceAll(/[?&#]?[\w.-]+=|[?&#/]/g, " . ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^(?:[ .])+/g, "")
    .trim();
  return said.split(" ").length < 3 ? "" : said;
}

/** A sequence that is no UTF-8 is left as it is written. */
const decode = (text: string) =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
