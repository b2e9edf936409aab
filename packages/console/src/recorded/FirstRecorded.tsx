import "../styles/recorded.css";
import { Link } from "../routing/router.js";

/** What a visitor sees first of them: answers that show what the verdicts are for. Named here, so that the start page loads no list. */
const first: readonly (readonly [name: string, words: string])[] = [
  ["transaction.intent.guard.review", "An approval without a limit"],
  ["token.launch.guard.review", "A token whose owner has powers"],
  ["contract.guard.block", "A paused contract"],
  ["web.compile.block", "A page with hidden commands"],
  ["lending.collateral.guard.block", "A loan that does not hold"],
];

/** Links to real answers that can be opened and checked without a wallet. */
export const FirstRecorded = () => (
  <p className="recorded-list">
    <span className="soft">Recorded answers, without a wallet</span>
    {first.map(([name, words]) => (
      <Link key={name} href={`/recorded/${name}`} className="recorded-link">
        {words}
      </Link>
    ))}
  </p>
);
