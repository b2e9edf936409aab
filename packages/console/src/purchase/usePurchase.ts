import { type CapabilityId, type PreparedPayment, type Settlement, SpendLimitError } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { useState } from "react";
import type { SignedTerms } from "../answer/listPaymentDifferences.js";
import { assay } from "../service/assay.js";
import { keepInTab, useInTab } from "../service/keepInTab.js";
import { formatUsd } from "../ui/format.js";
import { loadVerifier } from "../verify/loadVerifier.js";
import type { Payer } from "../wallet/Payer.js";
import { keepRecord, placeOfAnswer } from "./listBought.js";
import { requirePayee } from "./previewPayment.js";
import { type KeptPayment, useKeptPayment } from "./useKeptPayment.js";
import type { Price } from "./usePrice.js";

export interface Bought {
  readonly answer: CapabilityResult;
  readonly settlement: Settlement | null;
  /** Not known for an answer that an older version of this page kept. */
  readonly signed?: SignedTerms | undefined;
  /** By this browser's clock. */
  readonly arrivedAtMs?: number | undefined;
  /** True for an answer that arrived while this page was open, false for one that the tab has kept. */
  readonly isNew?: boolean | undefined;
}

export interface Purchase extends Omit<KeptPayment<PreparedPayment>, "pay"> {
  readonly bought: Bought | undefined;
  pay(payer: Payer, price: Price, input: object): Promise<void>;
}

/** Signs, sends, and keeps in this tab the payment and the answer, so that neither is lost. */
export function usePurchase(id: CapabilityId): Purchase {
  const place = placeOfAnswer(id);
  const [openedAtMs] = useState(Date.now);
  const kept = useInTab<Bought>(place);
  const { pay, ...payment } = useKeptPayment<PreparedPayment>({
    place: `assay.payment.${id}`,
    async send(prepared, options) {
      const { answer, settlement } = await assay.send(prepared, options);
      const { priceUsd, amount, payTo, payer } = prepared;
      const signed = { priceUsd, amount, payTo, payer };
      keepInTab(place, { answer, settlement, signed, arrivedAtMs: Date.now() } satisfies Bought);
      keepRecord(answer);
    },
  });
  return {
    ...payment,
    bought: kept && { ...kept, isNew: (kept.arrivedAtMs ?? 0) >= openedAtMs },
    pay(payer, { quote, usd, payTo }, input) {
      // The verifier is loaded while the answer is paid for; if that fails, the check reports it.
      loadVerifier().catch(() => undefined);
      const { client } = payer;
      const prepare = async (offered: Price["quote"]) =>
        requirePayee(
          await (offered
            ? client.prepare(offered, { maxPriceUsd: usd })
            : client.prepareUnquoted(id, input as never, { maxPriceUsd: usd })),
          payTo,
        );
      return pay(
        () => prepare(quote),
        async () => {
          try {
            return await prepare(quote && (await client.quote(id, input as never)));
          } catch (error) {
            throw error instanceof SpendLimitError ? higherPrice(usd, error.priceUsd) : error;
          }
        },
      );
    },
  };
}

/** A person has confirmed one price, and a higher one is theirs to confirm. */
const higherPrice = (confirmedUsd: number, nowUsd: number) =>
  new Error(
    `The stored answer ended before the payment arrived. You confirmed ${formatUsd(confirmedUsd)}; a new answer costs ${formatUsd(nowUsd)}. Nothing was charged.`,
  );
