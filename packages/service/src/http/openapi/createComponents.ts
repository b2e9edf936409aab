import type { JsonSchema } from "@assay/protocol";

type Kind = "parameters" | "headers" | "responses" | "examples";

/** The parts of a document that stand once in `components` and are referred to. */
export interface Components {
  readonly all: Readonly<Record<Kind, Readonly<Record<string, JsonSchema>>>>;
  /** A reference to the part of that name, which is described when it is first referred to. */
  refer(kind: Kind, name: string, describe: () => JsonSchema): JsonSchema;
}

export function createComponents(): Components {
  const all: Record<Kind, Record<string, JsonSchema>> = {
    parameters: {},
    headers: {},
    responses: {},
    examples: {},
  };
  return {
    all,
    refer(kind, name, describe) {
      all[kind][name] ??= describe();
      return { $ref: `#/components/${kind}/${name}` };
    },
  };
}
