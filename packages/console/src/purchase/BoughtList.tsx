import { Link } from "../routing/router.js";
import { useInTab } from "../service/keepInTab.js";
import { shorten } from "../ui/format.js";
import { type BoughtRecord, PLACE_OF_RECORDS } from "./listBought.js";

interface Props {
  readonly nothing: string;
  /** What the page of this purchase is called; undefined where it has none. */
  nameOf(bought: BoughtRecord): string | undefined;
  readonly path: string;
}

/** What this tab has bought, as a way to its pages. */
export function BoughtList({ nothing, nameOf, path }: Props) {
  const records = useInTab<BoughtRecord[]>(PLACE_OF_RECORDS) ?? [];
  // An answer that is shared may have been bought twice.
  const named = new Map<string, BoughtRecord>();
  for (const record of records) {
    const name = nameOf(record);
    if (name !== undefined && !named.has(name)) named.set(name, record);
  }
  return (
    <section className="stack">
      <h2>Bought in this tab</h2>
      {named.size === 0 ? (
        <p className="soft">
          {nothing} <Link href="/">Ask something</Link>.
        </p>
      ) : (
        <ul className="bought">
          {[...named].map(([name, { capabilityId, verdict, computedAtBlock }]) => (
            <li key={name}>
              <Link href={`${path}/${encodeURIComponent(name)}`}>{capabilityId}</Link>{" "}
              {/* Neither checked here nor known to hold still: no colour. */}
              <span className="tag">said {verdict}</span>{" "}
              <span className="soft">
                at block <span className="mono">{computedAtBlock}</span>,{" "}
                <span className="mono">{shorten(name)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
