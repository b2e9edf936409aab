import type {
  ChallengeAnswer,
  ChallengeEvidence,
  ClaimDetail,
  ClaimFeed,
  ClaimRecord,
  ClaimStatus,
  Decision,
} from "@assay/protocol";
import type { RecomputationStep } from "../checkClaimRecord.js";
import type { OpenedClaim } from "../createClaims.js";
import type { Recomputation } from "../recomputeClaim.js";
import type { Scan } from "../scanClaim.js";
import { alignRows, formatBlocks, formatUsd, type Paint, page, printable } from "./text.js";

const colours = { open: "yellow", falsified: "red", survived: "green" } as const satisfies Record<
  ClaimStatus,
  string
>;

/** How to print: in colour or not, and with how long a block takes, where the service has measured it. */
export interface ClaimStyle {
  readonly paint: Paint;
  readonly blockTimeMs: number | undefined;
}

export function formatClaimFeed({ claims, listFeed, note }: ClaimFeed, style: ClaimStyle): string {
  const empty = listFeed === "enabled" ? "No open claims." : "The list is switched off here.";
  return page([
    ...(claims.length === 0 ? [empty] : []),
    ...claims.flatMap((claim) => [headline(claim, style), ...alignRows(describeTerms(claim, style))]),
    "",
    printable(note),
  ]);
}

const headline = ({ status, kind, claimId }: ClaimRecord, { paint }: ClaimStyle) =>
  `${paint(["bold", colours[status]], status.toUpperCase())}  ${kind} ${printable(claimId)}`;

function describeTerms(
  { assertion, window, reward, deadline, opener }: ClaimRecord,
  { blockTimeMs }: ClaimStyle,
): [string, string][] {
  const what =
    assertion.type === "upgrade_window"
      ? `${assertion.address} runs ${assertion.implementation ?? "no implementation"}`
      : `${assertion.address} has code ${assertion.bytecodeHash ?? "none"} of ${assertion.bytecodeBytes} bytes`;
  return [
    ["claims", what],
    ["in blocks", `${window.fromBlock} to ${window.toBlock} (${formatBlocks(window.blocks, blockTimeMs)})`],
    ["reward", `${formatUsd(reward.rewardUsd)}, owed by ${opener}`],
    ["deadline", deadline],
  ];
}

export function formatClaim(claim: ClaimDetail, style: ClaimStyle): string {
  return page([
    headline(claim, style),
    ...alignRows([
      ...describeTerms(claim, style),
      ["opened", `${claim.openedAt}, block ${claim.openedAtBlock}`],
      ["resolved", claim.resolvedAt ?? "no"],
      ...(claim.winner ? [["winner", claim.winner] as const] : []),
      ["receipt", claim.survivalHash ?? "none"],
      ["log leaf", claim.logIndex ?? "none"],
      ...(claim.breadcrumb
        ? [["on chain", claim.breadcrumb.transaction ?? claim.breadcrumb.status] as const]
        : []),
      ["challenges", String(claim.challengesTotal)],
    ]),
    ...claim.challenges.map(
      ({ resolution, evidence, wallet, submittedAt }) =>
        `  ${submittedAt}  ${resolution}  ${printable(JSON.stringify(evidence))}  ${printable(wallet)}`,
    ),
  ]);
}

export function formatOpenedClaim(
  { record, settlement }: OpenedClaim,
  paidBy: string,
  style: ClaimStyle,
): string {
  return page([
    headline(record, style),
    ...alignRows([
      ...describeTerms(record, style),
      ["receipt", record.survivalHash ?? "none"],
      ["price", `${formatUsd(record.pricing.pricePaidUsd)} paid`],
      ["paid by", paidBy],
      ["transaction", settlement?.transaction ?? "not stated"],
    ]),
    "",
    printable(record.reward.note),
  ]);
}

export function formatChallenge(answer: ChallengeAnswer, paint: Paint): string {
  const { resolution, reason, claimStatus, reward, challenge } = answer;
  const colour = resolution === "counterexample_valid" ? "red" : "yellow";
  return page([
    `${paint(["bold", colour], resolution.toUpperCase())}  ${printable(reason)}`,
    ...alignRows([
      ["claim", `${claimStatus} ${answer.claimId}`],
      ["log leaf", challenge?.logIndex ?? "none"],
      ...(reward
        ? [
            [
              "reward",
              `${formatUsd(reward.rewardUsd)}, owed by ${reward.rewardOwedBy} to ${reward.rewardOwedTo}`,
            ] as const,
          ]
        : []),
    ]),
    ...(reward ? ["", printable(reward.note)] : []),
  ]);
}

export function describeEvidence(evidence: ChallengeEvidence): string {
  if ("block" in evidence)
    return `at block ${evidence.block} the implementation is ${evidence.implementation ?? "none"}`;
  return `the code is ${evidence.bytecodeHash ?? "none"} of ${evidence.bytecodeBytes} bytes`;
}

export function formatScan({ counterexample, ...scan }: Scan): string {
  const read = `${scan.blocksRead} of ${scan.windowBlocks} blocks read`;
  const found = counterexample
    ? `Counterexample: ${describeEvidence(counterexample)} (${read}).`
    : `No counterexample: ${read}.`;
  const proof = scan.isComplete
    ? "Every block of the window was read."
    : "The blocks between were not read: sampling is no proof of absence.";
  return page([found, ...(counterexample ? [] : [proof]), ...scan.limitations.map(printable)]);
}

const verdicts = {
  holds: ["green", "the chain has what is claimed"],
  falsified: ["red", "the chain shows the claim false"],
  contradicted: ["red", "the chain does not confirm what the service recorded"],
  undecided: ["yellow", "the node did not answer enough"],
} as const satisfies Record<Recomputation["verdict"], readonly [string, string]>;

export function formatRecomputation(recomputation: Recomputation, paint: Paint): string {
  const { claimId, verdict, steps, blocksRead, windowBlocks } = recomputation;
  const [colour, meaning] = verdicts[verdict];
  const read =
    blocksRead === windowBlocks
      ? "Every block of the window was read."
      : `${blocksRead} of ${windowBlocks} blocks of the window were read: its ends, and where events or challenges point.`;
  const width = Math.max(...steps.map(({ name }) => name.length));
  return page([
    `${paint(["bold", colour], verdict.toUpperCase())}  ${printable(claimId)}: ${meaning}`,
    ...steps.map((step) => `${markOf(step, paint)}  ${step.name.padEnd(width)}  ${printable(step.detail)}`),
    read,
  ]);
}

function markOf({ ok }: RecomputationStep, paint: Paint): string {
  if (ok === null) return paint("yellow", "--  ");
  return ok ? paint("green", "ok  ") : paint(["bold", "red"], "FAIL");
}

export function formatDecision(
  { decision, invocationId, obligationId, decidedAt }: Decision,
  asked: Decision["decision"],
): string {
  const stands = decision === asked ? "Recorded" : `Already decided otherwise, and that stands`;
  return page([
    `${stands}: ${decision}`,
    ...alignRows([
      ["obligation", obligationId],
      ["invocation", invocationId],
      ["decided", decidedAt],
    ]),
  ]);
}
