import { describe, expect, it } from "vitest";
import { capabilities, findCapability, findCapabilityByAnyName } from "./capabilities.js";
import { loadServed } from "./served.js";

describe("the list of capabilities", () => {
  it.each(capabilities)("$id has an example that its input accepts", ({ input, example }) => {
    expect(input.safeParse(example).error).toBeUndefined();
  });

  it.each(capabilities)("$id is watched by a capability that exists, or by none", ({ watchedBy }) => {
    expect(watchedBy === null || findCapability(watchedBy) !== undefined).toBe(true);
  });

  it.each(capabilities)("$id has a sentence of its own for each of its reasons", async ({ loadRule }) => {
    const { reasons } = await loadRule();
    const sentences = Object.values(reasons).map(({ sentence }) => sentence);
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z0-9].*\.$/s);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it("gives one reason one sentence in every capability", async () => {
    const sentences = new Map<string, string>();
    for (const { loadRule } of capabilities)
      for (const [code, { sentence }] of Object.entries((await loadRule()).reasons)) {
        expect(sentences.get(code) ?? sentence, code).toBe(sentence);
        sentences.set(code, sentence);
      }
  });

  it.each(capabilities)("$id is served, and says so where it refuses input", async (capability) => {
    const { id, gather, evaluate, checkInput } = await loadServed(capability);
    expect([id, typeof gather, typeof evaluate]).toEqual([capability.id, "function", "function"]);
    expect(checkInput !== undefined).toBe(capability.refusesInput);
  });

  it("finds nothing under a name that only JavaScript knows", () => {
    for (const find of [findCapability, findCapabilityByAnyName]) expect(find("constructor")).toBeUndefined();
  });

  it("finds a capability by its former name too", () => {
    expect(findCapabilityByAnyName("tx.preflight")?.id).toBe("transaction.intent.guard");
    expect(findCapability("tx.preflight")).toBeUndefined();
  });
});
