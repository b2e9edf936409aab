import type { CapabilityInput, Hex, Verdict } from "@assay/protocol";
import type { Evaluation } from "./evaluation.js";
import { type FeeCode, judgeFees } from "./launch/judgeFees.js";
import { judgeLiquidity, type LiquidityCode } from "./launch/judgeLiquidity.js";
import { judgeOwnership, type OwnershipCode } from "./launch/judgeOwnership.js";
import { judgePowers, type PowerCode } from "./launch/judgePowers.js";
import { judgeTrades, type TradeCode } from "./launch/judgeTrades.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";
import { addressInWord, isZeroWord } from "./resolveImplementation.js";
import type { TokenLaunchReadings } from "./tokenLaunchReadings.js";

export const tokenLaunchRule = { id: "token.launch.guard", version: "1.0.0" } as const;

type CodeCode =
  | "CODE_PRESENT"
  | "NO_CODE"
  | "CODE_UNREAD"
  | "NATIVE_TOKEN_CODE"
  | "DELEGATED_ACCOUNT"
  | "MINIMAL_PROXY"
  | "TOKEN_UPGRADEABLE"
  | "SLOT_UNREAD"
  | "IMPLEMENTATION_UNREAD"
  | "IMPLEMENTATION_HAS_NO_CODE";
export type TokenLaunchCode = CodeCode | TradeCode | FeeCode | OwnershipCode | PowerCode | LiquidityCode;

/**
 * What each reason means for the verdict; the gravest decides. `allow` therefore needs a pool, trades of both senders
 * at both sizes that came to their end with little tax, code that was scanned whole, and no power in anybody's hands.
 */
export const tokenLaunchVerdicts: Readonly<Record<TokenLaunchCode, Verdict>> = {
  CODE_PRESENT: "allow",
  MINIMAL_PROXY: "allow",
  SELLS: "allow",
  TAX_NONE: "allow",
  TAX_MODERATE: "allow",
  NO_POWER_FOUND: "allow",
  POWERS_RENOUNCED: "allow",
  OWNER_RENOUNCED: "allow",
  // Told, not held against it: what an owner may do is judged by the powers.
  OWNER_IS_ACCOUNT: "allow",
  OWNER_IS_CONTRACT: "allow",
  LIQUIDITY_BURNT: "allow",
  LIQUIDITY_HOLDER_UNKNOWN: "allow",

  // Nothing to judge by, or logic that bytecode does not show.
  NO_CODE: "review",
  NATIVE_TOKEN_CODE: "review",
  DELEGATED_ACCOUNT: "review",
  NO_POOL: "review",
  POOL_TOO_SHALLOW: "review",
  SIMULATION_RECOGNISABLE: "review",
  // It works now; somebody can change that, or it does not work everywhere.
  TOKEN_UPGRADEABLE: "review",
  OWNER_POWERS_LIVE: "review",
  POWER_HOLDER_UNKNOWN: "review",
  SALES_STOPPABLE_BY_CONTRACT: "review",
  SALE_TAX_RAISABLE: "review",
  LIQUIDITY_WITH_OWNER: "review",
  TAX_HIGH: "review",
  BUY_LIMITED: "review",
  TRANSFER_FAILS: "review",
  SENDERS_DIFFER: "review",
  OTHER_POOL_FAILS: "review",
  // Asked, and not or not usably answered.
  CODE_UNREAD: "review",
  SLOT_UNREAD: "review",
  IMPLEMENTATION_UNREAD: "review",
  OWNER_UNREAD: "review",
  OWNER_UNREADABLE: "review",
  POOL_UNREAD: "review",
  POWERS_UNREAD: "review",
  POWERS_NOT_EXERCISED: "review",
  LIQUIDITY_UNREAD: "review",
  SIMULATION_UNAVAILABLE: "review",
  SIMULATION_UNFINISHED: "review",

  // Measured: who buys now cannot get the money back, or one key decides whether he can.
  BUY_FAILS: "block",
  SALE_FAILS: "block",
  TAX_CONFISCATORY: "block",
  SALES_STOPPABLE_BY_OWNER: "block",
  SALES_STOPPABLE_BY_ANYONE: "block",
  IMPLEMENTATION_HAS_NO_CODE: "block",
};

const ALWAYS = [
  "Trades were simulated at the stated block by two fresh senders, one with code injected at its address and at the origin of the transaction, one without code and not at its origin; a token can treat a sender who is neither, other amounts and later times differently.",
  "A sale right after the purchase was simulated; one an hour or a day later was not.",
  "Of pools, Uniswap V2 and V3 against the wrapped native currency and the stablecoin were looked for.",
  "Powers were exercised one at a time with the arguments recorded; several together, other arguments and upgrades were not.",
  "State proofs cover code and slots; what simulated calls answered is as the node gave it.",
];

/** Judges a token by what a buyer can do with it now and what its owner can do about that. */
export function evaluateTokenLaunch(
  input: CapabilityInput<"token.launch.guard">,
  readings: TokenLaunchReadings,
) {
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
    verdict: worstVerdict(notes, tokenLaunchVerdicts),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `${input.address}: ${decidingSentences(notes, tokenLaunchVerdicts)}`,
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

/** Who may replace the code, where the proxy says so in its slot. */
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
