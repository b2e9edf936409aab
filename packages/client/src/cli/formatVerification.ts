import { latestEndMs } from "../latestEndMs.js";
import { listUncovered } from "../listUncovered.js";
import type { Saved } from "../readSaved.js";
import type { Conclusion, Verification, VerificationStep } from "../verification.js";
import { describeEnd } from "./formatAnswer.js";
import { type Paint, printable } from "./text.js";

/** The content of the file, each step, and the conclusion; `saved` is a sentence when the file could not be read. */
export function formatVerification(
  { ok, conclusion, steps }: Verification,
  saved: Saved | string,
  paint: Paint,
): string {
  const width = Math.max(...steps.map(({ name }) => name.length));
  const lines = [
    ...(typeof saved === "string" ? [] : [...describeAnswer(saved), ""]),
    ...steps.map((step) => `${markOf(step, paint)}  ${step.name.padEnd(width)}  ${printable(step.detail)}`),
    "",
    describeConclusion[conclusion](steps),
    // Nothing in a refused file can be relied on.
    ...(ok && typeof saved !== "string"
      ? [`Covered by no hash or signature, so do not rely on: ${listUncovered(saved, steps).join(", ")}.`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Without colour: only the steps below show whether the file's statements are true. */
function describeAnswer({ result, evidence }: Saved): string[] {
  const { verdict, capabilityId } = result;
  const { computedAtBlock, validUntilBlock } = result.result;
  const input = Object.entries(evidence.input)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${printable(name)}=${shorten(spell(value))}`);
  const endMs = latestEndMs(result);
  const expiry =
    Date.now() < endMs
      ? "Whether it has expired depends on the chain's head, which verify does not ask."
      : `It ${describeEnd(endMs)}.`;
  return [
    `The file says: ${verdict.toUpperCase()}  ${printable(capabilityId)}  ${input.join(" ") || "(no input)"}`,
    `Read at block ${computedAtBlock}, valid until block ${validUntilBlock}. ${expiry}`,
  ];
}

/** Quoted unless plain, so that one value cannot be read as two. */
const spell = (value: unknown) =>
  typeof value === "string" && /^[\w.:-]+$/.test(value) ? value : printable(JSON.stringify(value));

/** Calldata may be long; the hash of the whole input is among the steps. */
const LONGEST_VALUE = 100;
const shorten = (text: string) =>
  text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)` : text;

function markOf({ ok, checked }: VerificationStep, paint: Paint): string {
  if (!ok) return paint(["bold", "red"], "FAIL");
  return checked ? paint("green", "ok  ") : paint("yellow", "--  ");
}

const SELF_CONSISTENT =
  "Self-consistent only: the file agrees with itself and with the block it names, but anybody may have written it.\nGive the signer you know with --signer, or --url to compare with the keys a service states now.";

function describeSuccess(steps: readonly VerificationStep[]): string {
  const open = steps.filter(({ checked }) => !checked).map(({ name }) => name);
  return open.length === 0
    ? "Verified: every step passed."
    : `Verified: every step that could be tried passed; not tried: ${open.join(", ")}.`;
}

function describeRefusal(steps: readonly VerificationStep[]): string {
  const failing = steps.filter(({ ok }) => !ok).map(({ name }) => name);
  return `Not verified: ${failing.join(", ")} failed. Do not rely on this result.`;
}

const describeConclusion: Record<Conclusion, (steps: readonly VerificationStep[]) => string> = {
  verified: describeSuccess,
  self_consistent: () => SELF_CONSISTENT,
  failed: describeRefusal,
};
