/** A part with fewer words is a name or a title. */
const MIN_WORDS = 3;

/** The words in a link's decoded address: in its path, its query, its fragment or the body of a `mailto:`. */
export function readAddressText(href: string): string {
  // Without a blank in any form it has no words.
  if (!/[%+\s]/.test(href)) return "";
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

/** A sequence that is not UTF-8 stays as it is. */
const decode = (text: string) =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
