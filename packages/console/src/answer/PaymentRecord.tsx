import type { CapabilityResult } from "@assay/protocol";
import type { ReactNode } from "react";
import { Link } from "../routing/router.js";
import { cacheWords } from "../ui/cacheWords.js";
import { Facts } from "../ui/Facts.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { listPaymentDifferences, type ToldPayment } from "./listPaymentDifferences.js";

interface Props {
  readonly answer: CapabilityResult;
  readonly payment: ToldPayment;
  /** Then nothing is repeated of what the answer says about its price. */
  readonly isRefused: boolean | undefined;
  readonly children: ReactNode;
}

/** What was paid for an answer, as it was signed, and where its record is found. */
export function PaymentRecord({ answer, payment, isRefused, children }: Props) {
  const { pricing, invocationId, evidenceReference } = answer;
  const { signed, settlement } = payment;
  const differing = listPaymentDifferences(payment);
  const isAgreed = (name: string) => !differing.includes(name);
  return (
    <section>
      <h3>Payment and record</h3>
      {differing.length > 0 && (
        <p className="bad" role="alert">
          <strong>The receipt is not of the payment that was signed and answered:</strong> they differ in{" "}
          {differing.join(", ")}. Neither is shown. Look your payment up on the chain.
        </p>
      )}
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
                "Private: nobody else can look it up"
              )}{" "}
              <Hash value={evidenceReference.artifactId} label="artifact id" />
            </>,
          ],
        ]}
      />
      {children}
    </section>
  );
}

function describeCache({ quotedCacheStatus, actualCacheStatus }: CapabilityResult["pricing"]): string {
  const later =
    actualCacheStatus === quotedCacheStatus
      ? ""
      : ` when it was quoted and ${cacheWords[actualCacheStatus]} when it came`;
  return `for an answer that was ${cacheWords[quotedCacheStatus]}${later}`;
}
