import type { CacheStatus, CapabilityEntry } from "@assay/protocol";
import type { UseQueryResult } from "@tanstack/react-query";
import type { CheckedInput } from "../form/checkInput.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Failure } from "../ui/Status.js";
import { doubtPrice } from "./doubtPrice.js";
import type { Price } from "./usePrice.js";

/** Two lines at most: a third would push the answer down. */
const statuses: Record<CacheStatus, string> = {
  hit: "Somebody asked the same just now: a copy costs less.",
  partial: "Its code was examined before; only what changes is read now.",
  miss: "Read and computed for you at the newest block.",
};

interface Props {
  readonly entry: CapabilityEntry | undefined;
  readonly checked: CheckedInput;
  readonly price: UseQueryResult<Price>;
  readonly secondsLeft: number | undefined;
  /** Whether the service quotes this price only to a wallet, and none is chosen. */
  readonly needsWallet: boolean;
}

/** The price of the call now, the reason for it, and how long it is valid; the catalog's range until that is known. */
export function PriceTag({ entry, checked, price, secondsLeft, needsWallet }: Props) {
  if (price.error && checked.ok) return <Failure error={price.error} retry={() => void price.refetch()} />;
  const known = checked.ok ? price.data : undefined;
  // A quote that contradicts the catalog is not repeated.
  const doubt = known && entry && doubtPrice(known, entry, secondsLeft);
  const status = doubt
    ? undefined
    : (known?.quote?.cacheStatus ?? (known && entry && findStatus(known.usd, entry)));
  return (
    <div className="price" aria-live="polite" aria-busy={price.isFetching}>
      <p className="price-figure mono">{known ? formatUsd(known.usd) : entry ? describeRange(entry) : "…"}</p>
      <p className="price-payee soft">
        {known && (
          <>
            to <Hash value={known.payTo} label="payee" />
          </>
        )}
      </p>
      <p className="price-why">
        {doubt && (
          <span className="bad">
            <strong>Doubtful price.</strong> {doubt}
          </span>
        )}
        {known
          ? status && statuses[status]
          : checked.ok
            ? needsWallet
              ? "Choose a wallet to see the exact price."
              : "Asking for the exact price…"
            : "Complete the input to see the exact price."}
      </p>
      <p className="price-clock soft">{doubt ? " " : describeClock(known, secondsLeft)}</p>
    </div>
  );
}

/** The plain challenge states only a price; the catalog has its meaning. */
function findStatus(usd: number, { pricing, reuse }: CapabilityEntry): CacheStatus | undefined {
  if (reuse === "private") return "miss";
  if (usd === pricing.cacheMissUsd) return "miss";
  if (usd === pricing.cacheHitUsd) return "hit";
  return usd === pricing.fingerprintHitUsd ? "partial" : undefined;
}

function describeClock(price: Price | undefined, secondsLeft: number | undefined): string {
  if (!price) return " ";
  const { quote } = price;
  if (!quote || secondsLeft === undefined) return "For any wallet; a chosen wallet may hold credit.";
  const credit =
    quote.creditAppliedUsd > 0
      ? `List ${formatUsd(quote.listPriceUsd)} less credit ${formatUsd(quote.creditAppliedUsd)}. `
      : "";
  return secondsLeft === 0
    ? `${credit}This price has expired.`
    : `${credit}The price is valid for ${secondsLeft} s.`;
}

export function describeRange({ pricing }: Pick<CapabilityEntry, "pricing">): string {
  const [least, most] = [pricing.cacheHitUsd, pricing.cacheMissUsd];
  return least === most ? formatUsd(most) : `${formatUsd(least)} – ${formatUsd(most)}`;
}
