import type { Hex, Reading } from "@assay/protocol";
import { decodeFunctionResult } from "viem";
import type { Note } from "../shared/verdict/note.js";
import { readLeadingWord } from "../shared/words/readLeadingWord.js";
import type { FoundMarket } from "./findLendingMarket.js";
import { hasInterestModel, type LendingCase } from "./lendingCase.js";
import { ADAPTIVE_CURVE_IRM, morphoAbi } from "./morphoLayout.js";

export type MarketCode =
  | "LENDING_CONTRACT_ABSENT"
  | "TOKEN_HAS_NO_CODE"
  | "CODE_UNREAD"
  | "SENDER_UNREAD"
  | "MARKET_UNREAD"
  | "MARKET_NOT_CREATED"
  | "MARKET_MISFILED"
  | "MARKET_TOKENS_DIFFER"
  | "MARKET_MATCHES"
  | "MARKET_STATE_DISAGREES"
  | "INTEREST_FREE"
  | "RATE_MODEL_KNOWN"
  | "RATE_MODEL_UNKNOWN"
  | "RATE_UNREAD";

type Notes = Note<MarketCode>[];

/** Whether there is such a market, of these tokens, and whether its functions return what its storage holds. */
export function judgeMarket(one: LendingCase): Notes {
  return [...noteCodes(one), ...noteSearch(one), ...noteViews(one), ...noteHoldings(one), ...noteRate(one)];
}

function noteCodes({ readings: { codes } }: LendingCase): Notes {
  const names = { morpho: "Morpho", loanToken: "the loan token", collateralToken: "the collateral token" };
  return Object.entries(names).flatMap(([name, what]): Notes => {
    const code = codes[name as keyof typeof names];
    if (code.status !== "value")
      return [{ code: "CODE_UNREAD", limitation: `The code of ${what} was not read: no node answered.` }];
    if (code.value.form !== "empty") return [];
    return [{ code: name === "morpho" ? "LENDING_CONTRACT_ABSENT" : "TOKEN_HAS_NO_CODE" }];
  });
}

function noteSearch({ search, readings }: LendingCase): Notes {
  switch (search.status) {
    case "unread":
      return [unread(`Morpho's storage of the market and the position (${search.missing.join(", ")})`)];
    case "absent":
      return [{ code: "MARKET_NOT_CREATED" }];
    case "misfiled":
      return [{ code: "MARKET_MISFILED" }];
    case "otherTokens": {
      const { loanToken, collateralToken } = search.params;
      const limitation = `The market lends ${loanToken} against ${collateralToken}; nothing further was read.`;
      return [{ code: "MARKET_TOKENS_DIFFER", limitation }];
    }
    case "found":
      return readings.market === null
        ? [unread("The market's oracle, its interest model and the borrow itself")]
        : [{ code: "MARKET_MATCHES" }];
  }
}

const unread = (what: string): Note<"MARKET_UNREAD"> => ({
  code: "MARKET_UNREAD",
  limitation: `Not read: ${what}.`,
});

/** Morpho's functions against Morpho's storage: another layout than the one known would show here. */
function noteViews({ search, readings: { views } }: LendingCase): Notes {
  const silent = Object.entries(views).filter(([, { status }]) => status === "unanswered");
  const notes: Notes = silent.map(([name]) => unread(`Morpho's ${name}()`));
  if (search.status !== "found") return notes;
  const { params, market, position } = search;
  const agrees =
    isSilentOr(views.idToMarketParams, (data) =>
      agreesWith("idToMarketParams", data, Object.values(params)),
    ) &&
    isSilentOr(views.market, (data) => agreesWith("market", data, Object.values(market))) &&
    isSilentOr(views.position, (data) =>
      agreesWith("position", data, [undefined, position.borrowShares, position.collateral]),
    );
  return agrees ? notes : [...notes, { code: "MARKET_STATE_DISAGREES" }];
}

const isSilentOr = (reading: Reading<Hex>, check: (data: Hex) => boolean): boolean =>
  reading.status === "unanswered" || (reading.status === "value" && check(reading.value));

/** Whether one of Morpho's views answered with these values; what is undefined may be anything. */
function agreesWith(
  functionName: "idToMarketParams" | "market" | "position",
  data: Hex,
  expected: readonly unknown[],
): boolean {
  let values: readonly unknown[];
  try {
    values = decodeFunctionResult({ abi: morphoAbi, functionName, data }) as readonly unknown[];
  } catch {
    return false;
  }
  const spell = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
  return expected.every((value, index) => value === undefined || spell(values[index]) === value);
}

function noteHoldings({ readings: { loanTokenHeld, userBalance } }: LendingCase): Notes {
  const notes: Notes = [];
  if (readLeadingWord(loanTokenHeld) === null) notes.push(unread("what Morpho holds of the loan token"));
  if (userBalance.status !== "value")
    notes.push({ code: "SENDER_UNREAD", limitation: "What the user holds for fees was not read." });
  return notes;
}

function noteRate({ found }: LendingCase): Notes {
  if (found === null) return [];
  if (!hasInterestModel(found)) return [{ code: "INTEREST_FREE" }];
  const notes: Notes = [noteModel(found)];
  const { irm } = found.read;
  if (irm === null || irm.code.status !== "value")
    notes.push({ code: "CODE_UNREAD", limitation: "The code of the interest model was not read." });
  if (irm === null || readLeadingWord(irm.rate) === null)
    notes.push({
      code: "RATE_UNREAD",
      limitation:
        "The interest model returned no rate, so interest since the market's last update was not added.",
    });
  return notes;
}

function noteModel({ params }: FoundMarket): Note<MarketCode> {
  if (params.irm === ADAPTIVE_CURVE_IRM) return { code: "RATE_MODEL_KNOWN" };
  const limitation = `What the interest model ${params.irm} may charge later was not judged; Morpho's owner has enabled it.`;
  return { code: "RATE_MODEL_UNKNOWN", limitation };
}
