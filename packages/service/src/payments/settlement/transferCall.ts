import type { Hex, PaymentPayload } from "@assay/protocol";
import { encodeFunctionData, multicall3Abi, parseAbi, parseSignature, toEventSelector } from "viem";

/** Deployed at the same address on every chain that matters, Base included. */
export const MULTICALL3: Hex = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** EIP-3009 in its two forms; contract wallets may need more than 65 bytes of signature. */
const transferAbi = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
]);
export const authorizationAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);

export const AUTHORIZATION_USED = toEventSelector("AuthorizationUsed(address,bytes32)");
export const AUTHORIZATION_CANCELED = toEventSelector("AuthorizationCanceled(address,bytes32)");
export const TRANSFER = toEventSelector("Transfer(address,address,uint256)");

export const asTopic = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

/** Calldata that delivers this authorization to the token. */
export function encodeTransfer({ authorization, signature }: PaymentPayload["payload"]): Hex {
  const common = [
    authorization.from,
    authorization.to,
    BigInt(authorization.value),
    BigInt(authorization.validAfter),
    BigInt(authorization.validBefore),
    authorization.nonce as Hex,
  ] as const;
  if (signature.length !== 132) {
    return encodeFunctionData({
      abi: transferAbi,
      functionName: "transferWithAuthorization",
      args: [...common, signature as Hex],
    });
  }
  const { r, s, yParity } = parseSignature(signature as Hex);
  return encodeFunctionData({
    abi: transferAbi,
    functionName: "transferWithAuthorization",
    args: [...common, yParity + 27, r, s],
  });
}

/** Several calls to the token in one transaction, each allowed to fail alone. */
export function encodeBatch(token: Hex, calls: readonly Hex[]): Hex {
  const args = calls.map((callData) => ({ target: token, allowFailure: true, callData }));
  return encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] });
}

export interface EventLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface ExpectedTransfer {
  readonly token: string;
  readonly payer: string;
  readonly payTo: string;
  readonly amount: bigint;
  readonly nonce: string;
}

/** Whether a successful transaction's logs hold the use of this nonce, and beside it the transfer to us. */
export function readTransferLogs(
  logs: readonly EventLog[],
  expected: ExpectedTransfer,
): "paid" | "other_use" | "unused" {
  const ours = logs.filter((log) => log.address.toLowerCase() === expected.token.toLowerCase());
  const isUse = ({ topics }: EventLog) =>
    topics[0] === AUTHORIZATION_USED &&
    topics[1] === asTopic(expected.payer) &&
    topics[2] === expected.nonce.toLowerCase();
  const isTransfer = ({ topics, data }: EventLog) =>
    topics[0] === TRANSFER &&
    topics[1] === asTopic(expected.payer) &&
    topics[2] === asTopic(expected.payTo) &&
    BigInt(data) === expected.amount;
  if (!ours.some(isUse)) return "unused";
  return ours.some(isTransfer) ? "paid" : "other_use";
}
