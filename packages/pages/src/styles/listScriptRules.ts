import type { DomDocument } from "../dom.js";

/** Longer scripts are programs whose few selectors say little. */
const MAX_SCRIPT_CHARACTERS = 100_000;
const MAX_RULES = 50;

const FIND = "(getElementById|getElementsByClassName|querySelectorAll|querySelector|\\$|jQuery)";
const HIDE =
  "(?:\\.style\\.(?:cssText|display|visibility|opacity|position|left|top|fontSize|color|height|width|clip\\w*|transform)\\s*=|\\.hidden\\s*=\\s*(?:true|!0|1)|\\.remove\\(\\)|\\.hide\\(\\)|\\.css\\(|setAttribute\\(\\s*[\"'](?:hidden|style)[\"'])";
/** An element is found and, soon after, hidden. */
const HIDDEN = new RegExp(`${FIND}\\(\\s*["'\`]([^"'\`{}]{1,100})["'\`]\\s*\\)[\\s\\S]{0,300}?${HIDE}`, "g");
/** A rule in a string, which a script may add to the page. */
const RULE = /["'`>}]\s*([.#\w[][^"'`{}<>]{0,100}\{[^{}"'`]{1,200}\})/g;

/** Rules that the page's own scripts perhaps apply: scripts are not run, but what they hide must not pass as seen. */
export function listScriptRules({ documentElement }: DomDocument): string {
  const rules: string[] = [];
  for (const script of documentElement.listInside("script")) {
    const code = script.textContent;
    if (code.length === 0 || code.length > MAX_SCRIPT_CHARACTERS || script.hasAttribute("src")) continue;
    for (const [, by = "", name = ""] of code.matchAll(HIDDEN)) {
      const selector =
        by === "getElementById" ? `#${name}` : by === "getElementsByClassName" ? `.${name}` : name;
      rules.push(`${selector}{display:none}`);
    }
    for (const [, rule = ""] of code.matchAll(RULE)) if (/:/.test(rule)) rules.push(rule);
  }
  return rules.slice(0, MAX_RULES).join("\n");
}
