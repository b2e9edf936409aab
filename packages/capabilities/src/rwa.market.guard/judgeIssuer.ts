import type { Hex, Reading } from "@assay/protocol";
import type { ListedAsset } from "../shared/issuers/listedAsset.js";
import { foldLookAlikes, looksLike } from "../shared/labels/foldLookAlikes.js";
import { judgeTokenLabel, type LabelCode } from "../shared/labels/judgeTokenLabel.js";
import type { Note } from "../shared/verdict/note.js";
import type { RwaMarketInput } from "./input.js";
import { readLabel } from "./listLookAlikeAssets.js";
import type { RwaMarketReadings } from "./readings.js";

export type IssuerCode =
  | "ISSUER_KNOWN"
  | "ISSUER_UNKNOWN"
  | "SYMBOL_IMITATES_ISSUER"
  | "ASKED_ASSET_ELSEWHERE"
  | "ASKED_SYMBOL_DIFFERS"
  | "LISTED_SYMBOL_DIFFERS"
  | LabelCode;
type Notes = Note<IssuerCode>[];

export interface IssuerFindings {
  /** As the operator's list has it; null where the address is not on it. */
  readonly listedAs: { readonly symbol: string; readonly issuer: string } | null;
  /** Cut to a bound, hidden characters spelled out. */
  readonly name: string | null;
  readonly symbol: string | null;
  /** The listed assets that the token, or the symbol asked for, resembles. */
  readonly resembles: readonly {
    readonly symbol: string;
    readonly issuer: string;
    readonly addresses: readonly string[];
    readonly by: "token" | "question";
  }[];
  readonly list: { readonly size: number; readonly hash: string };
}

/** Judges who issued the token. A token cannot prove that itself, so only the operator's list of addresses decides. */
export function judgeIssuer(
  { address, symbol: asked }: RwaMarketInput,
  { labels, list }: RwaMarketReadings,
  listed: ListedAsset | null,
): { notes: Notes; issuer: IssuerFindings } {
  const symbol = judgeTokenLabel("symbol", labels.symbol as Reading<Hex>, address);
  const name = judgeTokenLabel("name", labels.name as Reading<Hex>, address);
  const own = {
    symbol: readLabel(labels.symbol as Reading<Hex>),
    name: readLabel(labels.name as Reading<Hex>),
  };
  const byToken = list.alike.filter(
    (entry) => passesFor(own.symbol, entry.symbol) || passesFor(own.name, entry.symbol),
  );
  const byQuestion = list.alike.filter((entry) => passesFor(asked, entry.symbol));
  const describe = (by: "token" | "question") => (entry: ListedAsset) => ({
    symbol: entry.symbol,
    issuer: entry.issuer,
    addresses: entry.addresses,
    by,
  });
  return {
    notes: [
      ...noteIssuer(listed, byToken, listed && passesFor(asked, listed.symbol) ? [] : byQuestion),
      ...noteSymbols(asked, own.symbol, listed),
      ...symbol.notes.map(toNote),
      ...name.notes.map(toNote),
    ],
    issuer: {
      listedAs: listed && { symbol: listed.symbol, issuer: listed.issuer },
      name: name.text,
      symbol: symbol.text,
      resembles: [...byToken.map(describe("token")), ...byQuestion.map(describe("question"))],
      list: { size: list.size, hash: list.hash },
    },
  };
}

const toNote = ({ code, limitation }: Note<LabelCode>): Note<LabelCode> => ({
  code,
  ...(limitation !== undefined && { limitation }),
});

const passesFor = (label: string | null, symbol: string) =>
  label !== null && looksLike(foldLookAlikes(label), foldLookAlikes(symbol));

function noteIssuer(
  listed: ListedAsset | null,
  byToken: readonly ListedAsset[],
  byQuestion: readonly ListedAsset[],
): Notes {
  const elsewhere: Notes = byQuestion.length > 0 ? [{ code: "ASKED_ASSET_ELSEWHERE" }] : [];
  // The operator vouches for the address, even if its name resembles another: two issuers may use one symbol.
  if (listed !== null) return [{ code: "ISSUER_KNOWN" }, ...elsewhere];
  const limitation =
    "The operator's list does not name this address; a symbol, a name or a web page names no issuer.";
  return [
    ...(byToken.length > 0 ? [{ code: "SYMBOL_IMITATES_ISSUER" } as const] : []),
    ...elsewhere,
    { code: "ISSUER_UNKNOWN", limitation },
  ];
}

function noteSymbols(asked: string | null, symbol: string | null, listed: ListedAsset | null): Notes {
  const notes: Notes = [];
  // Where the token has no symbol, the label's notes state why.
  if (asked !== null && symbol !== null && asked !== symbol) notes.push({ code: "ASKED_SYMBOL_DIFFERS" });
  if (listed !== null && symbol !== null && listed.symbol !== symbol)
    notes.push({ code: "LISTED_SYMBOL_DIFFERS" });
  return notes;
}
