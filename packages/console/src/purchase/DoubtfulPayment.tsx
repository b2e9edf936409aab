import { type AnyPreparedPayment, OtherAnswerError } from "@assay/client";
import { formatUsd } from "../ui/format.js";
import { useNow } from "../ui/useNow.js";
import type { KeptPayment } from "./useKeptPayment.js";

/** Offers the only safe way on from a payment whose outcome is unknown. */
export function DoubtfulPayment({
  payment,
  purchase,
  failure,
}: {
  readonly payment: AnyPreparedPayment;
  readonly purchase: Pick<KeptPayment<AnyPreparedPayment>, "sendAgain" | "forget">;
  /** The error of the last attempt; not known after a reload. */
  readonly failure: unknown;
}) {
  const refused = findRefused(failure);
  const hasRunOut = useNow() > Date.parse(payment.validBefore);
  return (
    <div className="notice notice-doubt" role="alert">
      <p className="notice-title">It is not known whether {formatUsd(payment.priceUsd)} was charged</p>
      <p>
        {refused
          ? `The payment was signed and sent. An answer came and was refused: ${refused.message}`
          : "The payment was signed and sent, and no answer was accepted."}{" "}
        Send the same payment again: it is charged once, however often it arrives. Nothing new is signed until
        this is settled.
      </p>
      <button type="button" onClick={() => void purchase.sendAgain()}>
        Send the same payment again
      </button>
      {hasRunOut && (
        <button type="button" className="quiet" onClick={purchase.forget}>
          Its authorization has run out: forget it
        </button>
      )}
    </div>
  );
}

const findRefused = (failure: unknown) =>
  failure instanceof Error && failure.cause instanceof OtherAnswerError ? failure.cause : undefined;
