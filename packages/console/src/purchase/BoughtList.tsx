import { Link } from "../routing/router.js";
import { useInTab } from "../service/keepInTab.js";
import { shorten } from "../ui/format.js";
import { type BoughtRecord, PLACE_OF_RECORDS } from "./listBought.js";

interface Props {
  readonly nothing: string;
  /** The id that the purchase's page has; undefined where it has none. */
  nameOf(bought: BoughtRecord): string | undefined;
  readonly path: string;
}

/** The purchases of this tab, each with a link to its page. */
export function BoughtList({ nothing, nameOf, path }: Props) {
  const records = useInTab<BoughtRecord[]>(PLACE_OF_RECORDS) ?? [];
  // A shared answer may have been bought twice.
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
              {/* No colour: the verdict is not checked here, and may have ended. */}
              <span className="tag">{verdict}</span>{" "}
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
