import { type CapabilityResult, cacheWords } from "@assay/protocol";
import type { ReactNode } from "react";
import { Link } from "../routing/router.js";
import { Facts } from "../ui/Facts.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { listPaymentDifferences, type ReportedPayment } from "./listPaymentDifferences.js";

interface Props {
  readonly answer: CapabilityResult;
  readonly payment: ReportedPayment;
  /** A refused answer's own statement of its price is not repeated. */
  readonly isRefused: boolean | undefined;
  readonly children: ReactNode;
}

/** The payment for an answer, as it was signed, and links to its records. */
export function PaymentRecord({ answer, payment, isRefused, children }: Props) {
  const { pricing, invocationId, evidenceReference } = answer;
  const { signed, settlement } = payment;
  const differing = listPaymentDifferences(payment);
  const isAgreed = (name: string) => !differing.includes(name);
  return (
    <section className="payment-record">
      {differing.length > 0 && (
        <p className="bad" role="alert">
          <strong>The receipt is not of the payment that was signed and answered:</strong> they differ in{" "}
          {differing.join(", ")}. Neither is shown. Check your payment on the chain.
        </p>
      )}
      <details>
        <summary>Payment and record</summary>
        <Facts
          rows={[
            [
              "Paid",
              <>
                <span className="mono">{formatUsd(signed?.priceUsd ?? pricing.pricePaidUsd)}</span>
                {!isRefused && `, ${describeCache(pricing)}`}
              </>,
            ],
            [
              "Paid to",
              signed && isAgreed("payee") ? <Hash key="to" value={signed.payTo} label="payee" /> : null,
            ],
            [
              "Transaction",
              settlement && isAgreed("transaction") ? (
                <Hash key="tx" value={settlement.transaction} label="transaction hash" />
              ) : null,
            ],
            [
              "Receipt",
              <Link key="receipt" href={`/receipts/${invocationId}`} className="mono">
                {invocationId}
              </Link>,
            ],
            [
              "Evidence",
              <>
                {evidenceReference.shareable ? (
                  <Link href={`/evidence/${evidenceReference.artifactId}`}>Open the public evidence</Link>
                ) : (
                  "Private: not available to anyone else"
                )}{" "}
                <Hash value={evidenceReference.artifactId} label="artifact id" />
              </>,
            ],
          ]}
        />
      </details>
      {children}
    </section>
  );
}

function describeCache({ quotedCacheStatus, actualCacheStatus }: CapabilityResult["pricing"]): string {
  return actualCacheStatus === quotedCacheStatus
    ? `for an answer ${cacheWords[quotedCacheStatus]}`
    : `for an answer quoted as ${cacheWords[quotedCacheStatus]} and delivered as ${cacheWords[actualCacheStatus]}`;
}
