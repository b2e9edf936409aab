import type { ReactNode } from "react";
import { Empty } from "./Status.js";

/** How the name of one kind of thing is written. */
export interface NameRule {
  readonly pattern: RegExp;
  readonly rule: string;
}

/** Shows what a name stands for; what cannot be a name is said at once, without asking anybody. */
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
    <Empty title="There can be nothing here">
      <p>{rule} Perhaps the address was cut short.</p>
    </Empty>
  );
}
