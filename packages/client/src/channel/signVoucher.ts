import {
  CHAIN_ID,
  CHANNEL_DOMAIN,
  type ChannelConfig,
  type ChannelDeposit,
  type ChannelPayload,
  type ChannelRequirements,
  channelIdOf,
  channelTypes,
  DEPOSIT_COLLECTOR,
  depositNonceOf,
  type Hex,
  transferWithAuthorizationTypes,
  type Voucher,
  X402_VERSION,
} from "@assay/protocol";
import { bytesToHex } from "viem";
import type { PayerAccount } from "../signPayment.js";

/** EIP-3009, as the deposit collector takes it: with the fields of a transfer. */
const receiveTypes = {
  ReceiveWithAuthorization: transferWithAuthorizationTypes.TransferWithAuthorization,
} as const;

/** Clocks differ: the same allowance as in the official x402 clients. */
const CLOCK_SECONDS = 600;

export const randomSalt = (): Hex => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));

/** Lets the receiver claim so much in all, also for earlier calls. */
export async function signVoucher(account: PayerAccount, channelId: Hex, ceiling: bigint): Promise<Voucher> {
  const signature = await account.signTypedData({
    domain: CHANNEL_DOMAIN,
    types: { Voucher: channelTypes.Voucher },
    primaryType: "Voucher",
    message: { channelId, maxClaimableAmount: ceiling },
  });
  return { channelId, maxClaimableAmount: ceiling.toString(), signature };
}

/** Lets anybody move so much of the payer's money into this channel, and nowhere else: the nonce names the channel. */
export async function signDeposit(
  account: PayerAccount,
  config: ChannelConfig,
  { extra, maxTimeoutSeconds, asset }: ChannelRequirements,
  amount: bigint,
): Promise<ChannelDeposit> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const [validAfter, validBefore] = [nowSeconds - CLOCK_SECONDS, nowSeconds + maxTimeoutSeconds];
  const salt = randomSalt();
  const signature = await account.signTypedData({
    domain: {
      name: String(extra.name),
      version: String(extra.version),
      chainId: CHAIN_ID,
      verifyingContract: asset,
    },
    types: receiveTypes,
    primaryType: "ReceiveWithAuthorization",
    message: {
      from: account.address,
      to: DEPOSIT_COLLECTOR,
      value: amount,
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: depositNonceOf(channelIdOf(config), salt),
    },
  });
  const authorization = { validAfter: `${validAfter}`, validBefore: `${validBefore}`, salt, signature };
  return { amount: amount.toString(), authorization: { erc3009Authorization: authorization } };
}

/** The value of PAYMENT-SIGNATURE: JSON in base64. */
export function encodePayment(accepted: ChannelRequirements, payload: ChannelPayload): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ x402Version: X402_VERSION, accepted, payload }));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
