import { type CapabilityResult, CHAIN_ID, type Hex } from "@assay/protocol";
import { type Account, concat, isAddress } from "viem";
import { parseAccount } from "viem/accounts";
import type { RequestOptions } from "./connect.js";
import { type FilledTransaction, fillTransaction, type GasTerms } from "./fillTransaction.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import { type JudgePolicy, judge, verifyPolicy } from "./judge.js";
import type { PaidAnswer } from "./paidAnswer.js";
import { signExactly } from "./signExactly.js";
import type { TransactionGuard } from "./signingQuestion.js";
import type { Verification } from "./verification.js";
import { verifyAllowed } from "./verifyAllowed.js";
import { asViemClient, type Wallet, type WalletAccount } from "./wallet.js";

/** The wallet's own node confirms the answer. */
export interface GuardPolicy extends Omit<JudgePolicy, "node"> {
  /** Which guard to ask; by default transaction.intent.guard. */
  readonly guard?: TransactionGuard | undefined;
  /**
   * The most that gas × maxFeePerGas may be, in wei; by default 0.005 ether. What the chain charges beyond that for
   * publishing the bytes is set by the chain, not by a field of the transaction.
   */
  readonly maxFeeWei?: bigint | undefined;
  /**
   * Called when the verdict is `review`: whether to sign nevertheless, for instance by `result.reasonCodes`. Unless it
   * returns true, only `allow` is signed. A `block` is never signed.
   */
  readonly acceptReview?: ((answer: CapabilityResult) => boolean | Promise<boolean>) | undefined;
}

/** The fields that guardedSend supports. Any other field that would be signed (EIP-2930, 4844, 7702) is refused. */
export interface GuardedTransaction {
  readonly to: Hex;
  readonly data?: Hex | undefined;
  readonly value?: bigint | undefined;
  /** The signer, where the wallet has more than one. */
  readonly account?: WalletAccount | Hex | undefined;
  /** Must be at least what the wallet's node measures. */
  readonly gas?: bigint | undefined;
  readonly nonce?: number | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  /** Base or undefined. */
  readonly chainId?: typeof CHAIN_ID | undefined;
  /** As in viem; Base or undefined. */
  readonly chain?: { readonly id: number } | null | undefined;
}

export interface GuardedSend {
  readonly hash: Hex;
  /** The verdict that it was signed on, with the URL of its receipt. */
  readonly guard: PaidAnswer<TransactionGuard>;
  readonly verification: Verification;
}

const MAX_FEE_WEI = 5_000_000_000_000_000n;

/**
 * Buys a verdict on a transaction, checks it offline and with the wallet's own node, and only then lets the wallet sign
 * exactly the judged transaction. Throws GuardRefusedError, with the answer, when anything speaks against it; then nothing
 * was sent.
 *
 * @example
 * const { hash } = await guardedSend(walletClient, { to, data, value }, { assay, signer });
 */
export async function guardedSend(
  wallet: Wallet,
  transaction: GuardedTransaction,
  policy: GuardPolicy,
  { signal }: RequestOptions = {},
): Promise<GuardedSend> {
  const { account, judged, terms } = readTransaction(wallet, transaction);
  verifyPolicy({ ...policy });
  const { assay, signer, guard: id, maxPriceUsd, acceptReview, maxFeeWei = MAX_FEE_WEI } = policy;
  verifyTerms(terms, maxFeeWei);

  const judgement = await judge(
    { transaction: judged, guard: id },
    { assay, signer, maxPriceUsd, node: wallet },
    { signal },
  );
  const { answer, guard, verification } = judgement;
  await verifyAllowed(answer, acceptReview, "transaction");

  signal?.throwIfAborted();
  try {
    const { filled, neededGas } = await fillTransaction(wallet, account, judged, terms);
    const unfit = findUnfitFee(filled, neededGas, maxFeeWei);
    if (unfit) throw new GuardRefusedError("fee", answer, unfit);
    // Last, so that as little time as possible passes between this read of the chain and the signature.
    await judgement.confirm({ signal });
    signal?.throwIfAborted();
    const send = await signExactly(wallet, account, filled);
    if (!send)
      throw new GuardRefusedError("altered", answer, "The signed bytes differ from the judged transaction.");
    return { hash: await send(), guard, verification };
  } catch (error) {
    // A nonce that was taken but not used would block every later transaction.
    if (account.type === "local") account.nonceManager?.reset({ address: judged.from, chainId: CHAIN_ID });
    throw error;
  }
}

/** Reads each field once: what is judged is what is signed, also when an object returns another value the next time. */
function readTransaction(wallet: Wallet, transaction: GuardedTransaction) {
  const { to, data = "0x", value = 0n, account: given, chainId = CHAIN_ID, chain, ...rest } = transaction;
  const { gas, nonce, maxFeePerGas, maxPriorityFeePerGas, ...unknown } = rest;
  const account = given === undefined ? asViemClient(wallet).account : parseAccount(given as Account | Hex);
  if (!account)
    throw new InvalidArgumentError("guardedSend needs an account: give the wallet or the transaction one.");
  if (account.type !== "local" && account.type !== "json-rpc")
    throw new InvalidArgumentError(`guardedSend does not support accounts of type ${account.type}.`);
  // A transaction without a target creates a contract, which no guard judges.
  if (!to) throw new InvalidArgumentError("guardedSend needs the address that the transaction calls.");
  if (!isAddress(to))
    throw new InvalidArgumentError(
      `${to} is not an address, or its capital letters do not match its checksum (EIP-55): check every digit.`,
    );
  const unsupported = Object.entries(unknown).find(([, value]) => value !== undefined)?.[0];
  if (unsupported)
    throw new InvalidArgumentError(`guardedSend does not support ${unsupported}: no guard evaluates it.`);
  for (const id of [chainId, chain?.id, wallet.chain?.id])
    if (id !== undefined && id !== CHAIN_ID)
      throw new InvalidArgumentError(
        `Assay judges transactions of chain ${CHAIN_ID}; this one is for chain ${id}.`,
      );
  const { dataSuffix } = wallet;
  const suffix = (typeof dataSuffix === "string" ? dataSuffix : dataSuffix?.value) ?? "0x";
  return {
    account,
    // The suffix that a wallet appends to its calldata is judged too.
    judged: { from: account.address, to, data: concat([data, suffix]), value },
    terms: { gas, nonce, maxFeePerGas, maxPriorityFeePerGas },
  };
}

/** What would be refused later is refused before a guard is paid. */
function verifyTerms({ gas, maxFeePerGas, maxPriorityFeePerGas }: GasTerms, maxFeeWei: bigint): void {
  if (maxFeePerGas === undefined) return;
  if (maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas > maxFeePerGas)
    throw new InvalidArgumentError(
      "maxPriorityFeePerGas is above maxFeePerGas, which no chain accepts (EIP-1559).",
    );
  if (gas !== undefined && gas * maxFeePerGas > maxFeeWei)
    throw new InvalidArgumentError(
      `The fees may be up to ${gas * maxFeePerGas} wei, but maxFeeWei is ${maxFeeWei}.`,
    );
}

function findUnfitFee(
  { gas, maxFeePerGas }: FilledTransaction,
  neededGas: bigint,
  maxFeeWei: bigint,
): string | undefined {
  if (gas < neededGas) return `It needs ${neededGas} gas, but gas is ${gas}.`;
  const feeWei = gas * maxFeePerGas;
  return feeWei > maxFeeWei
    ? `The fees may be up to ${feeWei} wei, but maxFeeWei is ${maxFeeWei}.`
    : undefined;
}

/**
 * A viem wallet action: `walletClient.extend(guardActions({ assay, signer })).guardedSend({ to, data, value })`.
 */
export const guardActions =
  (policy: GuardPolicy) =>
  (
    wallet: Wallet,
  ): { guardedSend(transaction: GuardedTransaction, options?: RequestOptions): Promise<GuardedSend> } => ({
    guardedSend: (transaction, options) => guardedSend(wallet, transaction, policy, options),
  });
