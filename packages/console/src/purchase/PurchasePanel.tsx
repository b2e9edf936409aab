import { type CapabilityId, getCapability } from "@assay/client";
import type { CapabilityEntry } from "@assay/protocol";
import type { UseQueryResult } from "@tanstack/react-query";
import "../styles/purchase.css";
import type { CheckedInput } from "../form/checkInput.js";
import { useHealth } from "../service/assay.js";
import { Failure } from "../ui/Status.js";
import { useTrust } from "../verify/anchors.js";
import { KeyWarning } from "../verify/KeyWarning.js";
import { openWalletMenu, usePayer } from "../wallet/Payer.js";
import { DoubtfulPayment } from "./DoubtfulPayment.js";
import { isAbout } from "./isAbout.js";
import { PriceTag } from "./PriceTag.js";
import type { Price } from "./usePrice.js";
import type { Purchase } from "./usePurchase.js";
import { useSecondsLeft } from "./useSecondsLeft.js";

interface Props {
  readonly id: CapabilityId;
  readonly entry: CapabilityEntry | undefined;
  readonly checked: CheckedInput;
  readonly price: UseQueryResult<Price>;
  readonly purchase: Purchase;
}

/** The price, how long it is valid, and the one button that pays it. */
export function PurchasePanel({ id, entry, checked, price, purchase }: Props) {
  const { payer } = usePayer();
  const secondsLeft = useSecondsLeft(price.data?.quote?.expiresAt);
  const { step, failure, doubtful } = purchase;
  const isBusy = step !== "idle";
  const isAnswered = purchase.bought !== undefined && isAbout(id, purchase.bought.answer, checked);
  const trust = useTrust();
  const isDown = useHealth().error !== null;
  return (
    <section className="card purchase" aria-label="Price and payment">
      <KeyWarning trust={trust} />
      <PriceTag
        entry={entry}
        checked={checked}
        price={price}
        secondsLeft={secondsLeft}
        needsWallet={!payer && getCapability(id).asksForWallet}
      />
      {doubtful && !isBusy ? (
        <DoubtfulPayment payment={doubtful} purchase={purchase} failure={failure} />
      ) : !payer ? (
        <>
          <button type="button" onClick={openWalletMenu}>
            Choose a wallet to pay
          </button>
          <p className="soft">Your wallet is your account: nothing else is needed.</p>
        </>
      ) : secondsLeft === 0 && !isBusy ? (
        <button type="button" onClick={() => void price.refetch()} disabled={price.isFetching}>
          Renew the price
        </button>
      ) : (
        <button
          type="button"
          className={isAnswered && !isBusy ? "quiet" : undefined}
          disabled={isBusy || isDown || !checked.ok || !price.data}
          onClick={() => {
            if (!checked.ok || !price.data) return;
            // A quote is good for one payment, so the next one has a price of its own.
            void purchase.pay(payer, price.data, checked.input).then(() => price.refetch());
          }}
        >
          {step === "signing"
            ? "Waiting for the signature…"
            : step === "sending"
              ? "Paying and judging…"
              : isAnswered
                ? "Pay and ask again"
                : "Pay and ask"}
        </button>
      )}
      {isDown && (
        <p className="bad" role="status">
          The service does not answer. Paying waits until it does.
        </p>
      )}
      {payer && !doubtful && (
        <p className="soft">
          {payer.kind === "test" ? (
            <>
              <strong className="tag play">play money</strong> {payer.label}, on the local chain.
            </>
          ) : (
            <>Paid by {payer.label} in USDC on Base. You sign an authorization, not a transaction.</>
          )}
        </p>
      )}
      {failure !== undefined && !isBusy && !doubtful && <Failure error={failure} />}
    </section>
  );
}
