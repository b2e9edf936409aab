import { CHAIN_ID, type Hex, type PaymentPayload, transferWithAuthorizationTypes } from "@assay/protocol";
import { domainSeparator } from "viem";
import { findSigner } from "../base/secp256k1.js";
import type { Settings } from "../base/settings.js";
import { createTypedDataHasher } from "../base/typedData.js";

/** True when the payer's own key signed this EIP-3009 authorization. */
export type PayerSignatureCheck = (payload: PaymentPayload["payload"]) => boolean;

/**
 * Checks signatures for one token. False is not proof of fraud: a smart wallet's signature is
 * checked by its code (ERC-1271), not by recovery.
 */
export function createPayerSignatureCheck({
  name,
  version,
  address,
}: Settings["stablecoin"]): PayerSignatureCheck {
  const digestOf = createTypedDataHasher(
    {
      primaryType: "TransferWithAuthorization",
      fields: transferWithAuthorizationTypes.TransferWithAuthorization,
    },
    domainSeparator({ domain: { name, version, chainId: CHAIN_ID, verifyingContract: address } }),
  );
  return ({ authorization, signature }) => {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const digest = digestOf({
      from,
      to,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce,
    });
    return findSigner(digest, signature as Hex) === from.toLowerCase();
  };
}
