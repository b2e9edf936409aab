/** What was found about one part of an installation. `warning`: the service starts, and gives less than it could. */
export interface Finding {
  readonly part: string;
  readonly state: "ok" | "warning" | "fault";
  readonly detail: string;
}

export type Note = (part: string, state: Finding["state"], detail: string) => void;
