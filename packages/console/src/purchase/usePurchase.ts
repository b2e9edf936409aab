import type { PreparedPayment, Settlement } from "@assay/client";
import type { CapabilityId, CapabilityResult } from "@assay/protocol";
import { useState } from "react";
import { assay } from "../service/assay.js";
import { findInTab, keepInTab } from "../service/keepInTab.js";
import type { Payer } from "../wallet/Payer.js";
import { placeOfAnswer } from "./listBought.js";
import { type KeptPayment, useKeptPayment } from "./useKeptPayment.js";
import type { Price } from "./usePrice.js";

export interface Bought {
  readonly answer: CapabilityResult;
  readonly settlement: Settlement | null;
  /** True for what this page has just paid for, false for what the tab has kept. */
  readonly isNew?: boolean | undefined;
}

export interface Purchase extends Omit<KeptPayment<PreparedPayment>, "pay"> {
  readonly bought: Bought | undefined;
  pay(payer: Payer, price: Price, input: object): Promise<void>;
}

/** Signs, sends, and keeps in this tab what must not be lost on the way. */
export function usePurchase(id: CapabilityId): Purchase {
  const place = placeOfAnswer(id);
  const [bought, setBought] = useState(() => findInTab<Bought>(place));
  const { pay, ...payment } = useKeptPayment<PreparedPayment>({
    place: `assay.payment.${id}`,
    async send(prepared, options) {
      const { answer, settlement } = await assay.send(prepared, options);
      keepInTab(place, { answer, settlement });
      setBought({ answer, settlement, isNew: true });
    },
  });
  return {
    ...payment,
    bought,
    pay: (payer, { quote, usd }, input) =>
      pay(() =>
        quote
          ? payer.client.prepare(quote)
          : payer.client.prepareUnquoted(id, input as never, { maxPriceUsd: usd }),
      ),
  };
}
