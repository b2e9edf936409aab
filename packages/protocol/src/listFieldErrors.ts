import type { z } from "zod";
import type { FieldError } from "./errors.js";

/** Names each field of `value` that broke a rule of its schema, and the rule, in the one wording callers see. */
export function listFieldErrors({ issues }: z.ZodError, value: unknown): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((field) => ({ field, rule: "is not a known field" }));
    const field = issue.path.join(".") || "body";
    const missing = valueAt(value, issue.path) === undefined;
    return [{ field, rule: missing ? "is required" : lowerFirst(ruleOf(issue)) }];
  });
}

/** Zod does not repeat the input in its issues, so the offending value is looked up. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | null)?.[key], value);
}

/** Of a field that takes several types, the last one is how a query spells it. */
function ruleOf(issue: z.core.$ZodIssue): string {
  return (issue.code === "invalid_union" && issue.errors.at(-1)?.[0]?.message) || issue.message;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
