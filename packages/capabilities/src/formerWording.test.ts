import { describe, expect, it } from "vitest";
import { capabilities } from "./capabilities.js";

describe("the former wording of a rule", () => {
  it.each(capabilities)("$id: is no sentence that the rule still uses", async ({ loadRule }) => {
    const { formerWording = {}, reasons } = await loadRule();
    const sentences = Object.values(reasons).map(({ sentence }) => sentence);
    const today = new Set(Object.values(formerWording));
    for (const former of Object.keys(formerWording)) {
      expect(today).not.toContain(former);
      expect(sentences.filter((sentence) => sentence.includes(former))).toEqual([]);
    }
  });
});
