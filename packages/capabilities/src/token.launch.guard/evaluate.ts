import type { Hex } from "@assay/protocol";
import { judgeOwnership } from "../shared/control/judgeOwnership.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import { addressInWord, isZeroWord } from "../shared/words/addressInWord.js";
import type { TokenLaunchInput } from "./input.js";
import { judgeFees } from "./judgeFees.js";
import { judgeLiquidity } from "./judgeLiquidity.js";
import { judgePowers } from "./judgePowers.js";
import { judgeTrades } from "./judgeTrades.js";
import type { TokenLaunchReadings } from "./readings.js";
import { type CodeCode, type TokenLaunchCode, tokenLaunchReasons } from "./reasons.js";

const ALWAYS = [
  "Trades were simulated at the stated block by two fresh senders, one with code injected at its address and at the origin of the transaction, one without code and not at its origin; a token can treat a sender who is neither, other amounts and later times differently.",
  "A sale right after the purchase was simulated; one an hour or a day later was not.",
  "Only pools of Uniswap V2 and V3 against the wrapped native currency and the stablecoin were searched for.",
  "Powers were exercised one at a time with the arguments recorded; several together, other arguments and upgrades were not.",
  "State proofs cover code and slots; what simulated calls answered is as the node gave it.",
];

/** Judges a token by what a buyer can do with it now, and by how its owner could prevent that. */
export function evaluateTokenLaunch(input: TokenLaunchInput, readings: TokenLaunchReadings) {
  const subject = noteCode(readings);
  const isJudged = readings.code.status !== "value" || subject.isProgram;
  const trades = isJudged ? judgeTrades(readings) : null;
  const ownership = isJudged ? judgeOwnership(readings) : null;
  const powers = ownership && judgePowers(readings, ownership.owner.kind);
  const liquidity = isJudged && trades?.pools.length ? judgeLiquidity(readings) : null;
  const fees = judgeFees(readings);
  const notes: Note<TokenLaunchCode>[] = [
    ...subject.notes,
    ...(trades?.notes ?? []),
    ...fees.notes,
    ...(ownership?.notes ?? []),
    ...(powers?.notes ?? []),
    ...(liquidity?.notes ?? []),
  ];
  return {
    verdict: worstVerdict(notes, tokenLaunchReasons),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `${input.address}: ${decidingSentences(notes, tokenLaunchReasons)}`,
    findings: {
      pools: trades?.pools ?? [],
      owner: ownership?.owner ?? null,
      powers: powers?.powers ?? null,
      upgradeable: subject.isUpgradeable,
      implementation: readings.implementation?.address ?? null,
      proxyAdmin: findAdmin(readings),
      liquidity: liquidity?.liquidity ?? null,
    },
    limitations: unique([
      ...ALWAYS,
      ...fees.limitations,
      ...notes.flatMap(({ limitation }) => limitation ?? []),
    ]),
  } satisfies Evaluation;
}

/** Who may replace the code, where a slot of the proxy names them. */
function findAdmin({ slots }: TokenLaunchReadings): string | null {
  const word = slots.eip1967Admin;
  if (word.status !== "value" || isZeroWord(word.value as Hex)) return null;
  return addressInWord(word.value as Hex);
}

interface SubjectJudgement {
  readonly notes: Note<CodeCode>[];
  /** Whether its code is a program that can be traded with and scanned. */
  readonly isProgram: boolean;
  readonly isUpgradeable: boolean | null;
}

function noteCode(readings: TokenLaunchReadings): SubjectJudgement {
  const code = readings.code.status === "value" ? readings.code.value : null;
  const proxy = noteProxy(readings);
  if (code === null) {
    const limitation = "The code was not read: no node answered.";
    return { notes: [{ code: "CODE_UNREAD", limitation }], isProgram: false, isUpgradeable: null };
  }
  switch (code.form) {
    case "empty":
      return { notes: [{ code: "NO_CODE" }], isProgram: false, isUpgradeable: false };
    case "native_b20": {
      const limitation = "A native token's rules and powers are in the node, outside this check.";
      return { notes: [{ code: "NATIVE_TOKEN_CODE", limitation }], isProgram: false, isUpgradeable: null };
    }
    case "eip7702_delegation":
      return { notes: [{ code: "DELEGATED_ACCOUNT" }], isProgram: false, isUpgradeable: true };
    case "eip1167_clone":
      return {
        notes: [{ code: "CODE_PRESENT" }, { code: "MINIMAL_PROXY" }, ...proxy.notes],
        isProgram: true,
        isUpgradeable: proxy.isUpgradeable,
      };
    default:
      return {
        notes: [{ code: "CODE_PRESENT" }, ...proxy.notes],
        isProgram: true,
        isUpgradeable: proxy.isUpgradeable,
      };
  }
}

/** A clone's target is fixed; a slot that names code can be set to name other code. */
function noteProxy({
  code,
  slots,
  implementation,
}: TokenLaunchReadings): Omit<SubjectJudgement, "isProgram"> {
  const words = Object.entries(slots);
  const unread = words.filter(([, word]) => word.status !== "value");
  const notes: Note<CodeCode>[] = unread.map(([name]) => ({
    code: "SLOT_UNREAD",
    limitation: `The slot ${name} was not read: no node answered.`,
  }));
  const isSet = words.some(([, word]) => word.status === "value" && !isZeroWord(word.value as Hex));
  if (isSet) notes.push({ code: "TOKEN_UPGRADEABLE" });
  const isClone = code.status === "value" && code.value.form === "eip1167_clone";
  if (isSet || isClone) {
    if (implementation === null || implementation.code.status !== "value") {
      notes.push({ code: "IMPLEMENTATION_UNREAD", limitation: "The code behind the proxy was not read." });
    } else if (implementation.code.value.form === "empty") {
      notes.push({ code: "IMPLEMENTATION_HAS_NO_CODE" });
    }
  }
  return { notes, isUpgradeable: isSet ? true : unread.length > 0 ? null : false };
}
