import { PaymentOutcomeUnknownError, type PreparedPayment, type Settlement } from "@assay/client";
import type { CapabilityId, CapabilityResult } from "@assay/protocol";
import { useState } from "react";
import { assay } from "../service/assay.js";
import { dropFromTab, findInTab, keepInTab } from "../service/keepInTab.js";
import type { Payer } from "../wallet/Payer.js";
import type { Price } from "./usePrice.js";

export interface Bought {
  readonly answer: CapabilityResult;
  readonly settlement: Settlement | null;
  /** True for what this page has just paid for, false for what the tab has kept. */
  readonly isNew?: boolean | undefined;
}

export interface Purchase {
  readonly step: "idle" | "signing" | "sending";
  /** What ended the last attempt; unless a payment is doubtful, nothing was charged. */
  readonly failure: unknown;
  /** A payment that was sent and may have been charged; nothing new is signed while there is one. */
  readonly doubtful: PreparedPayment | undefined;
  readonly bought: Bought | undefined;
  pay(payer: Payer, price: Price, input: object): Promise<void>;
  /** Sends the very same payment, which is charged once however often it arrives. */
  sendAgain(): Promise<void>;
  /** Only for a payment whose authorization has run out. */
  forget(): void;
}

/** Signs, sends, and keeps in this tab what must not be lost on the way. */
export function usePurchase(id: CapabilityId): Purchase {
  const names = { payment: `assay.payment.${id}`, answer: `assay.answer.${id}` };
  const [step, setStep] = useState<Purchase["step"]>("idle");
  const [failure, setFailure] = useState<unknown>();
  const [doubtful, setDoubtful] = useState(() => findInTab<PreparedPayment>(names.payment));
  const [bought, setBought] = useState(() => findInTab<Bought>(names.answer));

  const forget = () => {
    dropFromTab(names.payment);
    setDoubtful(undefined);
  };

  async function send(prepared: PreparedPayment, wasSent: boolean): Promise<void> {
    setStep("sending");
    try {
      const { answer, settlement } = await assay.send(prepared, { wasSent });
      keepInTab(names.answer, { answer, settlement });
      setBought({ answer, settlement, isNew: true });
      forget();
    } catch (error) {
      if (error instanceof PaymentOutcomeUnknownError) setDoubtful(prepared);
      else forget();
      setFailure(error);
    } finally {
      setStep("idle");
    }
  }

  return {
    step,
    failure,
    doubtful,
    bought,
    async pay(payer, { quote, usd }, input) {
      setStep("signing");
      setFailure(undefined);
      let prepared: PreparedPayment;
      try {
        prepared = quote
          ? await payer.client.prepare(quote)
          : await payer.client.prepareUnquoted(id, input as never, { maxPriceUsd: usd });
      } catch (error) {
        setFailure(error);
        setStep("idle");
        return;
      }
      // Before it leaves: a tab that dies while it waits must still have it.
      keepInTab(names.payment, prepared);
      await send(prepared, false);
    },
    async sendAgain() {
      if (doubtful) await send(doubtful, true);
    },
    forget,
  };
}
