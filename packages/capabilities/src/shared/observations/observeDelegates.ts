import { absent, type Reading, unanswered, valueReading } from "@assay/protocol";
import type { ProgramReading } from "../machine/programReading.js";
import type { DelegationReading } from "../proxies/delegationReading.js";

interface Executed {
  readonly program: ProgramReading | null;
  readonly delegation: DelegationReading;
  /** Of a fixed target that passes calls on over the storage of this address; null where there is none. */
  readonly inner: DelegationReading | null;
}

/** What the code runs when it is followed, whichever layout it has, as one line of text. */
export function observeDelegates({ program, delegation, inner }: Executed): Reading<string> {
  const all = inner ? [delegation, inner] : [delegation];
  const missing = all.find(({ outcome }) => outcome === "unread" || outcome === "unresolved");
  if (missing) return unanswered(missing.outcome);
  // Where calls are passed on, what finally runs counts, and not how it was found.
  const targets = all.flatMap(({ target }) => target ?? []);
  const parts = (program?.delegations ?? []).flatMap(({ isFallback, slot }) =>
    isFallback ? [] : (slot ?? []),
  );
  const stored = delegation.slots.flatMap(({ slot, value }) =>
    parts.includes(slot) && value.status === "value" ? [`${slot}=${value.value}`] : [],
  );
  return targets.length + stored.length === 0 ? absent : valueReading([...targets, ...stored].join(" "));
}
