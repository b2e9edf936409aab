import { type Hex, NETWORK, paymentPayloadSchema } from "@assay/protocol";
import type { Challenge } from "./readChallenge.js";

/** The wallet that pays: a viem LocalAccount, or anything else that signs EIP-712 data for an address. */
export interface PayerAccount {
  readonly address: Hex;
  signTypedData(message: {
    domain: Record<string, unknown>;
    types: Record<string, unknown>;
    primaryType: string;
    message: Record<string, unknown>;
  }): Promise<Hex>;
}

export interface SignedPayment {
  readonly paymentSignature: string;
  readonly authorizationNonce: string;
  readonly validBeforeSeconds: number;
}

/** Signs the challenge's one payment with the official x402 client, which checks the limit once more. */
export async function signPayment(
  account: PayerAccount,
  { paymentRequired, requirements }: Challenge,
  maxAmount: bigint,
  /** The name of this purchase, which buys once per wallet; used where the service knows the extension. */
  paymentId: string,
): Promise<SignedPayment> {
  // Loaded here: it is half of what a page would otherwise load before any payment.
  const [{ x402Client, x402HTTPClient }, { ExactEvmScheme }] = await Promise.all([
    import("@x402/core/client"),
    import("@x402/evm/exact/client"),
  ]);
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [
      { network: NETWORK, asset: requirements.asset, maxAmountPerPayment: maxAmount.toString() },
    ],
  });
  const http = new x402HTTPClient(client);
  const { error: _, ...challenge } = paymentRequired;
  const payload = await http.createPaymentPayload({
    ...challenge,
    resource: { ...challenge.resource },
    extensions: nameIn(challenge.extensions, paymentId),
  } as Parameters<typeof http.createPaymentPayload>[0]);
  const { authorization } = paymentPayloadSchema.parse(payload).payload;
  const header = http.encodePaymentSignatureHeader(payload)["PAYMENT-SIGNATURE"];
  if (header === undefined) throw new TypeError("the x402 client encoded no PAYMENT-SIGNATURE header");
  return {
    paymentSignature: header,
    authorizationNonce: authorization.nonce,
    validBeforeSeconds: Number(authorization.validBefore),
  };
}

const PAYMENT_IDENTIFIER = "payment-identifier";

/** The extensions of the challenge, which a payment repeats, with the name in the one that takes it. */
function nameIn(extensions: Readonly<Record<string, unknown>> | undefined, id: string) {
  const offered = Object(extensions?.[PAYMENT_IDENTIFIER]) as { info?: object };
  return offered.info === undefined
    ? extensions
    : { ...extensions, [PAYMENT_IDENTIFIER]: { ...offered, info: { ...offered.info, id } } };
}
