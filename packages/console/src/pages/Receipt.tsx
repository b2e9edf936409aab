import { findCapability } from "@assay/client";
import { cacheWords, type Receipt } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BoughtList } from "../purchase/BoughtList.js";
import { ReceiptState } from "../receipt/ReceiptState.js";
import { Link } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { assay } from "../service/assay.js";
import { Facts } from "../ui/Facts.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Lookup } from "../ui/Lookup.js";
import { Moment } from "../ui/Moment.js";
import { Named } from "../ui/Named.js";
import { receiptName } from "../ui/names.js";
import { Fetched } from "../ui/Status.js";
import { receiptPlan } from "../verify/checkStep.js";
import { SavedInput } from "../verify/SavedInput.js";
import { type OnArrival, useArrivalCheck } from "../verify/useArrivalCheck.js";
import { useGiven } from "../verify/useGiven.js";
import { VerifyPanel } from "../verify/VerifyPanel.js";
import "../styles/records.css";
import "../styles/verify.css";

/** A receipt by its id, or a form that asks for one. */
export default function ReceiptPage({ params: { id } }: PageProps) {
  return (
    <div className="page">
      <h1>{id ? "Receipt" : "Receipts"}</h1>
      {id ? (
        <Named name={id} by={receiptName}>
          <OneReceipt id={id} />
        </Named>
      ) : (
        <>
          <p className="lead">
            Every paid call has a receipt: the state of the payment, and its entry in the log.
          </p>
          <Lookup
            label="Receipt id, the end of an answer's receipt link"
            placeholder="inv_…"
            by={receiptName}
            path="/receipts"
          />
          <BoughtList
            nothing="What you buy in this tab is listed here."
            nameOf={({ invocationId }) => invocationId}
            path="/receipts"
          />
        </>
      )}
    </div>
  );
}

function OneReceipt({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: ["receipt", id], queryFn: () => assay.receipt(id) });
  return (
    <Fetched query={query} what="the receipt">
      {(receipt) => <ReceiptView receipt={receipt} />}
    </Fetched>
  );
}

const receiptOnArrival: OnArrival<Receipt> = {
  plan: receiptPlan,
  check: ({ checkReceipt }, receipt, keys) => checkReceipt(receipt, keys),
};

function ReceiptView({ receipt }: { readonly receipt: Receipt }) {
  const [given, take] = useGiven();
  const { check, steps, record } = useArrivalCheck(receipt, receiptOnArrival);
  const isRefused = check === "refused";
  return (
    <>
      <ReceiptState receipt={receipt} check={check} />
      <div className={isRefused ? "columns refused-receipt" : "columns"}>
        <section className="card">
          <h2>Money</h2>
          <Money receipt={receipt} />
        </section>
        <section className="card">
          <h2>Call</h2>
          <Call receipt={receipt} />
        </section>
      </div>
      <h2>Check it</h2>
      <p>
        The receipt carries its own proof: its entry in the log and the path from there to a head the log's
        key signed.
      </p>
      <VerifyPanel saved={receipt} known={steps} isAutomatic={isRefused} onChecked={record} />
      {receipt.state === "settled" && (
        <section className="stack">
          <h2>With the answer it paid for</h2>
          <SavedInput what="the saved answer" onSaved={take} />
          {given && (
            <VerifyPanel key={given.turn} saved={{ answer: unpair(given.value), receipt }} isAutomatic />
          )}
        </section>
      )}
    </>
  );
}

/** This page's receipt takes the place of the file's own. */
const unpair = (value: unknown) =>
  typeof value === "object" && value !== null && "answer" in value ? value.answer : value;

function describeSource({ actualCacheStatus, quotedCacheStatus }: Receipt["pricing"]): string {
  const words = cacheWords[actualCacheStatus];
  return actualCacheStatus === quotedCacheStatus
    ? words
    : `${words}; the price was for one ${cacheWords[quotedCacheStatus]}`;
}

function Money({ receipt: { pricing, payment, charged } }: { readonly receipt: Receipt }) {
  return (
    <Facts
      rows={[
        ["Paid", <strong key="paid">{formatUsd(pricing.pricePaidUsd)}</strong>],
        ["Charged", charged === null ? "not yet known" : charged ? "yes" : "no"],
        ["List price", formatUsd(pricing.listPriceUsd)],
        ["Credit", formatUsd(pricing.creditAppliedUsd)],
        ["Answer", describeSource(pricing)],
        ["Payer", <Hash key="payer" value={payment.payer} label="payer" />],
        ["Paid to", <Hash key="to" value={payment.payTo} label="payee" />],
        ["Token", <Hash key="asset" value={payment.asset} label="token" />],
        [
          "Transaction",
          payment.transaction && <Hash key="tx" value={payment.transaction} label="transaction" />,
        ],
        ...listVoucher(payment.channel),
        [
          "Authorization",
          <Hash key="nonce" value={payment.authorizationNonce} label="authorization nonce" />,
        ],
      ]}
    />
  );
}

/** A payment from a channel: the payer's signature, and whether the service has claimed it on the chain. */
function listVoucher(channel: Receipt["payment"]["channel"]): (readonly [string, ReactNode])[] {
  if (!channel) return [];
  const { voucher, isClaimed, claimTransaction } = channel;
  return [
    ["Channel", <Hash key="channel" value={voucher.channelId} label="channel id" />],
    [
      "Voucher",
      `${formatUsd(Number(voucher.maxClaimableAmount) / 1e6)} in all, for this call and earlier ones`,
    ],
    [
      "Claimed",
      claimTransaction ? (
        <Hash key="claim" value={claimTransaction} label="transaction of the claim" />
      ) : isClaimed ? (
        "yes"
      ) : (
        "not yet: the service holds the signature"
      ),
    ],
  ];
}

function Call({ receipt }: { readonly receipt: Receipt }) {
  const { capabilityId, capabilityVersion, resultHash, artifactId, x402ReceiptHash, log } = receipt;
  return (
    <Facts
      rows={[
        [
          "Question",
          <span key="capability">
            <Link href={`/capabilities/${capabilityId}`}>
              {findCapability(capabilityId)?.title ?? capabilityId}
            </Link>{" "}
            <small className="soft mono">
              {capabilityId} {capabilityVersion}
            </small>
          </span>,
        ],
        ["Invocation", <Hash key="id" value={receipt.invocationId} label="invocation id" />],
        ["Begun", <Moment key="begun" at={receipt.createdAt} />],
        ["Settled", receipt.settledAt && <Moment key="settled" at={receipt.settledAt} />],
        ["Result hash", resultHash && <Hash key="result" value={resultHash} label="result hash" />],
        [
          "Artifact",
          artifactId && (
            <>
              <Hash value={artifactId} label="artifact id" />{" "}
              {findCapability(capabilityId)?.reuse === "shared" ? (
                <Link href={`/evidence/${artifactId}`}>evidence</Link>
              ) : (
                <span className="soft">private: not available to anyone else</span>
              )}
            </>
          ),
        ],
        [
          "x402 receipt",
          x402ReceiptHash && <Hash key="x402" value={x402ReceiptHash} label="x402 receipt hash" />,
        ],
        ["Quote", receipt.quoteId && <Hash key="quote" value={receipt.quoteId} label="quote id" />],
        ["Called by the payer", receipt.paymentIdentifier],
        [
          "Log entry",
          log && (
            <Link key="log" href={`/log?entry=${log.index}`}>
              {log.index} of {log.size}
            </Link>
          ),
        ],
      ]}
    />
  );
}
