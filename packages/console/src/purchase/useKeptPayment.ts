import { type AnyPreparedPayment, PaymentOutcomeUnknownError } from "@assay/client";
import { useEffect, useRef, useState } from "react";
import { dropFromTab, findInTab, keepInTab } from "../service/keepInTab.js";

export interface KeptPayment<Prepared extends AnyPreparedPayment> {
  readonly step: "idle" | "signing" | "sending";
  /** What ended the last attempt; unless a payment is doubtful, nothing was charged. */
  readonly failure: unknown;
  /** A payment that was sent and may have been charged; nothing new is signed while there is one. */
  readonly doubtful: Prepared | undefined;
  /** Signs a new payment and sends it. */
  pay(prepare: () => Promise<Prepared>): Promise<void>;
  /** Sends the very same payment, which is charged once however often it arrives. */
  sendAgain(): Promise<void>;
  /** Only for a payment whose authorization has run out. */
  forget(): void;
}

interface Sending<Prepared> {
  /** Where this tab keeps the payment until its outcome is known. */
  readonly place: string;
  send(prepared: Prepared, options: { readonly wasSent: boolean }): Promise<void>;
}

/** Signs and sends one payment, and keeps it in this tab for as long as it may have been charged unanswered. */
export function useKeptPayment<Prepared extends AnyPreparedPayment>({
  place,
  send,
}: Sending<Prepared>): KeptPayment<Prepared> {
  const [step, setStep] = useState<KeptPayment<Prepared>["step"]>("idle");
  const [failure, setFailure] = useState<unknown>();
  const [doubtful, setDoubtful] = useState(() => findInTab<Prepared>(place));
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const forget = () => {
    dropFromTab(place);
    setDoubtful(undefined);
  };
  const attempt = async (prepared: Prepared, wasSent: boolean) => {
    setStep("sending");
    setFailure(undefined);
    try {
      await send(prepared, { wasSent });
      forget();
    } catch (error) {
      if (error instanceof PaymentOutcomeUnknownError) setDoubtful(prepared);
      else forget();
      setFailure(error);
    } finally {
      setStep("idle");
    }
  };
  return {
    step,
    failure,
    doubtful,
    async pay(prepare) {
      if (doubtful || step !== "idle") return;
      setStep("signing");
      setFailure(undefined);
      let prepared: Prepared;
      try {
        prepared = await prepare();
      } catch (error) {
        setFailure(error);
        setStep("idle");
        return;
      }
      // Whoever left the page while the wallet asked may have paid again by now; what is not sent is not charged.
      if (isGone.current) return;
      // Before it leaves: a tab that dies while it waits must still have it.
      keepInTab(place, prepared);
      await attempt(prepared, false);
    },
    async sendAgain() {
      if (doubtful) await attempt(doubtful, true);
    },
    forget,
  };
}
