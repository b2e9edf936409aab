import type { ListedCapability } from "@assay/capabilities";

/** The input in the one spelling that is asked. Throws TypeError in the words of the schema, so that a model can correct its call. */
export function parseToolInput({ id, input: schema }: ListedCapability, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "input"} ${message}`);
  throw new TypeError(`${id} does not take this input: ${faults.join("; ")}.`);
}
