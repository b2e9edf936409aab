import type { Hex, PaymentPayload } from "@assay/protocol";
import { isAddress, parseErc6492Signature, toEventSelector, toFunctionSelector, zeroAddress } from "viem";

// Selectors are hashed once; the arguments are plain words, so encoding a call is joining strings.
/** EIP-3009 in its two forms; contract wallets may need more than 65 bytes of signature. */
const TRANSFER_SPLIT = toFunctionSelector(
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
);
const TRANSFER_BYTES = toFunctionSelector(
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
);
const AUTHORIZATION_STATE = toFunctionSelector("authorizationState(address,bytes32)");
const AGGREGATE = toFunctionSelector("aggregate3((address,bool,bytes)[])");
const BALANCE_OF = toFunctionSelector("balanceOf(address)");

const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
const addressWord = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");
const bytes32 = (hex: string) => hex.slice(2).toLowerCase();

export const AUTHORIZATION_USED = toEventSelector("AuthorizationUsed(address,bytes32)");
export const AUTHORIZATION_CANCELED = toEventSelector("AuthorizationCanceled(address,bytes32)");
export const TRANSFER = toEventSelector("Transfer(address,address,uint256)");

export const asTopic = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

/** Calldata that delivers this authorization to the token. Throws on an address with a wrong checksum (ERC-55). */
export function encodeTransfer({ authorization, signature }: PaymentPayload["payload"]): Hex {
  if (!isAddress(authorization.from) || !isAddress(authorization.to))
    throw new RangeError("wrong address checksum");
  const common = [
    addressWord(authorization.from),
    addressWord(authorization.to),
    word(BigInt(authorization.value)),
    word(BigInt(authorization.validAfter)),
    word(BigInt(authorization.validBefore)),
    bytes32(authorization.nonce),
  ].join("");
  const digits = bytes32(unwrapSignature(signature as Hex).inner);
  if (digits.length !== 130) {
    // Seven head words, then the length and the bytes in whole words.
    const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, "0");
    return `${TRANSFER_BYTES}${common}${word(7 * 32)}${word(digits.length / 2)}${padded}`;
  }
  // Split, not interpreted: to a contract wallet the last byte may mean something else than a parity.
  const [r, s, v] = [digits.slice(0, 64), digits.slice(64, 128), digits.slice(128)];
  return `${TRANSFER_SPLIT}${common}${v.padStart(64, "0")}${r}${s}`;
}

/** Asks the token whether this nonce is spent or cancelled. */
export function authorizationStateCall(token: string, payer: string, nonce: string) {
  return {
    kind: "call",
    to: token as Hex,
    data: `${AUTHORIZATION_STATE}${addressWord(payer)}${bytes32(nonce)}`,
  } as const;
}

export function balanceOfCall(token: string, account: string) {
  return { kind: "call", to: token as Hex, data: `${BALANCE_OF}${addressWord(account)}` } as const;
}

/** ERC-6492 wraps a wallet's signature in how to deploy the wallet; once it is deployed only the inside counts. */
export function unwrapSignature(signature: Hex): { inner: Hex; isWrapped: boolean } {
  const { address, signature: inner } = parseErc6492Signature(signature);
  const isWrapped = address !== undefined && address !== zeroAddress;
  return { inner: isWrapped ? inner : signature, isWrapped };
}

/** Several calls in one transaction, each allowed to fail alone: `aggregate3((address,bool,bytes)[])`. */
export function encodeBatch(calls: readonly { readonly to: Hex; readonly call: Hex }[]): Hex {
  const items = calls.map(({ to, call }) => {
    const digits = call.slice(2);
    const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, "0");
    return `${addressWord(to)}${word(1)}${word(3 * 32)}${word(digits.length / 2)}${padded}`;
  });
  // Each item's place, in bytes from the first of these words.
  let place = 32 * items.length;
  const places = items.map(({ length }) => {
    const own = word(place);
    place += length / 2;
    return own;
  });
  return `${AGGREGATE}${word(32)}${word(items.length)}${places.join("")}${items.join("")}`;
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

/**
 * Whether a successful transaction's logs hold the use of this nonce, and its transfer to us. That is the token's very next
 * event (EIP-3009): any other transfer in the transaction may be that of another nonce, and pays for one thing only.
 */
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
    data.length === 66 &&
    BigInt(data) === expected.amount;
  const use = ours.findIndex(isUse);
  if (use === -1) return "unused";
  const transfer = ours[use + 1];
  return transfer && isTransfer(transfer) ? "paid" : "other_use";
}
