import { dropFromTab, findInTab, keepInTab } from "../service/keepInTab.js";

/** Facts about an answer that this tab must remember over a reload. */
export interface AnswerMarks {
  /** Its window has ended; a chain that starts over does not open it again. */
  readonly hasEnded?: boolean | undefined;
  /** The chain or the service that answers now is not the one that gave it. */
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
