import type { BlockHeader, Chain } from "@assay/chain";
import {
  BATCH_SETTLEMENT,
  CHANNEL_DOMAIN,
  type ChannelConfig,
  type ChannelDeposit,
  channelTypes,
  DEPOSIT_COLLECTOR,
  type Hex,
  type Reading,
} from "@assay/protocol";
import {
  concat,
  domainSeparator,
  encodeAbiParameters,
  encodeFunctionData,
  hashStruct,
  parseAbi,
  toFunctionSelector,
} from "viem";

/** The scheme's contract, in the parts that a receiver needs. */
const abi = parseAbi([
  "struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }",
  "struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }",
  "struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }",
  "function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)",
  "function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)",
  "function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)",
  "function multicall(bytes[] data) returns (bytes[] results)",
  "function settle(address receiver, address token)",
  "function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)",
  "function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)",
  "function refundNonce(bytes32 channelId) view returns (uint256)",
  "function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)",
]);

/** What the chain says of a channel. Amounts in atomic units; `balance` counts what was claimed too. */
export interface ChainState {
  readonly balance: bigint;
  readonly claimed: bigint;
  readonly withdrawing: bigint;
  /** Unix seconds; 0 while the payer has not asked to withdraw. */
  readonly withdrawRequestedAt: bigint;
  readonly refundNonce: bigint;
}

/** One voucher of a claim: `charged` is at most what the payer signed. */
export interface VoucherClaim {
  readonly channelId: string;
  readonly config: ChannelConfig;
  readonly charged: bigint;
  readonly signature: Hex;
}

/** Larger than any stablecoin's supply, and what a column holds: a channel with more than that counts as this. */
const MOST = 2n ** 62n;
const bounded = (amount: bigint): bigint => (amount < MOST ? amount : MOST);

const callOf = (data: Hex) => ({ kind: "call", to: BATCH_SETTLEMENT, data }) as const;

/** Selectors are hashed once: a channel is read with every deposit, and its name is the one word that these take. */
const VIEWS = ["channels", "pendingWithdrawals", "refundNonce"].map((name) =>
  toFunctionSelector(`${name}(bytes32)`),
);

/** The two numbers that each view returns. */
function readWords(data: Hex): [bigint, bigint] {
  if (data.length < 130) throw new RangeError("a view of the contract returns two words");
  return [BigInt(data.slice(0, 66)), BigInt(`0x${data.slice(66, 130)}`)];
}

const toArgs = (config: ChannelConfig) => ({
  payer: config.payer as Hex,
  payerAuthorizer: config.payerAuthorizer as Hex,
  receiver: config.receiver as Hex,
  receiverAuthorizer: config.receiverAuthorizer as Hex,
  token: config.token as Hex,
  withdrawDelay: config.withdrawDelay,
  salt: config.salt as Hex,
});

/** Each channel's state at the newest block, or at another one, in one request; undefined for one that no node answered about. */
export async function readChannels(
  chain: Chain,
  channelIds: readonly string[],
  block?: BlockHeader,
): Promise<(ChainState | undefined)[]> {
  if (channelIds.length === 0) return [];
  const calls = channelIds.flatMap((id) => VIEWS.map((selector) => callOf(`${selector}${id.slice(2)}`)));
  const readings = block ? await chain.readAt(block, calls) : await chain.readLatest(calls);
  return channelIds.map((_, i) => {
    const [channel, withdrawal, nonce] = readings.slice(3 * i, 3 * i + 3) as Reading<Hex>[];
    if (channel?.status !== "value" || withdrawal?.status !== "value" || nonce?.status !== "value")
      return undefined;
    const [balance, claimed] = readWords(channel.value);
    const [withdrawing, initiatedAt] = readWords(withdrawal.value);
    return {
      balance: bounded(balance),
      claimed: bounded(claimed),
      withdrawing: bounded(withdrawing),
      withdrawRequestedAt: initiatedAt,
      refundNonce: bounded(BigInt(nonce.value)),
    };
  });
}

/** What was claimed for this receiver and not yet paid out; undefined when no node answered. */
export async function readUnswept(chain: Chain, receiver: Hex, token: Hex): Promise<bigint | undefined> {
  const data = encodeFunctionData({ abi, functionName: "receivers", args: [receiver, token] });
  const [reading] = await chain.readLatest([callOf(data)]);
  if (reading.status !== "value") return undefined;
  const [claimed, settled] = readWords(reading.value);
  return claimed - settled;
}

export function encodeDeposit(config: ChannelConfig, { amount, authorization }: ChannelDeposit): Hex {
  const { validAfter, validBefore, salt, signature } = authorization.erc3009Authorization;
  const collectorData = encodeAbiParameters(
    [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }, { type: "bytes" }],
    [BigInt(validAfter), BigInt(validBefore), BigInt(salt), signature as Hex],
  );
  return encodeFunctionData({
    abi,
    functionName: "deposit",
    args: [toArgs(config), BigInt(amount), DEPOSIT_COLLECTOR, collectorData],
  });
}

/** Signs with a key that decides for the receiver. */
interface ReceiverSigner {
  signBytes(preimage: Hex, address: string): Hex | Promise<Hex>;
}

/** Claims of channels that name the same key: one signature stands for all. */
export async function encodeClaims(signer: ReceiverSigner, claims: readonly VoucherClaim[]): Promise<Hex> {
  const struct = hashStruct({
    types: { ClaimBatch: channelTypes.ClaimBatch, ClaimEntry: channelTypes.ClaimEntry },
    primaryType: "ClaimBatch",
    data: {
      claims: claims.map(({ channelId, charged }) => ({
        channelId: channelId as Hex,
        maxClaimableAmount: charged,
        totalClaimed: charged,
      })),
    },
  });
  const toSign = concat(["0x1901", domainSeparator({ domain: CHANNEL_DOMAIN }), struct]);
  const args = claims.map(({ config, charged, signature }) => ({
    voucher: { channel: toArgs(config), maxClaimableAmount: charged },
    signature,
    totalClaimed: charged,
  }));
  const authorizer = claims[0]?.config.receiverAuthorizer ?? "";
  return encodeFunctionData({
    abi,
    functionName: "claimWithSignature",
    args: [args, await signer.signBytes(toSign, authorizer)],
  });
}

export function encodeRefund(config: ChannelConfig, amount: bigint, nonce: bigint, signature: Hex): Hex {
  return encodeFunctionData({
    abi,
    functionName: "refundWithSignature",
    args: [toArgs(config), amount, nonce, signature],
  });
}

/** Several calls of the contract, all or none. */
export const encodeTogether = (calls: readonly Hex[]): Hex =>
  encodeFunctionData({ abi, functionName: "multicall", args: [calls] });

export const encodeSweep = (receiver: Hex, token: Hex): Hex =>
  encodeFunctionData({ abi, functionName: "settle", args: [receiver, token] });
