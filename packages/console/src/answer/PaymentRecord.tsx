import type { Settlement } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import type { ReactNode } from "react";
import { Link } from "../routing/router.js";
import { cacheWords } from "../ui/cacheWords.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";

interface Props {
  readonly answer: CapabilityResult;
  readonly settlement: Settlement | null | undefined;
  readonly children: ReactNode;
}

/** What was paid for an answer, and where its record is found. */
export function PaymentRecord({ answer, settlement, children }: Props) {
  const { pricing, invocationId, evidenceReference } = answer;
  return (
    <section>
      <h3>Payment and record</h3>
      <dl className="facts">
        <dt>Paid</dt>
        <dd>
          <span className="mono">{formatUsd(pricing.pricePaidUsd)}</span>, for an answer that was{" "}
          {cacheWords[pricing.quotedCacheStatus]}
          {pricing.actualCacheStatus !== pricing.quotedCacheStatus &&
            ` when it was quoted and ${cacheWords[pricing.actualCacheStatus]} when it came`}
        </dd>
        {settlement && (
          <>
            <dt>Transaction</dt>
            <dd>
              <Hash value={settlement.transaction} label="transaction hash" />
            </dd>
          </>
        )}
        <dt>Receipt</dt>
        <dd>
          <Link href={`/receipts/${invocationId}`} className="mono">
            {invocationId}
          </Link>
        </dd>
        <dt>Evidence</dt>
        <dd>
          {evidenceReference.shareable ? (
            <Link href={`/evidence/${evidenceReference.artifactId}`}>Open the public evidence</Link>
          ) : (
            "Private: nobody else can look it up"
          )}{" "}
          <Hash value={evidenceReference.artifactId} label="artifact id" />
        </dd>
      </dl>
      {children}
    </section>
  );
}
