import { useState } from "react";

export interface Given {
  readonly value: unknown;
  readonly name: string;
  /** Counts what was given, so that no result of one thing stays for the next, however alike they are. */
  readonly turn: number;
}

/** What was dropped, chosen or pasted last; undefined before, and after something that could not be read. */
export function useGiven(): [given: Given | undefined, take: (value: unknown, name: string) => void] {
  const [given, setGiven] = useState<Given>({ value: undefined, name: "", turn: 0 });
  return [
    given.value === undefined ? undefined : given,
    (value, name) => setGiven(({ turn }) => ({ value, name, turn: turn + 1 })),
  ];
}
