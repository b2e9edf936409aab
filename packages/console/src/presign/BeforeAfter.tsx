import { formatAmount } from "../ui/format.js";

interface Props {
  readonly before: bigint;
  readonly after: bigint;
  readonly decimals: number | undefined;
  readonly label: string;
  readonly names?: readonly [string, string];
}

const UNLIMITED = 2n ** 159n;
const WIDTH = 1_000n;

/** Two bars on one scale and their figures. */
export function BeforeAfter({ before, after, decimals, label, names = ["before", "after"] }: Props) {
  const most = before > after ? before : after;
  const widthOf = (amount: bigint) =>
    // Any amount above zero stays visible.
    most === 0n || amount === 0n ? 0 : Math.max(6, Number((amount * WIDTH) / most));
  const figure = (amount: bigint) => (amount >= UNLIMITED ? "unlimited" : formatAmount(amount, decimals));
  return (
    <dl className="before-after" aria-label={label}>
      {(
        [
          [names[0], before],
          [names[1], after],
        ] as const
      ).map(([when, amount]) => (
        <div key={when} className="bar-row">
          <dt>{when}</dt>
          <dd>
            <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className="bar-ground" width="1000" height="10" />
              <rect
                className={amount >= UNLIMITED ? "bar-fill bar-unlimited" : "bar-fill"}
                width={widthOf(amount)}
                height="10"
              />
            </svg>
            <span className={amount >= UNLIMITED ? "mono warn" : "mono"}>{figure(amount)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
