import { quote } from "./modelText.js";

/** Said by other lines of the summary, or only of use to a verifier. */
const OMITTED = new Set([
  ...["network", "block", "input", "rule", "validity", "salt", "proofs", "readings", "findings"],
  ...["binding", "effects", "parties", "registry", "calldata", "recompute", "citations", "markdown", "acts"],
  ...[
    "fieldPaths",
    "probes",
    "scans",
    "guard",
    "links",
    "list",
    "type",
    "gasCap",
    "simulatedGas",
    "weiPerGas",
  ],
  ...["gasWei", "l1DataWei", "isL1DataBound", "operatorWei"],
]);
/** A commitment: of no use to a reader, who has it in the evidence. */
const HASH = /^(sha256:)?(0x)?[0-9a-f]{64}$/;
const MAX_TEXT = 160;
const MAX_DEPTH = 4;

/** What an answer found, as `path=value`, those nearest to the top first: a rule puts what matters there. */
export function listFigures(evidence: Readonly<Record<string, unknown>>): string[] {
  const figures = [...walk(evidence, ""), ...walk(evidence.findings, "")];
  const depthOf = (text: string) => text.slice(0, text.indexOf("=")).split(".").length;
  return figures.sort((one, other) => depthOf(one) - depthOf(other));
}

function* walk(value: unknown, path: string, depth = 0): Generator<string> {
  if (value === null || value === undefined || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    const plain = value.filter((item) => typeof item !== "object");
    if (value.length === 0) return;
    if (plain.length < value.length) {
      yield `${path}.count=${value.length}`;
      return;
    }
    const texts = plain.slice(0, 3).map(describe);
    yield `${path}=[${texts.join(", ")}${value.length > 3 ? `, and ${value.length - 3} more` : ""}]`;
    return;
  }
  if (typeof value === "object") {
    for (const [name, inner] of Object.entries(value))
      if (!OMITTED.has(name)) yield* walk(inner, path === "" ? name : `${path}.${name}`, depth + 1);
    return;
  }
  if (typeof value === "string" && HASH.test(value)) return;
  yield `${path}=${describe(value)}`;
}

/** Numbers and hex as they are; any other text may be a stranger's. */
function describe(value: unknown): string {
  if (typeof value !== "string") return String(value);
  if (/^(0x[0-9a-fA-F]{0,64}|-?\d{1,78}(\.\d{1,30})?)$/.test(value)) return value;
  return quote(value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value);
}
