import type { AnyPreparedPayment, Client } from "@assay/client";
import { type Hex, usdFromMicro } from "@assay/protocol";
import { createPayingClient } from "../service/assay.js";

/** The payment that a wallet would be asked to sign. */
export interface PaymentPreview {
  readonly usd: number;
  readonly payTo: Hex;
}

interface Terms {
  readonly wallet: Hex;
  readonly stablecoin: Hex;
  /** Only a payment that this key has offered is shown as payable. */
  readonly signer: Hex;
}

/** Prepares a payment up to the signature, with every check that the real one goes through, and signs nothing. */
export async function previewPayment(
  { wallet, stablecoin, signer }: Terms,
  prepare: (client: Client) => Promise<unknown>,
): Promise<PaymentPreview> {
  let asked: Readonly<Record<string, unknown>> | undefined;
  const account = {
    address: wallet,
    async signTypedData({ message }: { readonly message: Readonly<Record<string, unknown>> }): Promise<Hex> {
      asked = message;
      throw new Error("A preview signs nothing.");
    },
  };
  await prepare(createPayingClient(account, stablecoin, signer)).catch((error: unknown) => {
    if (!asked) throw error;
  });
  if (!asked) throw new Error("The service asked for no signature.");
  return { usd: usdFromMicro(BigInt(asked.value as string | bigint)), payTo: asked.to as Hex };
}

/** Refuses a payment whose payee is not the one that was shown. */
export function requirePayee<T extends AnyPreparedPayment>(prepared: T, shown: Hex): T {
  if (prepared.payTo.toLowerCase() !== shown.toLowerCase())
    throw new Error(`The payment would go to ${prepared.payTo}, and ${shown} was shown. It was not sent.`);
  return prepared;
}
