import {
  capabilities,
  type FormerWording,
  findFormerRule,
  formerProofWording,
  getCapability,
  type Rule,
} from "@assay/capabilities";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkResult } from "./checkResult.js";
import { readSavedAnswer, type SavedAnswer, savedKeys } from "./testing/savedAnswers.js";

afterEach(() => {
  vi.restoreAllMocks();
});

const saved = readSavedAnswer("contract.guard.json");
const { summary, limitations } = saved.answer.result;
const [firstLimitation = ""] = limitations;
/** The summary ends with the sentences that decided the verdict. */
const lastSentence = summary.slice(summary.lastIndexOf(". ") + 2);

type AnyRule = Rule<never, unknown>;
type Edit = (evaluation: ReturnType<AnyRule["evaluate"]>) => object;

/** Has the rule of that time, as if it were today's, conclude something else from the same readings than the rule that gave the saved answer. */
async function changeRule(edit: Edit, formerWording?: FormerWording): Promise<void> {
  const capability = getCapability("contract.guard");
  const { rule } = (await findFormerRule("contract.guard", "1.0.0")) as unknown as { rule: AnyRule };
  const changed = {
    ...rule,
    ruleVersion: "1.0.0",
    ...(formerWording && { formerWording }),
    evaluate: (input: never, readings: unknown) => {
      const evaluation = rule.evaluate(input, readings);
      return { ...evaluation, ...edit(evaluation) };
    },
  };
  vi.spyOn(capability, "loadRule").mockResolvedValue(changed as never);
}

async function checkRuleOf(value: SavedAnswer) {
  const { steps } = await checkResult(value, savedKeys);
  return steps.find(({ name }) => name === "rule");
}

/** The saved answer as its service would have signed it with other words: only the rule's step counts here. */
const withResult = (result: object): SavedAnswer => ({
  ...saved,
  answer: { ...saved.answer, result: { ...saved.answer.result, ...result } },
});

const NEW_SENTENCE = "The owner is a single account, which can act at once and alone.";
const NEW_LIMITATION = "Nobody has read what the code does.";
const edit: Edit = (evaluation) => ({
  summary: evaluation.summary.replace(lastSentence, NEW_SENTENCE),
  limitations: evaluation.limitations.with(0, NEW_LIMITATION),
});
const formerWording = { [lastSentence]: NEW_SENTENCE, [firstLimitation]: NEW_LIMITATION };

describe("an answer with sentences that its rule has changed since", () => {
  it("verifies with the former wording of the rule", async () => {
    expect(lastSentence.length).toBeGreaterThan(10);
    await changeRule(edit, formerWording);
    const { ok, steps } = await checkResult(saved, savedKeys);
    expect(steps.filter((step) => !step.ok)).toEqual([]);
    expect(ok).toBe(true);
  });

  it("verifies when only some of its sentences are former ones", async () => {
    await changeRule(edit, formerWording);
    const mixed = withResult({ limitations: limitations.with(0, NEW_LIMITATION) });
    expect(await checkRuleOf(mixed)).toMatchObject({ ok: true });
  });

  it("fails without the former wording", async () => {
    await changeRule(edit);
    expect(await checkRuleOf(saved)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/gives another summary, limitations\.$/),
    });
  });

  it("fails with a made-up sentence, or with a former one in another's place", async () => {
    await changeRule(edit, formerWording);
    const changes = [
      { summary: summary.replace(lastSentence, "All is well.") },
      { summary: `${summary} All is well.` },
      { summary: summary.replace(lastSentence, firstLimitation) },
      { limitations: limitations.with(0, lastSentence) },
      { limitations: limitations.slice(1) },
    ];
    for (const change of changes) expect(await checkRuleOf(withResult(change))).toMatchObject({ ok: false });
  });
});

describe("former wording", () => {
  it("covers the texts of the evidence that a rule shows", async () => {
    const shown = { note: lastSentence, counts: [1, { texts: ["unchanged", firstLimitation] }] };
    await changeRule(() => ({ evidence: { shown: { ...shown, note: NEW_SENTENCE } } }), {
      [lastSentence]: NEW_SENTENCE,
    });
    const { evidence } = saved.answer.result;
    const record = (value: unknown) => withResult({ evidence: { ...evidence, shown: value } });
    expect(await checkRuleOf(record(shown))).toMatchObject({ ok: true });
    for (const other of [
      { ...shown, note: "All is well." },
      { ...shown, counts: [2, ...shown.counts.slice(1)] },
      { ...shown, extra: null },
      { note: shown.note },
    ])
      expect(await checkRuleOf(record(other))).toMatchObject({ ok: false });
  });

  it("covers no verdict, no reason code and nothing of the findings", async () => {
    const { verdict, result } = saved.answer;
    const [code = ""] = result.reasonCodes;
    const former = { [verdict]: "allow", [code]: "RENAMED", account: "contract", true: "false" };
    const findings = result.evidence.findings as Record<string, unknown>;
    const texts = Object.entries(findings).filter(([, value]) => typeof value === "string");
    for (const change of [
      { verdict: "allow" },
      { reasonCodes: ["RENAMED", ...result.reasonCodes.slice(1)] },
      { findings: { ...findings, added: 1 } },
      ...texts.map(([name]) => ({ findings: { ...findings, [name]: "RENAMED" } })),
    ]) {
      const words = Object.fromEntries(texts.map(([, value]) => [String(value), "RENAMED"]));
      await changeRule(() => change, { ...words, ...former });
      expect(await checkRuleOf(saved), JSON.stringify(change)).toMatchObject({ ok: false });
      vi.restoreAllMocks();
    }
  });

  it("leaves a sentence of today alone that contains a former one", async () => {
    const longer = `${lastSentence} Nobody else is asked.`;
    await changeRule(
      (evaluation) => ({
        summary: evaluation.summary.replace(lastSentence, longer),
        limitations: evaluation.limitations.with(0, NEW_LIMITATION),
      }),
      { ...formerWording, [lastSentence]: longer },
    );
    expect(await checkRuleOf(saved)).toMatchObject({ ok: true });
    const since = withResult({ summary: summary.replace(lastSentence, longer) });
    expect(await checkRuleOf(since)).toMatchObject({ ok: true });
  });

  it("applies to the limitation of an answer without proofs, which no rule writes itself", async () => {
    const unproven = (...added: string[]) =>
      withResult({
        evidence: { ...saved.answer.result.evidence, proofs: null },
        limitations: [...limitations, ...added],
      });
    for (const [former, today] of Object.entries(formerProofWording)) {
      expect(await checkRuleOf(unproven(former))).toMatchObject({ ok: true });
      expect(await checkRuleOf(unproven(today))).toMatchObject({ ok: true });
      expect(await checkRuleOf(unproven(former, today))).toMatchObject({ ok: false });
      expect(await checkRuleOf(withResult({ limitations: [...limitations, former] }))).toMatchObject({
        ok: false,
      });
    }
    expect(await checkRuleOf(unproven())).toMatchObject({ ok: false });
    expect(await checkRuleOf(unproven("PROOF_UNAVAILABLE: nothing."))).toMatchObject({ ok: false });
  });

  it("leads to today's sentence at once, in every rule", async () => {
    for (const { id, loadRule } of capabilities) {
      const { formerWording: former = {} } = await loadRule();
      const passing = Object.values(former).filter((today) => Object.hasOwn(former, today));
      expect(passing, id).toEqual([]);
    }
  });
});
