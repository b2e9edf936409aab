import type { CapabilityInput } from "@assay/capabilities";
import type { CapabilityResult, Hex } from "@assay/protocol";
import { type Account, isAddress, isAddressEqual, recoverAddress, size, stringToHex } from "viem";
import type { RequestOptions } from "./connect.js";
import type { GuardPolicy } from "./guardedSend.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import { type JudgePolicy, judge, verifyPolicy } from "./judge.js";
import type { PaidAnswer } from "./paidAnswer.js";
import { type MessageGuard, readMessageQuestion, type SignedMessage } from "./signingQuestion.js";
import type { Verification } from "./verification.js";
import { verifyAllowed } from "./verifyAllowed.js";

/** What is used of a viem local account. Its parameters are viem's, which differ between versions; `never` fits all. */
export interface LocalSigner {
  readonly address: Hex;
  readonly type: string;
  signTypedData(document: never): Promise<Hex>;
  signMessage(message: never): Promise<Hex>;
  signAuthorization?: ((authorization: never) => Promise<unknown>) | undefined;
}

/** A viem local account, or anything with the `request` of EIP-1193 that signs for `address`. */
export type MessageSigner =
  | LocalSigner
  | { readonly address: Hex; request(query: { method: string; params: unknown[] }): Promise<unknown> };

/** One of a typed document (EIP-712), a text or its bytes, and, for a local account, an authorization (EIP-7702). */
export type GuardedMessage = Pick<
  SignedMessage,
  "typedData" | "personalMessage" | "authorization" | "origin"
>;

export interface SignPolicy extends JudgePolicy, Pick<GuardPolicy, "acceptReview"> {}

export interface GuardedSign {
  readonly signature: Hex;
  /** The verdict that it was signed on, with the URL of its receipt. */
  readonly guard: PaidAnswer<MessageGuard>;
  readonly verification: Verification;
}

/** What a key signs as it is. How calls and operations are signed is for the account that makes them. */
const signed = ["typedData", "personalMessage", "authorization"] as const;

/**
 * Buys a verdict on a message, checks it offline, and only then lets the wallet sign exactly the judged message. Throws
 * GuardRefusedError, with the answer, when anything speaks against it; then no signature is returned.
 *
 * @example
 * const { signature } = await guardedSign(account, { typedData }, { assay, signer });
 */
export async function guardedSign(
  wallet: MessageSigner,
  message: GuardedMessage,
  policy: SignPolicy,
  { signal }: RequestOptions = {},
): Promise<GuardedSign> {
  verifyPolicy(policy);
  const judged = readMessage(wallet, message);
  const sign = chooseSigner(wallet, judged);
  const { signer, ...read } = judged;
  const judgement = await judge({ message: read as SignedMessage, signer }, policy, { signal });
  const { answer, guard, verification } = judgement;
  await verifyAllowed(answer, policy.acceptReview, "message");
  await judgement.confirm({ signal });
  signal?.throwIfAborted();
  const signature = await sign();
  if (!(await isOfJudged(signature, answer, judged.signer)))
    throw new GuardRefusedError(
      "altered",
      answer,
      "The signature is not one of the judged message by its signer.",
      "message",
    );
  return { signature, guard, verification };
}

/** Reads the message once, in the one spelling that is judged: what is judged is what is signed. */
function readMessage(wallet: MessageSigner, message: GuardedMessage): CapabilityInput<MessageGuard> {
  if (!isAddress(wallet?.address ?? "", { strict: false }))
    throw new InvalidArgumentError(
      "guardedSign needs an account, or a provider with the address that it signs for.",
    );
  const named = Object.entries(message ?? {}).flatMap(([name, value]) =>
    name === "origin" || value === undefined ? [] : [name],
  );
  if (named.length !== 1 || !signed.some((name) => name === named[0]))
    throw new InvalidArgumentError(
      `guardedSign signs exactly one of ${signed.join(", ")}, with an origin where there is one: it was given ${named.join(", ") || "none"}.`,
    );
  return readMessageQuestion({ message, signer: wallet.address });
}

function chooseSigner(wallet: MessageSigner, judged: CapabilityInput<MessageGuard>): () => Promise<Hex> {
  const { typedData, personalMessage, authorization, signer } = judged;
  const isBytes = /^0x([0-9a-f]{2})+$/.test(personalMessage ?? "");
  if ("request" in wallet && typeof wallet.request === "function") {
    const ask = (method: string, ...params: unknown[]) => wallet.request({ method, params }) as Promise<Hex>;
    if (typedData) return () => ask("eth_signTypedData_v4", signer, JSON.stringify(typedData));
    if (personalMessage !== undefined)
      return () => ask("personal_sign", isBytes ? personalMessage : stringToHex(personalMessage), signer);
    throw new InvalidArgumentError("A provider signs no authorization (EIP-7702): give a local account.");
  }
  const account = wallet as unknown as Account;
  if (account.type !== "local" || !account.signTypedData || !account.signMessage)
    throw new InvalidArgumentError(
      "guardedSign needs a local account, or a provider with request and address.",
    );
  if (typedData) return () => account.signTypedData(typedData as never);
  if (personalMessage !== undefined)
    return () =>
      account.signMessage({ message: isBytes ? { raw: personalMessage as Hex } : personalMessage });
  const { signAuthorization } = account;
  if (!authorization || !signAuthorization)
    throw new InvalidArgumentError("This account signs no authorization (EIP-7702).");
  return async () => {
    const { r, s, yParity } = await signAuthorization({
      chainId: Number(authorization.chainId),
      address: authorization.address,
      nonce: Number(authorization.nonce),
    });
    return `0x${r.slice(2)}${s.slice(2)}${yParity === 0 ? "1b" : "1c"}`;
  };
}

/** A key's signature has 65 bytes and names its signer. What a smart account returns can only be checked by its contract. */
async function isOfJudged(signature: Hex, answer: CapabilityResult, signer: Hex): Promise<boolean> {
  if (typeof signature !== "string" || !/^0x([0-9a-fA-F]{2})+$/.test(signature)) return false;
  if (size(signature) !== 65) return true;
  const { findings } = answer.result.evidence as { findings?: { binding?: { digest?: Hex } } };
  const hash = findings?.binding?.digest;
  if (hash === undefined) return false;
  return isAddressEqual(await recoverAddress({ hash, signature }), signer);
}
