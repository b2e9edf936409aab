import type { Hex, Reading } from "@assay/protocol";
import { listHiddenCharacters, spellHiddenCharacters } from "@assay/protocol";
import { type CanonicalToken, canonicalTokens } from "../chain-facts/canonicalTokens.js";
import type { Note } from "../verdict/note.js";
import { decodeTokenLabel, LABEL_CHARACTERS, type TokenLabel } from "./decodeTokenLabel.js";
import { foldLookAlikes, looksLike } from "./foldLookAlikes.js";

export type LabelCode =
  | "METADATA_UNREAD"
  | "LABEL_MISSING"
  | "LABEL_MALFORMED"
  | "LABEL_TOO_LONG"
  | "LABEL_HIDDEN_CHARACTERS"
  | "CANONICAL_SYMBOL_ELSEWHERE"
  | "LOOKALIKE_SYMBOL"
  | "CANONICAL_NAME_ELSEWHERE"
  | "LOOKALIKE_NAME";

interface LabelNote extends Note<LabelCode> {
  /** What was found, in this rule's own words: never the text itself, which a stranger chose. */
  readonly detail: string;
}

interface LabelJudgement {
  /** Safe to show: cut to a bound, hidden characters spelled out. Null when there is no text. */
  readonly text: string | null;
  readonly form: TokenLabel["form"];
  /** The well-known token whose label this is or imitates. */
  readonly resembles: CanonicalToken | null;
  readonly notes: readonly LabelNote[];
}

const folded = canonicalTokens.map((token) => ({
  token,
  symbol: foldLookAlikes(token.symbol),
  name: foldLookAlikes(token.name),
}));

/** Judges the answer of `name()` or `symbol()` of the contract at `address`. */
export function judgeTokenLabel(
  field: "name" | "symbol",
  reading: Reading<Hex>,
  address: Hex,
): LabelJudgement {
  const without = (code: LabelCode, detail: string, limitation?: string): LabelJudgement => ({
    text: null,
    form: null,
    resembles: null,
    notes: [{ code, detail, ...(limitation !== undefined && { limitation }) }],
  });
  if (reading.status === "unanswered") {
    return without("METADATA_UNREAD", "No node answered.", `${field}() was not read: no node answered.`);
  }
  if (reading.status !== "value") {
    return without(
      "LABEL_MISSING",
      `${field}() ${reading.status === "absent" ? "returns nothing" : "reverts"}.`,
    );
  }
  const label = decodeTokenLabel(reading.value);
  if (label.form === null) return without("LABEL_MALFORMED", `The answer ${label.problem}.`);
  const imitation = findImitation(field, label.text, address);
  return {
    text: spellHiddenCharacters([...label.text].slice(0, LABEL_CHARACTERS).join("")),
    form: label.form,
    resembles: imitation?.token ?? null,
    notes: [...noteText(label), ...(imitation ? [imitation.note] : [])],
  };
}

function noteText({ text, isTooLong }: { readonly text: string; readonly isTooLong: boolean }): LabelNote[] {
  if (text.replaceAll(" ", "") === "") return [{ code: "LABEL_MISSING", detail: "The text is empty." }];
  const hidden = listHiddenCharacters(text);
  return [
    ...(isTooLong
      ? [
          {
            code: "LABEL_TOO_LONG",
            detail: `Only its first ${LABEL_CHARACTERS} characters are shown.`,
          } as const,
        ]
      : []),
    ...(hidden.length > 0
      ? [{ code: "LABEL_HIDDEN_CHARACTERS", detail: `It holds ${describeFew(hidden)}.` } as const]
      : []),
  ];
}

const MAX_NAMED = 8;

const describeFew = (found: readonly string[]) =>
  found.length > MAX_NAMED
    ? `${found.slice(0, MAX_NAMED).join(", ")} and ${found.length - MAX_NAMED} more`
    : found.join(", ");

/** A symbol is compared with symbols; a name also with symbols, since a wallet may show either. */
function findImitation(
  field: "name" | "symbol",
  text: string,
  address: Hex,
): { token: CanonicalToken; note: LabelNote } | undefined {
  const elsewhere = folded.filter(({ token }) => token.address?.toLowerCase() !== address);
  const same = elsewhere.find(
    ({ token }) => token.symbol === text || (field === "name" && token.name === text),
  );
  if (same) {
    const code = field === "symbol" ? "CANONICAL_SYMBOL_ELSEWHERE" : "CANONICAL_NAME_ELSEWHERE";
    return { token: same.token, note: { code, detail: `It is that of ${describe(same.token)}.` } };
  }
  const own = foldLookAlikes(text);
  const imitated = elsewhere.find(
    ({ symbol, name }) => looksLike(own, symbol) || (field === "name" && looksLike(own, name)),
  );
  if (!imitated) return undefined;
  const code = field === "symbol" ? "LOOKALIKE_SYMBOL" : "LOOKALIKE_NAME";
  return {
    token: imitated.token,
    note: { code, detail: `It passes for that of ${describe(imitated.token)}.` },
  };
}

const describe = ({ symbol, address }: CanonicalToken) =>
  address === null ? `${symbol}, the chain's own currency` : `${symbol} at ${address.toLowerCase()}`;
