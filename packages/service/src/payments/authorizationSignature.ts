import { CHAIN_ID, type Hex, type PaymentPayload, transferWithAuthorizationTypes } from "@assay/protocol";
import { hashTypedData } from "viem";
import { findSigner } from "../secp256k1.js";
import type { Settings } from "../settings.js";

/**
 * True when the payer's own key signed this EIP-3009 authorization. False is not proof of fraud:
 * a smart wallet's signature is checked by its code (ERC-1271), not by recovery.
 */
export function isSignedByPayer(settings: Settings, payload: PaymentPayload["payload"]): boolean {
  const { authorization } = payload;
  const digest = hashTypedData({
    domain: {
      name: settings.stablecoin.name,
      version: settings.stablecoin.version,
      chainId: CHAIN_ID,
      verifyingContract: settings.stablecoin.address,
    },
    types: transferWithAuthorizationTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      from: authorization.from,
      to: authorization.to,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as Hex,
    },
  });
  return findSigner(digest, payload.signature as Hex) === authorization.from.toLowerCase();
}
