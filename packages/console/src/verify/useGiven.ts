import { useState } from "react";

export interface Given {
  readonly value: unknown;
  readonly name: string;
  /** Counts the inputs, so that no result for one stays for the next, however similar they are. */
  readonly turn: number;
}

/** The value that was dropped, chosen or pasted last; undefined before that, and after one that could not be read. */
export function useGiven(): [given: Given | undefined, take: (value: unknown, name: string) => void] {
  const [given, setGiven] = useState<Given>({ value: undefined, name: "", turn: 0 });
  return [
    given.value === undefined ? undefined : given,
    (value, name) => setGiven(({ turn }) => ({ value, name, turn: turn + 1 })),
  ];
}
