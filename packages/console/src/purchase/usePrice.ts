import type { QuoteFor } from "@assay/client";
import { asksForWallet, type CapabilityId } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CheckedInput } from "../form/checkInput.js";
import { assay } from "../service/assay.js";
import { usePayer } from "../wallet/Payer.js";

/** What a call would cost, before anything is signed. */
export interface Price {
  readonly usd: number;
  /** Undefined where the plain challenge is paid: no wallet is chosen, or the input is too long to quote. */
  readonly quote: QuoteFor<CapabilityId> | undefined;
}

/** A quote asks for the input in its URL, and servers refuse longer ones. */
const LONGEST_QUOTED_DATA = 7_000;
/** Asked once a person has stopped typing. */
const SETTLED_AFTER_MS = 350;

/** The price of this input for the chosen wallet, or for anyone while none is chosen; asked anew by `refetch`. */
export function usePrice(id: CapabilityId, checked: CheckedInput) {
  const { payer } = usePayer();
  const input = useSettled(checked.ok ? JSON.stringify(checked.input) : undefined);
  return useQuery({
    queryKey: ["price", id, input, payer?.address],
    enabled: input !== undefined && (payer !== undefined || !asksForWallet(id)),
    retry: false,
    // A quote is bound to one purchase, so it is never taken from an earlier visit.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Price> => {
      const given = JSON.parse(input as string);
      if (!payer || (input?.length ?? 0) > LONGEST_QUOTED_DATA) {
        return { usd: await assay.price(id, given, { signal }), quote: undefined };
      }
      const quote = await assay.quote(id, given, { wallet: payer.address, signal });
      return { usd: quote.priceUsd, quote };
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
