import { createHash } from "node:crypto";
import { capabilities, findFormerRule } from "@assay/capabilities";
import { describe, expect, it } from "vitest";
import { checkReceipt } from "./checkReceipt.js";
import { checkResult } from "./checkResult.js";
import { readEvidence } from "./readSaved.js";
import {
  readSavedAnswer,
  readSavedText,
  type SavedAnswer,
  savedKeys,
  savedNames,
} from "./testing/savedAnswers.js";
import { verifyResult } from "./verifyResult.js";

const STEPS = [
  ...["shape", "block", "inputHash", "resultHash", "artifactId", "signature", "rule", "stateProofs"],
  "logInclusion",
];

/** These read no code or storage of an account, so a state proof has nothing to show. */
const WITHOUT_STATE = [
  "chain.snapshot.json",
  "evidence.artifact.json",
  "obligation.verdict.block.json",
  "obligation.verdict.json",
  "trade.execution.notarize.json",
  "web.compile.block.json",
  "web.compile.claim-not-found.json",
  "web.compile.json",
];

// Written out instead of imported from the protocol: a change of the protocol's hashes must fail here.
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
};
const hashOf = (value: unknown) =>
  `sha256:${createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("hex")}`;

function recompute({ answer }: SavedAnswer) {
  const { capabilityId, capabilityVersion, verdict, result } = answer;
  const { network, input, readings, block } = result.evidence;
  const named = { capabilityId, capabilityVersion, network, input };
  const { validUntilBlock } = result;
  return {
    inputHash: hashOf(named),
    resultHash: hashOf({ verdict, result }),
    artifactId: hashOf({ ...named, readings, verdict, block, validUntilBlock }),
  };
}

describe("the saved answers", () => {
  it("are of every capability of the first release, with every verdict and with a refreshed answer among them", async () => {
    const released = await Promise.all(
      capabilities.map(async ({ id, version }) => ((await findFormerRule(id, version)) ? [id] : [])),
    );
    const answers = savedNames.map((name) => readSavedAnswer(name).answer);
    expect([...new Set(answers.map(({ capabilityId }) => capabilityId))].sort()).toEqual(
      released.flat().sort(),
    );
    expect(released.flat()).toHaveLength(16);
    for (const [index, name] of savedNames.entries())
      expect(name.startsWith(`${answers[index]?.capabilityId}.`)).toBe(true);
    expect(new Set(answers.map(({ verdict }) => verdict))).toEqual(new Set(["allow", "review", "block"]));
    expect(answers.some(({ result }) => result.refreshed !== undefined)).toBe(true);
  });
});

describe.each(savedNames)("%s", (name) => {
  it("verifies under the keys of its time, and every step that has something to check is checked", async () => {
    const { steps } = await verifyResult(readSavedAnswer(name), savedKeys);
    expect(steps.map((step) => step.name)).toEqual(STEPS);
    const open = steps.filter(({ checked }) => !checked).map((step) => step.name);
    expect(open).toEqual(WITHOUT_STATE.includes(name) ? ["stateProofs"] : []);
  });

  it("gets the same verdict from the frozen build of the rule that judged it", async () => {
    const { answer } = readSavedAnswer(name);
    const evidence = readEvidence(answer.result.evidence);
    if (typeof evidence === "string") throw new Error(evidence);
    const { rule, input, readings, findings } = evidence;
    const former = await findFormerRule(rule.id, rule.version);
    if (!former) throw new Error(`no former rule ${rule.id} ${rule.version}`);
    const evaluation = former.rule.evaluate(
      former.input.parse(input) as never,
      former.rule.readings.parse(readings),
    );
    expect(evaluation).toMatchObject({ verdict: answer.verdict, reasonCodes: answer.result.reasonCodes });
    expect(JSON.parse(JSON.stringify(evaluation.findings))).toEqual(findings);
  });

  it("has the hashes and the id that its content has", () => {
    const saved = readSavedAnswer(name);
    expect(saved.answer.evidenceReference).toMatchObject(recompute(saved));
    const { resultHash, artifactId } = saved.answer.evidenceReference;
    expect(saved.receipt).toMatchObject({ resultHash, artifactId });
  });

  it("has a receipt that verifies without it", async () => {
    const { steps } = await checkReceipt(readSavedAnswer(name).receipt, savedKeys);
    expect(steps.map(({ ok, checked }) => ok && checked)).toEqual([true, true, true, true]);
  });

  it("fails with any byte flipped in the result, the signature or the log's entry", async () => {
    const bytes = Buffer.from(readSavedText(name));
    for (const place of listPlaces(bytes, savedNames.indexOf(name))) {
      const flipped = Buffer.from(bytes);
      flipped[place] = (bytes[place] ?? 0) ^ 1;
      expect(await verifies(flipped), `byte ${place} of ${name}`).toBe(false);
    }
  });
});

/**
 * Bytes to flip: one of twelve places all over the result and one in one of the signatures, others in the next file.
 * checkPaidAnswer.test.ts changes every field of one answer. `npm run campaign:changes` flips one in each place.
 */
function listPlaces(bytes: Buffer, turn: number): number[] {
  const [start, end] = [bytes.indexOf('"result":{') + 10, bytes.indexOf('"pricing":{')];
  const isChosen = (_: unknown, place: number, all: readonly unknown[]) =>
    process.env.ASSAY_EVERY_CHANGE === "1" || place === turn % all.length;
  const inResult = Array.from(
    { length: 12 },
    (_, part) => start + Math.floor(((end - start) * part) / 12),
  ).filter(isChosen);
  const inSignatures = ['"signature":"0x', '"leaf":"', '"checkpoint":"']
    .filter(isChosen)
    .map((label) => bytes.indexOf(label) + label.length + 20);
  return [...inResult.map((place) => skipFraction(bytes, place)), ...inSignatures];
}

/** Another last digit of a long fraction is the same number, so the byte after the fraction is taken instead. */
function skipFraction(bytes: Buffer, place: number): number {
  const rest = bytes.toString("latin1", place);
  return place + (/^[0-9.]*(?=[,\]}])/.exec(rest)?.[0].length ?? 0);
}

/** A file that is no longer JSON does not verify either. */
async function verifies(bytes: Buffer): Promise<boolean> {
  try {
    return (await checkResult(JSON.parse(bytes.toString()), savedKeys)).ok;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
