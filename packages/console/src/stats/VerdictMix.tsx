import { count } from "../ui/format.js";

interface Props {
  readonly verdicts: {
    readonly allow: number;
    readonly review: number;
    readonly block: number;
    readonly none: number;
  };
}

const kinds = [
  ["allow", "Allow"],
  ["review", "Review"],
  ["block", "Block"],
  ["none", "No verdict kept"],
] as const;

/** How many calls ended with which verdict, drawn as one bar and written as a list. */
export function VerdictMix({ verdicts }: Props) {
  const all = kinds.reduce((sum, [kind]) => sum + verdicts[kind], 0);
  const shown = kinds.filter(([kind]) => verdicts[kind] > 0);
  return (
    <div className="verdict-mix">
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        {shown.map(([kind], place) => {
          const before = shown.slice(0, place).reduce((sum, [other]) => sum + verdicts[other], 0);
          return (
            <rect
              key={kind}
              className={`mix-${kind}`}
              x={(before * 1000) / all}
              width={(verdicts[kind] * 1000) / all}
              height="24"
            />
          );
        })}
      </svg>
      <ul>
        {shown.map(([kind, name]) => (
          <li key={kind}>
            <span className={`mix-key mix-${kind}`} aria-hidden="true" />
            {name}: <strong>{verdicts[kind]}</strong>{" "}
            <span className="soft">{Math.round((100 * verdicts[kind]) / all)} %</span>
          </li>
        ))}
      </ul>
      <p className="visually-hidden">{count(all, "call")} in all.</p>
    </div>
  );
}
