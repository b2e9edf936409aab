import { formatAmount } from "../ui/format.js";
import { Icon } from "../ui/Icon.js";

interface Props {
  readonly before: bigint;
  readonly after: bigint;
  readonly decimals: number | undefined;
  readonly symbol: string;
  /** The balance after it in dollars, where a price is known. */
  readonly worthAfter?: string | undefined;
}

const UNLIMITED = 2n ** 159n;
const WIDTH = 1_000n;

/** A balance before and after, and a bar for the part of the larger one that the smaller one is. */
export function BeforeAfter({ before, after, decimals, symbol, worthAfter }: Props) {
  const [most, least] = before > after ? [before, after] : [after, before];
  const figure = (amount: bigint) => (amount >= UNLIMITED ? "unlimited" : formatAmount(amount, decimals));
  // Neither a small rest nor a small difference is drawn as nothing.
  const kept = most === 0n ? 0 : Number((least * WIDTH) / most);
  const width = least === 0n ? 0 : least === most ? 1_000 : Math.min(990, Math.max(10, kept));
  return (
    <div className="before-after">
      <p className="before-after-figures">
        <span className="soft">You have</span> {figure(before)}{" "}
        <span className="visually-hidden">before, </span>
        <Icon name="becomes" /> <strong>{figure(after)}</strong> {symbol}
        <span className="visually-hidden"> after</span>
        {worthAfter && ` (${worthAfter})`}
      </p>
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect
          className={before > after ? "bar-lost" : "bar-won"}
          width={most === 0n ? 0 : 1_000}
          height="10"
        />
        <rect className="bar-kept" width={width} height="10" />
      </svg>
    </div>
  );
}
