/** The name of this reader in a robots.txt, and the first part of its User-Agent. */
export const PRODUCT_TOKEN = "AssayPageReader";

interface RobotsRule {
  readonly allow: boolean;
  readonly pattern: string;
}

/** The rules of a robots.txt for this reader. */
export type RobotsRules = readonly RobotsRule[];

/** RFC 9309, section 2.2.1: the groups that name this reader, merged; where there is none, the groups for all. */
export function parseRobots(text: string): RobotsRules {
  const ours: RobotsRule[] = [];
  const general: RobotsRule[] = [];
  let isNamed = false;
  let agents: string[] = [];
  let isInsideRules = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = "", rest = ""] = /^\s*([A-Za-z-]+)\s*:([^#]*)/.exec(line) ?? [];
    const value = rest.trim();
    const field = key.toLowerCase();
    if (field === "user-agent") {
      if (isInsideRules) agents = [];
      isInsideRules = false;
      // The product token ends at the first character that is no letter, hyphen or underscore, such as before a version.
      const agent = value === "*" ? "*" : (/^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? "");
      agents.push(agent);
      if (agent === PRODUCT_TOKEN.toLowerCase()) isNamed = true;
    } else if (field === "allow" || field === "disallow") {
      isInsideRules = true;
      if (value === "") continue;
      const rule = { allow: field === "allow", pattern: normalizePath(value) };
      if (agents.includes(PRODUCT_TOKEN.toLowerCase())) ours.push(rule);
      if (agents.includes("*")) general.push(rule);
    }
  }
  return isNamed ? ours : general;
}

/** The longest matching pattern decides; of two with the same length, the one that allows. */
export function isAllowedByRobots(rules: RobotsRules, pathAndQuery: string): boolean {
  const path = normalizePath(pathAndQuery);
  if (path === "/robots.txt") return true;
  let [longest, allowed] = [-1, true];
  for (const { allow, pattern } of rules) {
    if (pattern.length < longest || !matches(pattern, path)) continue;
    allowed = pattern.length > longest ? allow : allowed || allow;
    longest = pattern.length;
  }
  return allowed;
}

/** Writes escapes as the URL standard does, so that two spellings of a path are equal. */
function normalizePath(text: string): string {
  const escaped = text.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part));
  return escaped.replace(/%[0-9a-fA-F]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : triplet.toUpperCase();
  });
}

/** `*` matches anything and a final `$` the end. Not a regular expression: a stranger could choose one that takes very long. */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith("$");
  const [first = "", ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    if (isAnchored && index === parts.length - 1)
      return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isAnchored || at === path.length;
}
