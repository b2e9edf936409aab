import type { CapabilityResult, Hex } from "@assay/protocol";
import type { Account, Chain, SendTransactionParameters, Transport, Client as ViemClient } from "viem";
import { parseAccount } from "viem/accounts";
import { getChainId, sendTransaction } from "viem/actions";
import type { Client, PaidAnswer } from "./createClient.js";
import { GuardRefusedError } from "./errors.js";
import type { Verification } from "./verification.js";
import { verifyResult } from "./verifyResult.js";

/** The capabilities that judge a transaction before it is signed. */
export type TransactionGuard = "transaction.intent.guard" | "amm.swap.guard";

export interface GuardPolicy {
  /** Asks and pays. Its account may be another than the one that signs the transaction. */
  readonly assay: Pick<Client, "call" | "health">;
  /** The address the service is known to sign with; an answer of any other signer is refused. */
  readonly signer: Hex;
  /** Which guard to ask; transaction.intent.guard unless told. */
  readonly guard?: TransactionGuard | undefined;
  /** No guard above this price is bought; the client's own limit unless told. */
  readonly maxPriceUsd?: number | undefined;
  /**
   * Asked when the verdict is `review`: whether to sign all the same, for instance after looking at `result.reasonCodes`.
   * Unless given, only `allow` is signed. Nothing can make a `block` be signed.
   */
  readonly acceptReview?: ((answer: CapabilityResult) => boolean | Promise<boolean>) | undefined;
}

/** What is signed: nothing else of a transaction can change what it does. */
export interface GuardedTransaction {
  readonly to: Hex;
  readonly data?: Hex | undefined;
  readonly value?: bigint | undefined;
  /** The signer, where the wallet has more than one. */
  readonly account?: Account | Hex | undefined;
  readonly gas?: bigint | undefined;
  readonly nonce?: number | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
}

export interface GuardedSend {
  readonly hash: Hex;
  /** The verdict it was signed on, with its receipt's address. */
  readonly guard: PaidAnswer<TransactionGuard>;
  readonly verification: Verification;
}

type Wallet = ViemClient<Transport, Chain | undefined, Account | undefined>;

/** Base. */
const CHAIN_ID = 8453;

/**
 * Has a transaction judged, checks the judgement offline, and only then lets the wallet sign it. Throws
 * GuardRefusedError, with the answer, when anything speaks against it; then nothing was signed.
 *
 * @example
 * const { hash } = await guardedSend(walletClient, { to, data, value }, { assay, signer });
 */
export async function guardedSend(
  wallet: Wallet,
  transaction: GuardedTransaction,
  policy: GuardPolicy,
): Promise<GuardedSend> {
  const { to, data = "0x", value = 0n, account: given, ...fees } = transaction;
  const account = given === undefined ? wallet.account : parseAccount(given);
  if (!account) throw new TypeError("guardedSend needs an account: give the wallet or the transaction one.");
  // A call without a target creates a contract, which no guard judges.
  if (!to) throw new TypeError("guardedSend needs the address that the transaction calls.");
  const chainId = await getChainId(wallet);
  if (chainId !== CHAIN_ID)
    throw new TypeError(`The wallet is on chain ${chainId}; Assay judges transactions of chain ${CHAIN_ID}.`);

  const { assay, guard: id = "transaction.intent.guard", maxPriceUsd } = policy;
  const input = { from: account.address, to, data, value: value.toString() };
  const guard = await assay.call(id, input, { maxPriceUsd });
  const { answer } = guard;
  const verification = await verifyResult(answer, { signer: policy.signer });
  if (!verification.ok) throw new GuardRefusedError("not_verified", answer, describeFailure(verification));
  const judged = findOtherInput(answer, input);
  if (judged)
    throw new GuardRefusedError("other_transaction", answer, `The answer is about another ${judged}.`);
  if (answer.verdict === "block" || (answer.verdict === "review" && !(await policy.acceptReview?.(answer))))
    throw new GuardRefusedError(answer.verdict, answer, answer.result.summary);
  const { headBlock } = await assay.health();
  const { validUntilBlock } = answer.result;
  if (headBlock === null || headBlock > validUntilBlock)
    throw new GuardRefusedError(
      "expired",
      answer,
      `It held until block ${validUntilBlock}; the chain is at ${headBlock ?? "an unknown block"}.`,
    );
  const hash = await sendTransaction(wallet, {
    ...fees,
    ...{ account, to, data, value, chain: wallet.chain ?? null },
  } as SendTransactionParameters<Chain | undefined, Account | undefined>);
  return { hash, guard, verification };
}

const describeFailure = ({ steps }: Verification) =>
  steps
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`)
    .join(" ");

/** The field of the transaction that the answer is not about. Its input is covered by a hash that verification checked. */
function findOtherInput(
  answer: CapabilityResult,
  asked: Readonly<Record<string, string>>,
): string | undefined {
  const judged = answer.result.evidence.input as Readonly<Record<string, unknown>>;
  return Object.keys(asked).find((name) => String(judged[name]).toLowerCase() !== asked[name]?.toLowerCase());
}

/**
 * A viem wallet action: `walletClient.extend(guardActions({ assay, signer })).guardedSend({ to, data, value })`.
 */
export const guardActions =
  (policy: GuardPolicy) =>
  (wallet: Wallet): { guardedSend(transaction: GuardedTransaction): Promise<GuardedSend> } => ({
    guardedSend: (transaction) => guardedSend(wallet, transaction, policy),
  });
