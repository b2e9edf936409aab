/** The name by which robots.txt speaks of us, and the first part of our User-Agent. */
export const PRODUCT_TOKEN = "AssayPageReader";

interface RobotsRule {
  readonly allow: boolean;
  readonly pattern: string;
}

/** What a robots.txt says to us. */
export type RobotsRules = readonly RobotsRule[];

/** RFC 9309: the groups that name us, merged; those for everybody where none does. */
export function parseRobots(text: string): RobotsRules {
  const ours: RobotsRule[] = [];
  const everybodys: RobotsRule[] = [];
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
      // The token ends where the version or anything else that is no letter begins.
      const agent = value === "*" ? "*" : (/^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? "");
      agents.push(agent);
      if (agent === PRODUCT_TOKEN.toLowerCase()) isNamed = true;
    } else if (field === "allow" || field === "disallow") {
      isInsideRules = true;
      if (value === "") continue;
      const rule = { allow: field === "allow", pattern: normalizePath(value) };
      if (agents.includes(PRODUCT_TOKEN.toLowerCase())) ours.push(rule);
      if (agents.includes("*")) everybodys.push(rule);
    }
  }
  return isNamed ? ours : everybodys;
}

/** The longest pattern that matches decides; of two as long, the one that allows. */
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

/** Escapes as the URL standard writes them, so that two spellings of a path compare equal. */
function normalizePath(text: string): string {
  const escaped = text.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part));
  return escaped.replace(/%[0-9a-fA-F]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : triplet.toUpperCase();
  });
}

/** `*` stands for anything and a final `$` for the end; no regular expression, whose time a stranger would choose. */
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
