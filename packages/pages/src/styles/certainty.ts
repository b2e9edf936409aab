/**
 * Whether something holds for the people who open a page: no, perhaps, yes. Perhaps means that it depends on their browser,
 * or that this service does not understand it.
 */
export type Certainty = 0 | 1 | 2;

export const NO = 0;
export const PERHAPS = 1;
export const YES = 2;

export const both = (one: Certainty, other: Certainty): Certainty => (one < other ? one : other);
export const either = (one: Certainty, other: Certainty): Certainty => (one > other ? one : other);
export const opposite = (certainty: Certainty): Certainty => (2 - certainty) as Certainty;
export const certaintyOf = (holds: boolean): Certainty => (holds ? YES : NO);
