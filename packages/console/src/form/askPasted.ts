import { type CapabilityId, type Recognized, recognize } from "@assay/client";
import type { InputValues } from "./checkInput.js";

export interface PastedQuestion {
  readonly id: CapabilityId;
  readonly values: InputValues;
}

/** What a pasted text is, and what can be asked about it. */
export type AskedPaste = Pick<Recognized, "title" | "problem"> & {
  readonly questions: readonly PastedQuestion[];
};

/** Reads a pasted text in this browser; nobody is asked. */
export function askPasted(text: string): AskedPaste {
  const { title, problem, questions } = recognize(text);
  return {
    title,
    ...(problem !== undefined && { problem }),
    questions: questions.map(({ capabilityId, input }) => ({ id: capabilityId, values: toValues(input) })),
  };
}

/** As the fields of a form hold them. */
const toValues = (input: Readonly<Record<string, unknown>>): InputValues =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  );
