import {
  type CapabilityId,
  getCapability,
  PaymentRefusedError,
  type QuoteFor,
  ServiceUnreachableError,
} from "@assay/client";
import type { Hex } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CheckedInput } from "../form/checkInput.js";
import { assay, useHealth } from "../service/assay.js";
import { usePayer } from "../wallet/Payer.js";
import { usePreview } from "./usePreview.js";

/** The price of a call, before anything is signed. */
export interface Price {
  readonly usd: number;
  /** The payee, as the service's known key offers it. */
  readonly payTo: Hex;
  /** Undefined where the plain challenge is paid: no wallet is chosen, or the input is too long to quote. */
  readonly quote: QuoteFor<CapabilityId> | undefined;
}

/** A quote asks for the input in its URL, and servers refuse longer ones. */
const LONGEST_QUOTED_DATA = 7_000;
/** The price is asked for once a person has stopped typing. */
const SETTLED_AFTER_MS = 350;
/** Prices that end before they are shown; a busy service may be slower than one answer lives. */
const MOST_QUOTES = 3;
/** After the service could not be reached and is back. */
const ASK_AGAIN_AFTER_MS = 1_000;

/** The price of this input for the chosen wallet, or for anyone while none is chosen; `refetch` asks again. */
export function usePrice(id: CapabilityId, checked: CheckedInput) {
  const { payer } = usePayer();
  const { signer, preview } = usePreview();
  const health = useHealth();
  const isUp = health.data !== undefined && health.error === null;
  const input = useSettled(checked.ok ? JSON.stringify(checked.input) : undefined);
  return useQuery<Price>({
    queryKey: ["price", id, input, payer?.address, signer],
    enabled:
      input !== undefined &&
      preview !== undefined &&
      (payer !== undefined || !getCapability(id).asksForWallet),
    retry: false,
    // A quote is bound to one purchase, so it is never taken from an earlier visit.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      isUp && state.error instanceof ServiceUnreachableError ? ASK_AGAIN_AFTER_MS : false,
    queryFn: async ({ signal }) => {
      if (!preview) throw new Error("The service's key is not known yet.");
      const given = JSON.parse(input as string);
      if (!payer || (input?.length ?? 0) > LONGEST_QUOTED_DATA) {
        const unquoted = await preview(
          (client) => client.prepareUnquoted(id, given, { signal }),
          payer?.address,
        );
        return { ...unquoted, quote: undefined };
      }
      for (let attempt = 1; ; attempt += 1) {
        const quote = await assay.quote(id, given, { wallet: payer.address, signal });
        try {
          const { payTo } = await preview((client) => client.prepare(quote, { signal }), payer.address);
          return { usd: quote.priceUsd, payTo, quote };
        } catch (error) {
          // The price of a stored answer ends with it, which may be before the payment was prepared: the next one is asked for.
          const hasEnded = error instanceof PaymentRefusedError && error.offerEnded;
          if (!hasEnded || attempt === MOST_QUOTES) throw error;
        }
      }
    },
  });
}

function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text ? settled : undefined;
}
