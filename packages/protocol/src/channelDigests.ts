import { concat, domainSeparator } from "viem";
import { BATCH_SETTLEMENT, type ChannelConfig } from "./channelWire.js";
import { keccak256 } from "./keccak256.js";
import { CHAIN_ID, type Hex } from "./primitives.js";
import { createTypedDataEncoder } from "./typedData.js";

// Apart from the shapes: a page that only reads receipts hashes nothing.

export const CHANNEL_DOMAIN = {
  name: "x402 Batch Settlement",
  version: "1",
  chainId: CHAIN_ID,
  verifyingContract: BATCH_SETTLEMENT,
} as const;

export const channelTypes = {
  ChannelConfig: [
    { name: "payer", type: "address" },
    { name: "payerAuthorizer", type: "address" },
    { name: "receiver", type: "address" },
    { name: "receiverAuthorizer", type: "address" },
    { name: "token", type: "address" },
    { name: "withdrawDelay", type: "uint40" },
    { name: "salt", type: "bytes32" },
  ],
  Voucher: [
    { name: "channelId", type: "bytes32" },
    { name: "maxClaimableAmount", type: "uint128" },
  ],
  Refund: [
    { name: "channelId", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "amount", type: "uint128" },
  ],
  ClaimBatch: [{ name: "claims", type: "ClaimEntry[]" }],
  ClaimEntry: [
    { name: "channelId", type: "bytes32" },
    { name: "maxClaimableAmount", type: "uint128" },
    { name: "totalClaimed", type: "uint128" },
  ],
} as const;

type OfMessage<T> = (message: T) => Hex;

/** Domain and type are hashed when the first message is. */
function encoderOf<T extends Readonly<Record<string, unknown>>>(
  primaryType: "ChannelConfig" | "Voucher" | "Refund",
): OfMessage<T> {
  let encode: OfMessage<T> | undefined;
  return (message) => {
    encode ??= createTypedDataEncoder(
      { primaryType, fields: channelTypes[primaryType] },
      domainSeparator({ domain: CHANNEL_DOMAIN }),
    );
    return encode(message);
  };
}

function hasherOf<T extends Readonly<Record<string, unknown>>>(
  primaryType: "ChannelConfig" | "Voucher",
): OfMessage<T> {
  const encode = encoderOf<T>(primaryType);
  return (message) => keccak256(encode(message));
}

/** Name of the channel: the EIP-712 digest of what it is made of. */
export const channelIdOf = hasherOf<ChannelConfig>("ChannelConfig");

/** What the payer's key signs to let the receiver claim so much in all. */
export const voucherDigestOf = hasherOf<{ channelId: string; maxClaimableAmount: bigint }>("Voucher");

/** The receiver's key signs the Keccak-256 of these bytes to return unspent money to the payer. */
export const encodeRefundToSign = encoderOf<{ channelId: string; nonce: bigint; amount: bigint }>("Refund");

/** EIP-3009 nonce of a deposit: it binds the authorization to one channel. Both are 32 bytes. */
export const depositNonceOf = (channelId: string, salt: string): Hex =>
  keccak256(concat([channelId as Hex, salt as Hex]));
