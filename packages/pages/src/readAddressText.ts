/** Fewer are a name or a title: `/blog/so-it-is`. */
const MIN_WORDS = 3;

/** What a link's address says to whoever decodes it, in the parts of its path, query, fragment or letter that hold words. */
export function readAddressText(href: string): string {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  const parts = [
    ...path.replace(/^[a-z]+:\/\/[^/]*/i, "").split("/"),
    ...rest.replaceAll("+", " ").split(/[?&#](?:[^=&#]*=)?/),
  ];
  return parts
    .map((part) => decode(part).replaceAll(/\s+/g, " ").trim())
    .filter((part) => part.split(" ").length >= MIN_WORDS)
    .join(" . ");
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
