import { CHAIN_ID, type Hex, type PaymentPayload, transferWithAuthorizationTypes } from "@assay/protocol";
import { recover } from "tiny-secp256k1";
import { hashTypedData, hexToBytes, keccak256 } from "viem";
import type { Settings } from "../settings.js";

/** Half the order of secp256k1; a larger s is the mirror image of a signature that was really made. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * True when the payer's own key signed this EIP-3009 authorization. False is not proof of fraud:
 * a smart wallet's signature is checked by its code (ERC-1271), not by recovery.
 */
export function isSignedByPayer(settings: Settings, payload: PaymentPayload["payload"]): boolean {
  const signature = hexToBytes(payload.signature as Hex);
  if (signature.length !== 65) return false;
  const recoveryId = (signature[64] as number) - 27;
  if (recoveryId !== 0 && recoveryId !== 1) return false;
  if (BigInt(`0x${Buffer.from(signature.subarray(32, 64)).toString("hex")}`) > HALF_ORDER) return false;
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
  let key: Uint8Array | null;
  try {
    key = recover(hexToBytes(digest), signature.subarray(0, 64), recoveryId, false);
  } catch {
    return false;
  }
  return key !== null && `0x${keccak256(key.subarray(1)).slice(-40)}` === authorization.from.toLowerCase();
}
