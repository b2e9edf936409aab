import type { CapabilityResult } from "@assay/protocol";
import { useState } from "react";
import { Link } from "../routing/router.js";
import { shorten } from "../ui/format.js";
import { listBought } from "./listBought.js";

interface Props {
  readonly nothing: string;
  /** What the page of this answer is called; undefined where it has none. */
  nameOf(answer: CapabilityResult): string | undefined;
  readonly path: string;
}

/** What this tab has bought, as a way to its pages. */
export function BoughtList({ nothing, nameOf, path }: Props) {
  const [answers] = useState(listBought);
  const named = answers.flatMap((answer) => {
    const name = nameOf(answer);
    return name === undefined ? [] : [{ name, answer }];
  });
  return (
    <section className="stack">
      <h2>Bought in this tab</h2>
      {named.length === 0 ? (
        <p className="soft">
          {nothing} <Link href="/">Ask something</Link>.
        </p>
      ) : (
        <ul className="bought">
          {named.map(({ name, answer: { capabilityId, verdict, result } }) => (
            <li key={name}>
              <Link href={`${path}/${encodeURIComponent(name)}`}>{capabilityId}</Link>{" "}
              {/* Neither checked here nor known to hold still: no colour. */}
              <span className="tag">said {verdict}</span>{" "}
              <span className="soft">
                at block <span className="mono">{result.computedAtBlock}</span>,{" "}
                <span className="mono">{shorten(name)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
