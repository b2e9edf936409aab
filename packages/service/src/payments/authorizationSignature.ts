import {
  CHAIN_ID,
  type ChannelPayment,
  createTypedDataHasher,
  type Hex,
  type PaymentPayload,
  transferWithAuthorizationTypes,
  voucherDigestOf,
} from "@assay/protocol";
import { domainSeparator } from "viem";
import { isSignedByContract } from "../actions/contractWallet.js";
import type { BaseContext } from "../base/context.js";
import { findSigner } from "../base/secp256k1.js";
import type { Settings } from "../base/settings.js";
import { unwrapSignature } from "./settlement/transferCall.js";

/** What the payer of an EIP-3009 authorization or of a voucher signs, and whether its own key has. */
export interface PayerSignatures {
  digestOf(authorization: PaymentPayload["payload"]["authorization"]): Hex;
  /** False is not proof of fraud: a smart wallet's signature is checked by its code (ERC-1271), not by recovery. */
  isByKey(payload: PaymentPayload["payload"]): boolean;
  /** Whether the key that its channel names has signed the voucher. */
  isVoucherByKey(payload: Pick<ChannelPayment["payload"], "voucher" | "channelConfig">): boolean;
}

/** For one token. */
export function createPayerSignatures({ name, version, address }: Settings["stablecoin"]): PayerSignatures {
  const hash = createTypedDataHasher(
    {
      primaryType: "TransferWithAuthorization",
      fields: transferWithAuthorizationTypes.TransferWithAuthorization,
    },
    domainSeparator({ domain: { name, version, chainId: CHAIN_ID, verifyingContract: address } }),
  );
  const digestOf: PayerSignatures["digestOf"] = ({ from, to, value, validAfter, validBefore, nonce }) =>
    hash({
      from,
      to,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce,
    });
  return {
    digestOf,
    isByKey: ({ authorization, signature }) =>
      findSigner(digestOf(authorization), signature as Hex) === authorization.from.toLowerCase(),
    isVoucherByKey({ voucher: { channelId, maxClaimableAmount, signature }, channelConfig }) {
      const digest = voucherDigestOf({
        channelId: channelId.toLowerCase(),
        maxClaimableAmount: BigInt(maxClaimableAmount),
      });
      return findSigner(digest, signature as Hex) === channelConfig.payerAuthorizer.toLowerCase();
    },
  };
}

/**
 * By the payer's own key, or by the code of its account (ERC-1271), as the token will ask it. Nobody reserves a payment in
 * the name of a wallet that did not sign it: what is reserved counts against the wallet's balance.
 */
export async function isSignedByPayer(
  context: BaseContext & { readonly payerSignatures: PayerSignatures },
  payload: PaymentPayload["payload"],
  clientAddress: string,
): Promise<boolean> {
  const { payerSignatures, settings } = context;
  if (payerSignatures.isByKey(payload)) return true;
  const signature = findInner(payload.signature as Hex);
  if (signature === undefined) return false;
  const { authorization } = payload;
  const digest = payerSignatures.digestOf(authorization);
  const { address: token } = settings.stablecoin;
  return isSignedByContract(context, authorization.from as Hex, digest, signature, clientAddress, token);
}

/** What a wallet's code is asked about; undefined for an ERC-6492 wrapper with nothing readable inside. */
function findInner(signature: Hex): Hex | undefined {
  try {
    return unwrapSignature(signature).inner;
  } catch {
    return undefined;
  }
}
