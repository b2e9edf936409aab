import { type CapabilityResult, canonicalJson, type Hex, type Verdict } from "@assay/protocol";
import type { Action, Policy } from "./policy.js";
import { type Effects, readEffects } from "./readEffects.js";
import type { Intent } from "./readRequest.js";

/** What the policy says about a request that was judged, and which of its rules says so. */
export interface Decision {
  readonly action: Action;
  /** The rule that decided, as a path in the policy file. */
  readonly rule: string;
  readonly why: string;
  /** What counts towards the limits of the day. */
  readonly valueMicroUsd: bigint;
  readonly valueWei: bigint;
  /** Who gets something or may take something, as far as it was seen. */
  readonly gainers: readonly Hex[];
}

/** How a reason code counts by itself; undefined where this client does not know the code. */
export type LevelOf = (answer: CapabilityResult, code: string) => Verdict | undefined;

type Finding = Pick<Decision, "action" | "rule" | "why">;

const strictness: readonly Action[] = ["allow", "ask", "refuse"];
const WEI_PER_ETHER = 10n ** 18n;

/** Applies every rule of the policy; the strictest counts, and of several the first. Pure: it asks and writes nothing. */
export function decide(
  policy: Policy,
  intent: Intent,
  answers: readonly CapabilityResult[],
  levelOf: LevelOf,
): Decision {
  const effects = answers.map(readEffects);
  const known = effects.filter((one): one is Effects => one !== undefined);
  const valueMicroUsd = known.reduce((sum, one) => sum + one.valueMicroUsd, 0n);
  const measuredWei = known.reduce((sum, one) => sum + one.valueWei, 0n);
  const valueWei = measuredWei > intent.valueWei ? measuredWei : intent.valueWei;
  const findings = [
    ...answers.flatMap((answer, index) => judgeAnswer(policy, intent, answer, effects[index], levelOf)),
    ...judgeIntent(policy, intent),
    ...judgeParties(policy, intent, answers),
    ...judgeValue(policy, { valueMicroUsd, valueWei, hasUnpriced: known.some((one) => one.hasUnpriced) }),
  ];
  const start: Finding = { action: "allow", rule: "verdicts.allow", why: "Nothing speaks against it." };
  const worst = findings.reduce(
    (one, other) => (strictness.indexOf(other.action) > strictness.indexOf(one.action) ? other : one),
    findings[0] ?? start,
  );
  return { ...worst, valueMicroUsd, valueWei, gainers: known.flatMap(({ named }) => named) };
}

function judgeAnswer(
  policy: Policy,
  intent: Intent,
  answer: CapabilityResult,
  effects: Effects | undefined,
  levelOf: LevelOf,
): Finding[] {
  const { verdict } = answer;
  const { reasonCodes, summary } = answer.result;
  const byReason = reasonCodes.flatMap((code): Finding[] => {
    const action = Object.hasOwn(policy.reasons, code) ? policy.reasons[code] : undefined;
    return action === "ask" || action === "refuse"
      ? [{ action, rule: `reasons.${code}`, why: `The answer has the reason ${code}. ${summary}` }]
      : [];
  });
  const accepted =
    verdict === "review" ? findAcceptance(policy, intent, answer, effects, levelOf) : undefined;
  const byVerdict: Finding = accepted
    ? { action: "allow", rule: accepted, why: summary }
    : { action: policy.verdicts[verdict], rule: `verdicts.${verdict}`, why: summary };
  return [byVerdict, ...byReason];
}

/** The rule that lets a review count as an allow. */
function findAcceptance(
  { reasons, parties }: Policy,
  { to }: Intent,
  answer: CapabilityResult,
  effects: Effects | undefined,
  levelOf: LevelOf,
): string | undefined {
  const doubts = answer.result.reasonCodes.filter((code) => levelOf(answer, code) !== "allow");
  if (doubts.length > 0 && doubts.every((code) => Object.hasOwn(reasons, code) && reasons[code] === "allow"))
    return `reasons.${doubts[0]}`;
  const gainers = effects?.gainers;
  if (gainers === undefined || to === null) return undefined;
  return [to, ...gainers].every((party) => parties.allow.includes(party.toLowerCase()))
    ? "parties.allow"
    : undefined;
}

function judgeIntent(policy: Policy, intent: Intent): Finding[] {
  const limitWei = toUnits(policy.maxFeeEther, WEI_PER_ETHER);
  return [
    ...(intent.createsContract
      ? [
          {
            action: policy.contractCreation,
            rule: "contractCreation",
            why: "It creates a contract, which no guard judges.",
          },
        ]
      : []),
    ...(intent.feeWei !== undefined && intent.feeWei > limitWei
      ? [
          {
            action: "refuse" as const,
            rule: "maxFeeEther",
            why: `Its gas may cost ${showEther(intent.feeWei)} ether, and the limit is ${policy.maxFeeEther}. Without a gas limit, the most gas that a transaction may use counts.`,
          },
        ]
      : []),
    ...intent.unseen.map(
      (code): Finding => ({
        action: policy.reasons[code] ?? policy.verdicts.review,
        rule: `reasons.${code}`,
        why: "It gives accounts new code (EIP-7702), and was judged with the code that they have before.",
      }),
    ),
  ];
}

/** A listed address counts wherever its digits appear: as a target, inside of calldata or in what the answer found. */
function judgeParties({ parties }: Policy, intent: Intent, answers: readonly CapabilityResult[]): Finding[] {
  if (parties.ask.length + parties.refuse.length === 0) return [];
  const found = answers.map(({ result }) => {
    const { input, findings } = result.evidence as { input?: object; findings?: object };
    return canonicalJson([input ?? null, findings ?? null] as never);
  });
  const text = [intent.to ?? "", ...found].join(" ").toLowerCase();
  return (["refuse", "ask"] as const).flatMap((action) =>
    parties[action]
      .filter((party) => text.includes(party.slice(2)))
      .map((party): Finding => ({ action, rule: `parties.${action}`, why: `It names ${party}.` })),
  );
}

function judgeValue(
  { value }: Policy,
  given: { readonly valueMicroUsd: bigint; readonly valueWei: bigint; readonly hasUnpriced: boolean },
): Finding[] {
  const above = (action: Action, field: keyof Policy["value"], amount: bigint, unit: bigint): Finding[] => {
    const limit = value[field];
    if (limit === undefined || amount <= toUnits(limit, unit)) return [];
    const shown = unit === WEI_PER_ETHER ? `${showEther(amount)} ether` : `${Number(amount) / 1e6} USD`;
    return [{ action, rule: `value.${field}`, why: `It sends away ${shown}, and the limit is ${limit}.` }];
  };
  const hasUsdLimit = [value.askAboveUsd, value.refuseAboveUsd, value.perDayUsd].some(
    (one) => one !== undefined,
  );
  return [
    ...above("refuse", "refuseAboveUsd", given.valueMicroUsd, 1_000_000n),
    ...above("refuse", "refuseAboveEther", given.valueWei, WEI_PER_ETHER),
    ...above("ask", "askAboveUsd", given.valueMicroUsd, 1_000_000n),
    ...above("ask", "askAboveEther", given.valueWei, WEI_PER_ETHER),
    ...(hasUsdLimit && given.hasUnpriced
      ? [
          {
            action: "ask" as const,
            rule: "value",
            why: "Something leaves that has no price, and there is a limit in USD.",
          },
        ]
      : []),
  ];
}

/** An amount of a settings file in whole units of which `unit` are one. */
export const toUnits = (amount: number, unit: bigint): bigint =>
  // Nine digits after the point are kept: a fee on Base is a few of the seventh.
  (BigInt(Math.round(amount * 1e9)) * unit) / 1_000_000_000n;

const showEther = (wei: bigint) => `${Number(wei) / 1e18}`;
