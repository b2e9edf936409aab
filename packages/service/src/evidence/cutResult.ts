/** JSON text holds no control character, so the place of the cut is certain. */
export const CUT = "\u0000";

/** The answer's text without its result; undefined where that text is not in it. */
export function cutOut(body: string, shared: string): string | undefined {
  const name = '"result":';
  const at = body.indexOf(`${name}${shared}`);
  if (at < 0) return undefined;
  const from = at + name.length;
  return `${body.slice(0, from)}${CUT}${body.slice(from + shared.length)}`;
}

/** An answer as what it has in common with every later sale of it, and the rest. */
export function cutResult(body: string): { readonly shared: string; readonly rest: string } {
  const shared = JSON.stringify((JSON.parse(body) as { result: unknown }).result);
  const rest = cutOut(body, shared);
  if (rest === undefined) throw new Error("an answer does not hold its own result");
  return { shared, rest };
}

/** The text of an answer without its result, which is not written at all. */
export function writeRest(answer: Readonly<Record<string, unknown>>): string {
  // What comes before the result holds no such text: it is names, ids and a verdict.
  return JSON.stringify({ ...answer, result: null }).replace('"result":null', `"result":${CUT}`);
}

/** The exact text of which `rest` is what was left. */
export function joinResult(rest: string, shared: string): string {
  const [before, after] = rest.split(CUT);
  return `${before}${shared}${after}`;
}
