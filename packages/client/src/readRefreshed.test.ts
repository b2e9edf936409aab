import type { CapabilityResult, RefreshedAnswer } from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { checkResult } from "./checkResult.js";
import { readSavedAnswer } from "./testing/savedAnswers.js";

/** An ended artifact of a guard, asked for again; createClient.test.ts buys one from a service. */
const { answer } = readSavedAnswer("evidence.artifact.refreshed.json");
const { answer: plain } = readSavedAnswer("contract.guard.json");

type Forged = {
  result: { refreshed: RefreshedAnswer & Record<string, unknown> } & CapabilityResult["result"];
};

/** The step of this name for the answer with one thing changed. */
async function stepAfter(name: string, change: (forged: CapabilityResult & Forged) => void) {
  const forged = structuredClone(answer) as CapabilityResult & Forged;
  change(forged);
  const { steps } = await checkResult(forged);
  return steps.find((step) => step.name === name);
}

it("is checked with the rule and the proofs of its own capability", async () => {
  expect(answer.result.refreshed).toBeDefined();
  const { ok, steps } = await checkResult(answer);
  expect(steps.filter((step) => !step.ok)).toEqual([]);
  expect(ok).toBe(true);
  const details = Object.fromEntries(steps.map(({ name, detail }) => [name, detail]));
  expect(details.rule).toMatch(/^evidence\.artifact 1\.0\.0 .* result\.refreshed: contract\.guard 1\.0\.0 /);
  expect(details.stateProofs).toMatch(/^result\.refreshed: [0-9]+ facts proven to the state root/);
});

describe("is refused where it does not hold, even by a service that signs it", () => {
  it.each<[string, (refreshed: Forged["result"]["refreshed"]) => void]>([
    ["another verdict", (it) => Object.assign(it, { verdict: "allow" })],
    ["another reason", (it) => it.result.reasonCodes.push("CONTRACT_PAUSED")],
    ["another limitation", (it) => it.result.limitations.pop()],
    [
      "a longer life",
      (it) => Object.assign(it, { validUntil: { ...it.validUntil, time: "2099-01-01T00:00:00Z" } }),
    ],
    ["a later end", (it) => Object.assign(it.validUntil, { block: it.validUntil.block + 1 })],
    ["another artifact", (it) => Object.assign(it, { artifactId: plain.evidenceReference.artifactId })],
    [
      "another input",
      (it) => Object.assign(it.result.evidence, { input: { address: `0x${"11".repeat(20)}` } }),
    ],
    ["a field nobody knows", (it) => Object.assign(it, { extra: 1 })],
    ["the old answer", (it) => Object.assign(it, { result: plain.result })],
  ])("%s", async (_name, change) => {
    const rule = await stepAfter("rule", ({ result }) => change(result.refreshed));
    expect(rule).toMatchObject({ ok: false, detail: expect.stringMatching(/^result\.refreshed: /) });
  });

  it("an answer that is missing", async () => {
    const rule = await stepAfter("rule", ({ result }) => Reflect.deleteProperty(result, "refreshed"));
    expect(rule).toMatchObject({ ok: false, detail: expect.stringContaining("that is missing") });
  });
});
