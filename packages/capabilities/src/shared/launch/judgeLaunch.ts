import type { Hex } from "@assay/protocol";
import { findLiveOwner, judgeOwnership } from "../control/judgeOwnership.js";
import type { Evaluation } from "../verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../verdict/note.js";
import { addressInWord, isZeroWord } from "../words/addressInWord.js";
import { judgeDependence } from "./judgeDependence.js";
import { judgeFees } from "./judgeFees.js";
import { judgeHoldings } from "./judgeHoldings.js";
import { judgePowers } from "./judgePowers.js";
import { judgeProgram } from "./judgeProgram.js";
import { judgeSiblings } from "./judgeSiblings.js";
import { judgeTrades } from "./judgeTrades.js";
import type { LaunchReadings } from "./launchReadings.js";
import { type CodeCode, type LaunchCode, launchReasons } from "./reasons.js";

const ALWAYS = [
  "Trades were simulated at the stated block by fresh accounts; a token can treat an account that it knows, other amounts and other calls differently.",
  "Later sales were simulated with the clock of the program replaced; contracts that it calls kept the clock of the block.",
  "Powers were exercised with the arguments recorded; other arguments and upgrades were not.",
  "State proofs cover code and slots; the answers of simulated calls, events and traces are as the node gave them.",
];

const CREATION_UNREAD =
  "What the creation of the token wrote was not followed, so accounts may have tokens that no event names.";

/** Judges a token by what a buyer can do with it now and later, and by who could prevent that. */
export function judgeLaunch(address: string, readings: LaunchReadings) {
  const subject = noteCode(readings);
  const isJudged = readings.code.status !== "value" || subject.isProgram;
  const trades = isJudged ? judgeTrades(readings) : null;
  const owner = findLiveOwner(readings);
  const account = readings.accounts.find((one) => one.address === owner);
  const ownership = isJudged ? judgeOwnership({ ...readings, ownerAccount: account ?? null }) : null;
  const powers = isJudged ? judgePowers(readings, owner) : null;
  const program = isJudged ? [...judgeProgram(readings, owner), ...judgeDependence(readings)] : [];
  const holdings = judgeHoldings(readings, trades?.pools[0] ?? null);
  const fees = judgeFees(readings);
  const codeHash = readings.code.status === "value" ? readings.code.value.codeHash : null;
  const siblings = readings.siblings && judgeSiblings(address, codeHash, readings.siblings);
  const notes: Note<LaunchCode>[] = [
    ...subject.notes,
    ...(trades?.notes ?? []),
    ...fees.notes,
    ...program,
    ...(ownership?.notes ?? []),
    ...(powers?.notes ?? []),
    ...holdings.notes,
  ];
  const firstBlock = readings.events.status === "value" ? readings.events.value.firstBlock : null;
  return {
    verdict: worstVerdict(notes, launchReasons),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `${address}: ${decidingSentences(notes, launchReasons)}`,
    findings: {
      figures: {
        ...(trades?.figures ?? null),
        lockedLiquidityBps:
          holdings.findings.liquidity &&
          holdings.findings.liquidity.burntBps + holdings.findings.liquidity.lockedBps,
        topTenBps: holdings.findings.supply?.topTenBps ?? null,
        creatorBps: holdings.findings.supply?.creatorBps ?? null,
        ageBlocks: firstBlock === null ? null : readings.block.number - firstBlock,
        ...(siblings && { sameCodeByCreator: siblings.findings.sameCode }),
      },
      pools: trades?.pools ?? [],
      owner: ownership?.owner ?? null,
      powers: powers?.powers ?? null,
      callees:
        readings.callees?.status === "value" ? readings.callees.value.map((callee) => callee.address) : null,
      upgradeable: subject.isUpgradeable,
      implementation: readings.implementation?.address ?? null,
      proxyAdmin: findAdmin(readings),
      ...holdings.findings,
      ...(siblings && { siblings: siblings.findings }),
    },
    limitations: unique([
      ...ALWAYS,
      ...fees.limitations,
      ...(siblings?.limitations ?? []),
      ...(readings.unannounced?.isCreationRead === false ? [CREATION_UNREAD] : []),
      ...notes.flatMap(({ limitation }) => limitation ?? []),
    ]),
  } satisfies Evaluation;
}

/** Who may replace the code, where a slot of the proxy names them. */
function findAdmin({ slots }: LaunchReadings): string | null {
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

function noteCode(readings: LaunchReadings): SubjectJudgement {
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
function noteProxy({ code, slots, implementation }: LaunchReadings): Omit<SubjectJudgement, "isProgram"> {
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
