import "../styles/recorded.css";
import { Link } from "../routing/router.js";
import { recordedAnswers } from "./recordedAnswers.js";

/** Links to real answers of a capability that can be opened and checked without a wallet. */
export function RecordedList({ of: id }: { readonly of: string }) {
  const shown = recordedAnswers.filter(({ capabilityId }) => capabilityId === id);
  if (shown.length === 0) return null;
  return (
    <p className="recorded-list">
      <span className="soft">Without a wallet</span>
      {shown.map(({ name }, place) => (
        <Link key={name} href={`/recorded/${name}`} className="recorded-link">
          {nameOf(name, place)}
        </Link>
      ))}
    </p>
  );
}

/** By the verdict that the file is kept for, or the part of it that is special. */
function nameOf(name: string, place: number): string {
  const [, special] = /\.(allow|review|block|refreshed|claim-not-found)$/.exec(name) ?? [];
  if (special === undefined) return place === 0 ? "Recorded answer" : "Another recorded answer";
  return ["allow", "review", "block"].includes(special)
    ? `Recorded: ${special}`
    : `Recorded: ${special.replaceAll("-", " ")}`;
}
