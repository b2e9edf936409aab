import type { z } from "zod";
import type { FieldError } from "./errors.js";

/** Lists each field of `value` that breaks a rule of its schema, with the rule, in the wording that callers see. */
export function listFieldErrors({ issues }: z.ZodError, value: unknown): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((field) => ({ field, rule: "is not a known field" }));
    const field = issue.path.join(".") || "body";
    // A rule of our own says itself what is missing, and its path may lead into a text that holds JSON.
    const missing = issue.code !== "custom" && valueAt(value, issue.path) === undefined;
    return [{ field, rule: missing ? "is required" : lowerFirst(ruleOf(issue)) }];
  });
}

/** Zod's issues do not contain the input, so the offending value is read from it. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | null)?.[key], value);
}

/** For a field that accepts several types, the last one is the form in a query. */
function ruleOf(issue: z.core.$ZodIssue): string {
  return (issue.code === "invalid_union" && issue.errors.at(-1)?.[0]?.message) || issue.message;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
