import { claimIdOf, claimReceiptText, survivalHashOf } from "@assay/protocol";
import { listImplementationReads } from "../shared/claims/resolveAtBlock.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import { findUpgradePath, type UpgradePath } from "./findUpgradePath.js";
import type { ObligationVerdictInput } from "./input.js";
import { type JudgedObservation, judgeObservation } from "./judgeObservation.js";
import { findCounterexample, type ObligationVerdictReadings } from "./readings.js";
import { type ObligationCode, obligationReasons } from "./reasons.js";
import { listSuspectBlocks, listUnconfirmedEvents, upgradeTopics } from "./upgradeEvents.js";

const ALWAYS = [
  "About the blocks of the window only; nothing is said of any later block.",
  "Status, deadline and challenges are the service's own record; its log commits to their order.",
  "Read at past blocks without state proofs; where several nodes are configured, two of them gave the same answer.",
];
const BETWEEN =
  "Between the window's ends the chain was read only where events pointed, and events are as one node gave them: a change and its return without an event leave no trace here. Finding one is what challenges are for.";
const GRADE =
  "decisionGrade says that the condition could have failed, not that anyone would have made it fail.";
const NO_RECEIPT =
  "There is no receipt: an obligation about code is about one block, and surviving means nothing for it.";

/** Everything that was concluded on the way to the verdict. */
interface Judgement {
  readonly status: "open" | "survived" | "falsified";
  /** At the ends of the window first, then where a challenge succeeded, then where events pointed. */
  readonly observations: readonly JudgedObservation[];
  /** Null for a claim about code. */
  readonly path: UpgradePath | null;
  readonly hasFailed: boolean;
  /** Whether the chain now has what the obligation says, at the block where a recorded challenge showed it false. */
  readonly isRefuted: boolean;
  /** Reasons why the condition is not known to have been able to fail. */
  readonly ungraded: readonly Note<ObligationCode>[];
}

/** Judges a published obligation by the chain's present record of the blocks it is about. */
export function evaluateObligationVerdict(
  { obligationId }: ObligationVerdictInput,
  readings: ObligationVerdictReadings,
) {
  const judged = judge(readings);
  const { assertion } = readings.obligation.claim;
  const notes: Note<ObligationCode>[] = [
    ...noteRecord(obligationId, readings),
    ...noteObservations(judged.observations),
    ...noteEvents(readings, judged.observations),
    ...noteStatus(readings, judged),
    ...(judged.hasFailed ? [] : judged.ungraded),
  ];
  const holds = notes.every(({ code }) => obligationReasons[code].verdict === "allow");
  const all: Note<ObligationCode>[] = holds ? [{ code: "OBLIGATION_HOLDS" }, ...notes] : notes;
  const { fromBlock, toBlock, address } = assertion;
  return {
    verdict: worstVerdict(all, obligationReasons),
    reasonCodes: unique(all.map(({ code }) => code)),
    summary: `${address}, block ${fromBlock} to ${toBlock}: ${decidingSentences(all, obligationReasons)}`,
    findings: {
      holds: judgeHolding(judged),
      decisionGrade: isDecisionGrade(judged),
      claimStatus: judged.status,
      looks: judged.observations,
      counterexamples: judged.observations.filter(
        ({ state, block }, at, all) =>
          state === "contradicted" &&
          all.findIndex((other) => other.state === state && other.block === block) === at,
      ),
      upgradePath: judged.path,
      eventsRead: readings.events && readings.events.coverage.status === "value",
    },
    evidence: describeEvidence(readings, judged),
    limitations: unique([
      ...ALWAYS,
      ...(assertion.type === "bytecode" ? [NO_RECEIPT] : [BETWEEN]),
      GRADE,
      ...all.flatMap(({ limitation }) => limitation ?? []),
    ]),
  } satisfies Evaluation;
}

function judge(readings: ObligationVerdictReadings): Judgement {
  const { obligation, observedAtMs, atFrom, atTo, atChallenge, control } = readings;
  const { assertion, deadline } = obligation.claim;
  const observations = [atFrom, atTo, atChallenge, ...readings.looks].flatMap((observation) =>
    observation ? [judgeObservation(assertion, observation)] : [],
  );
  // A deadline passes by itself, even before the service has recorded it.
  const isOver = obligation.claimStatus === "open" && observedAtMs >= Date.parse(deadline);
  const status = isOver ? "survived" : obligation.claimStatus;
  const path = atFrom && control ? findUpgradePath(atFrom, control) : null;
  // A challenge that could not be read again counts as it was recorded.
  const isRefuted =
    status === "falsified" &&
    atChallenge !== null &&
    judgeObservation(assertion, atChallenge).state === "holds";
  return {
    status,
    observations,
    path,
    isRefuted,
    hasFailed:
      (status === "falsified" && !isRefuted) || observations.some(({ state }) => state === "contradicted"),
    ungraded: listUngraded(readings, path),
  };
}

const judgeHolding = ({ hasFailed, isRefuted, observations }: Judgement): boolean | null =>
  hasFailed ? false : (!isRefuted && observations.every(({ state }) => state === "holds")) || null;

function listUngraded(
  { obligation }: ObligationVerdictReadings,
  path: UpgradePath | null,
): Note<ObligationCode>[] {
  const { assertion, deadline } = obligation.claim;
  const notes: Note<ObligationCode>[] = [];
  if (assertion.type === "bytecode" || assertion.fromBlock >= assertion.toBlock)
    notes.push({ code: "WINDOW_OF_ONE_BLOCK" });
  if (Date.parse(deadline) <= obligation.openedAtMs) notes.push({ code: "NEVER_OPEN_TO_CHALLENGE" });
  if (path?.state === "none") {
    const limitation = "A way to replace the code that is not among the known ones would not be recognised.";
    notes.push({ code: "NO_UPGRADE_PATH", limitation });
  }
  if (path?.state === "unread") {
    const limitation = `Whether the code could have been replaced is not known: ${path.missing} was not read.`;
    notes.push({ code: "UPGRADE_PATH_UNREAD", limitation });
  }
  return notes;
}

/** Notes a record that does not match its id, or whose blocks the chain has replaced: nothing follows from it. */
function noteRecord(
  obligationId: string,
  { obligation, challenges, atFrom, atTo, atChallenge }: ObligationVerdictReadings,
): Note<ObligationCode>[] {
  const { claimId, claim, receipt, survivalHash } = obligation;
  const text = receipt && claimReceiptText({ claimId, claim, ...receipt });
  const isOwn =
    claimId === obligationId &&
    claimIdOf(claim) === claimId &&
    claim.kind === "obligation" &&
    (text && survivalHashOf(text)) === survivalHash;
  const isBlocksOf = (observation: typeof atTo | null, hash: string) =>
    observation?.hash.status !== "value" || observation.hash.value === hash;
  const challengedAt = findCounterexample(challenges)?.observed?.blockHash;
  const isSameChain =
    (!receipt || (isBlocksOf(atFrom, receipt.fromBlockHash) && isBlocksOf(atTo, receipt.toBlockHash))) &&
    (!challengedAt || isBlocksOf(atChallenge, challengedAt));
  return [
    ...(isOwn ? [] : [{ code: "OBLIGATION_RECORD_MISMATCH" as const }]),
    ...(isSameChain ? [] : [{ code: "OBLIGATION_BLOCKS_REPLACED" as const }]),
  ];
}

function noteObservations(observations: readonly JudgedObservation[]): Note<ObligationCode>[] {
  return observations.flatMap(({ state, block, missing }): Note<ObligationCode>[] => {
    if (state === "contradicted") return [{ code: "OBLIGATION_CONTRADICTED" }];
    if (state === "unread")
      return [{ code: "OBLIGATION_UNREAD", limitation: `Not read at block ${block}: ${missing}.` }];
    if (state === "undetermined") {
      const limitation = `At block ${block} the chain leaves the implementation open: ${missing} gave no address.`;
      return [{ code: "OBLIGATION_UNDETERMINED", limitation }];
    }
    return [];
  });
}

function noteEvents(
  { obligation, events }: ObligationVerdictReadings,
  observations: readonly JudgedObservation[],
): Note<ObligationCode>[] {
  const { assertion } = obligation.claim;
  if (!events || assertion.type !== "upgrade_window") return [];
  const notes: Note<ObligationCode>[] = [];
  if (events.coverage.status !== "value") {
    const limitation =
      "Not every block of the window was searched for upgrade events: no node gave all of them.";
    notes.push({ code: "UPGRADE_EVENTS_UNREAD", limitation });
  }
  const stateAt = new Map(observations.map(({ block, state }) => [block, state]));
  const unseen = listSuspectBlocks(assertion, events.found).filter((block) => !stateAt.has(block));
  if (unseen.length > 0) {
    const limitation = `Events point to more blocks than were read; not read: ${unseen.join(", ")}.`;
    notes.push({ code: "UPGRADE_EVENTS_UNREAD", limitation });
  }
  const holdsAt = (block: number) => stateAt.get(block) === "holds";
  for (const { block, names } of listUnconfirmedEvents(assertion.implementation, events.found, holdsAt)) {
    const limitation = `An event at block ${block} names ${names}, which the state at the end of that block does not confirm.`;
    notes.push({ code: "UPGRADE_EVENT_UNCONFIRMED", limitation });
  }
  return notes;
}

function noteStatus(
  { obligation }: ObligationVerdictReadings,
  { status, isRefuted }: Judgement,
): Note<ObligationCode>[] {
  if (isRefuted) return [{ code: "OBLIGATION_FALSIFICATION_UNCONFIRMED" }];
  if (status === "falsified") return [{ code: "OBLIGATION_FALSIFIED" }];
  if (status === "survived") return [{ code: "OBLIGATION_SURVIVED" }];
  const limitation = `Open to challenge until ${obligation.claim.deadline}: that nobody has contradicted it yet says little.`;
  return [{ code: "OBLIGATION_OPEN", limitation }];
}

/** A condition that failed could fail. */
const isDecisionGrade = ({ hasFailed, ungraded }: Judgement): boolean => hasFailed || ungraded.length === 0;

/** What a caller needs: whether to rely on the verdict, which challenges there were, and how to recompute it. */
function describeEvidence(
  { obligation, challenges, challengesTotal, atChallenge, events, looks }: ObligationVerdictReadings,
  judged: Judgement,
) {
  const { claim, claimId, survivalHash, receiptUri } = obligation;
  const { assertion } = claim;
  const isGrade = isDecisionGrade(judged);
  return {
    decisionGrade: isGrade,
    decisionGradeReasons: isGrade ? [] : judged.ungraded.map(({ code }) => code),
    receiptUri,
    survivalHash,
    challenges,
    challengesTotal,
    recompute: {
      claimId,
      claim,
      /**
       * To be made at each of these blocks, in this order. A beacon that is set is then asked for `implementation()`,
       * as the address.
       */
      reads:
        assertion.type === "bytecode"
          ? [{ kind: "code", address: assertion.address }]
          : listImplementationReads(assertion.address),
      blocks: unique([
        ...(assertion.type === "bytecode" ? [] : [assertion.fromBlock]),
        assertion.toBlock,
        ...(atChallenge ? [atChallenge.number] : []),
        ...looks.map(({ number }) => number),
      ]),
      logs: events && {
        address: events.emitters,
        topics: [Object.values(upgradeTopics)],
        fromBlock: assertion.fromBlock,
        toBlock: assertion.toBlock,
      },
      command: `assay recompute ${claimId}`,
    },
  };
}
