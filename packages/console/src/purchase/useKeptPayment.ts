import { type AnyPreparedPayment, PaymentOutcomeUnknownError, PaymentRefusedError } from "@assay/client";
import { useEffect, useRef, useState } from "react";
import { dropFromTab, keepInTab, useInTab } from "../service/keepInTab.js";
import { findAttempt, recordAttempt, useAttempt } from "./attempts.js";

export interface KeptPayment<Prepared extends AnyPreparedPayment> {
  readonly step: "idle" | "signing" | "sending";
  /** The error of the last attempt; unless a payment is doubtful, nothing was charged. */
  readonly failure: unknown;
  /** A payment that was sent and may have been charged; nothing new is signed while there is one. */
  readonly doubtful: Prepared | undefined;
  /** Signs a new payment and sends it. Where its price has ended and nothing was charged, `prepareAgain` signs one more. */
  pay(prepare: () => Promise<Prepared>, prepareAgain?: () => Promise<Prepared>): Promise<void>;
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

/**
 * Signs and sends one payment, and keeps it in this tab for as long as it may have been charged without an answer. A
 * visitor who leaves the page and comes back finds its current state.
 */
export function useKeptPayment<Prepared extends AnyPreparedPayment>({
  place,
  send,
}: Sending<Prepared>): KeptPayment<Prepared> {
  const [isSigning, setIsSigning] = useState(false);
  const { isSending, failure } = useAttempt(place);
  const kept = useInTab<Prepared>(place);
  const step = isSending ? "sending" : isSigning ? "signing" : "idle";
  const doubtful = isSending ? undefined : kept;
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      // A failure that was shown is not shown again; one that comes after this is.
      if (!findAttempt(place).isSending) recordAttempt(place, {});
    };
  }, [place]);
  const attempt = async (prepared: Prepared, wasSent: boolean) => {
    recordAttempt(place, { isSending: true });
    // Before it leaves: a tab that dies while it waits must still have it.
    keepInTab(place, prepared);
    let failure: unknown;
    try {
      await send(prepared, { wasSent });
    } catch (error) {
      failure = error;
    }
    if (!(failure instanceof PaymentOutcomeUnknownError)) dropFromTab(place);
    recordAttempt(place, { failure });
    return failure;
  };
  /** Returns why it failed; undefined when it was answered, or when the visitor left before it was sent. */
  const signAndSend = async (prepare: () => Promise<Prepared>): Promise<unknown> => {
    setIsSigning(true);
    recordAttempt(place, {});
    try {
      const prepared = await prepare();
      // A visitor who left while the wallet asked may have paid again by now; a payment that is not sent is not charged.
      if (isGone.current) return undefined;
      setIsSigning(false);
      return await attempt(prepared, false);
    } catch (error) {
      if (isGone.current) return undefined;
      setIsSigning(false);
      recordAttempt(place, { failure: error });
      return error;
    }
  };
  return {
    step,
    failure,
    doubtful,
    async pay(prepare, prepareAgain) {
      if (doubtful || step !== "idle") return;
      const failure = await signAndSend(prepare);
      const hasEnded = failure instanceof PaymentRefusedError && failure.offerEnded;
      if (hasEnded && prepareAgain && !isGone.current) await signAndSend(prepareAgain);
    },
    async sendAgain() {
      if (doubtful) await attempt(doubtful, true);
    },
    forget: () => dropFromTab(place),
  };
}
