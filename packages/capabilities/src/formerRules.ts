import type { z } from "zod";
import type { Rule } from "./defineRule.js";

/** A rule as it once was, with the input schema of its time. */
export interface FrozenRule {
  readonly version: string;
  readonly input: z.ZodObject;
  readonly rule: Rule;
}

/** Every release of the rules before today's; each is loaded only when an answer names one of its rules. */
const releases = [async () => (await import("../former/1.0.0/rules.js")).loadRules()];

/** Loads every release, so that any former answer can then be checked without a network. */
export async function loadFormerRules(): Promise<void> {
  await Promise.all(releases.map((load) => load()));
}

/** The former rule of exactly this version; undefined when there never was one. */
export async function findFormerRule(id: string, version: string): Promise<FrozenRule | undefined> {
  for (const load of releases) {
    const rules = (await load()) as Readonly<Record<string, FrozenRule>>;
    const found = Object.hasOwn(rules, id) ? rules[id] : undefined;
    if (found?.version === version) return found;
  }
  return undefined;
}
