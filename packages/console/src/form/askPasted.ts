import { type CapabilityId, type Recognized, recognize } from "@assay/client";
import type { InputValues } from "./checkInput.js";

export interface PastedQuestion {
  readonly id: CapabilityId;
  readonly values: InputValues;
  /** Whether it fits tokens alone. */
  readonly isForTokens: boolean;
}

/** What a pasted text is, and what can be asked about it. */
export type AskedPaste = Pick<Recognized, "kind" | "title" | "problem" | "note"> & {
  readonly questions: readonly PastedQuestion[];
  /** Where the text is an address: what stands there decides which question fits. */
  readonly address?: string;
};

/** Reads a pasted text in this browser; nobody is asked. */
export function askPasted(text: string): AskedPaste {
  const { kind, title, problem, note, questions } = recognize(text);
  const address = kind === "address" ? questions[0]?.input.address : undefined;
  return {
    ...{ kind, title: kind === "unknown" ? "" : title },
    ...(problem !== undefined && { problem }),
    ...(note !== undefined && { note }),
    ...(typeof address === "string" && { address }),
    questions: questions.map(({ capabilityId, input, isForTokens = false }) => ({
      id: capabilityId,
      values: toValues(input),
      isForTokens,
    })),
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
