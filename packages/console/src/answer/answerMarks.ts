import { dropFromTab, findInTab, keepInTab } from "../service/keepInTab.js";

/** What this tab has learned about an answer and a reload must not forget. */
export interface AnswerMarks {
  /** Its window has ended; a chain that begins anew does not open it again. */
  readonly hasEnded?: boolean | undefined;
  /** Another chain or another service than the one that gave it answers now. */
  readonly isForeign?: boolean | undefined;
  /** A check found that it is not what was signed. */
  readonly isRefused?: boolean | undefined;
}

const placeOf = (invocationId: string) => `assay.marks.${invocationId}`;

export const findMarks = (invocationId: string): AnswerMarks => findInTab(placeOf(invocationId)) ?? {};

export function keepMarks(invocationId: string, marks: AnswerMarks): void {
  if (Object.values(marks).some(Boolean)) keepInTab(placeOf(invocationId), marks);
  else dropFromTab(placeOf(invocationId));
}
