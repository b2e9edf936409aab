import type { ReactNode } from "react";
import { Empty } from "./Status.js";

/** How the ids of one kind are written. */
export interface NameRule {
  readonly pattern: RegExp;
  readonly rule: string;
}

/** Shows what an id names. An id that cannot exist is refused at once, without a request. */
export function Named({
  name,
  by: { pattern, rule },
  children,
}: {
  readonly name: string;
  readonly by: NameRule;
  readonly children: ReactNode;
}) {
  if (pattern.test(name)) return children;
  return (
    <Empty title="This link is not valid">
      <p>{rule} The link may have been cut short.</p>
    </Empty>
  );
}
