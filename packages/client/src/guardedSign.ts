import { getCapability } from "@assay/capabilities";
import type { CapabilityResult, Hex } from "@assay/protocol";
import { type Account, isAddress, isAddressEqual, recoverAddress, size, stringToHex } from "viem";
import type { CapabilityArguments } from "./capabilityArguments.js";
import type { ChainSource } from "./chain/askNode.js";
import { openChainNode } from "./chain/openChainNode.js";
import { checkResult } from "./checkResult.js";
import { confirmAnswer } from "./confirmAnswer.js";
import type { RequestOptions } from "./connect.js";
import type { PaidAnswer } from "./createClient.js";
import { describeFailure } from "./describeFailure.js";
import { findOtherQuestion } from "./findOtherQuestion.js";
import type { GuardPolicy } from "./guardedSend.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import { latestEndMs } from "./latestEndMs.js";
import type { Verification } from "./verification.js";

const GUARD = "message.intent.guard";
type Arguments = CapabilityArguments<typeof GUARD>;

/** A viem local account, or anything with the `request` of EIP-1193 that signs for `address`. */
export type MessageSigner =
  | Account
  | { readonly address: Hex; request(query: { method: string; params: unknown[] }): Promise<unknown> };

/** One of a typed document (EIP-712), a text or its bytes, and, for a local account, an authorization (EIP-7702). */
export type GuardedMessage = Pick<Arguments, "typedData" | "personalMessage" | "authorization" | "origin">;

export interface SignPolicy extends Pick<GuardPolicy, "assay" | "signer" | "maxPriceUsd" | "acceptReview"> {
  /** A node of one's own, asked for the block that was judged and for the head. Without one the clock decides. */
  readonly node?: ChainSource | undefined;
}

export interface GuardedSign {
  readonly signature: Hex;
  /** The verdict that it was signed on, with the URL of its receipt. */
  readonly guard: PaidAnswer<typeof GUARD>;
  readonly verification: Verification;
}

/** What a key signs as it is. How calls and operations are signed is for the account that makes them. */
const signed = ["typedData", "personalMessage", "authorization"] as const;

type Judged = ReturnType<typeof readMessage>;

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
  if (typeof policy?.assay?.call !== "function")
    throw new TypeError("guardedSign needs a policy with a client: give { assay, signer }.");
  const { assay, signer, maxPriceUsd, acceptReview } = policy;
  if (!isAddress(signer, { strict: false }))
    throw new TypeError("guardedSign needs the address that the service is known to sign with: give signer.");
  const judged = readMessage(wallet, message);
  const sign = chooseSigner(wallet, judged);
  signal?.throwIfAborted();
  const node = policy.node === undefined ? undefined : await openChainNode(policy.node);

  const guard = await assay.call(GUARD, judged as Arguments, { maxPriceUsd, signal });
  const { answer } = guard;
  const refuse = (refusal: GuardRefusedError["refusal"], detail: string) =>
    new GuardRefusedError(refusal, answer, detail, "message");
  const verification = await checkResult(answer, { signer });
  if (!verification.ok) throw refuse("not_verified", describeFailure(verification));
  const other = findOtherQuestion(answer, GUARD, judged);
  if (other) throw refuse("other_transaction", other);
  if (answer.verdict === "block" || (answer.verdict === "review" && (await acceptReview?.(answer)) !== true))
    throw refuse(answer.verdict, answer.result.summary);
  if (node) await confirmAnswer(node, answer, signal);
  if (Date.now() > latestEndMs(answer)) throw refuse("expired", "Its time has passed.");
  signal?.throwIfAborted();
  const signature = await sign();
  if (!(await isOfJudged(signature, answer, judged.signer)))
    throw refuse("altered", "The signature is not one of the judged message by its signer.");
  return { signature, guard, verification };
}

/** Reads the message once, in the one spelling that is judged: what is judged is what is signed. */
function readMessage(wallet: MessageSigner, message: GuardedMessage) {
  if (!isAddress(wallet?.address ?? "", { strict: false }))
    throw new TypeError("guardedSign needs an account, or a provider with the address that it signs for.");
  const named = Object.entries(message ?? {}).flatMap(([name, value]) =>
    name === "origin" || value === undefined ? [] : [name],
  );
  if (named.length !== 1 || !signed.some((name) => name === named[0]))
    throw new TypeError(
      `guardedSign signs exactly one of ${signed.join(", ")}, with an origin where there is one: it was given ${named.join(", ") || "none"}.`,
    );
  const { typedData, personalMessage, authorization, origin } = message;
  const given = {
    signer: wallet.address,
    ...(typedData !== undefined && { typedData: toJson(typedData) }),
    ...(personalMessage !== undefined && { personalMessage }),
    ...(authorization !== undefined && { authorization: toJson(authorization) }),
    ...(origin !== undefined && { origin }),
  };
  const parsed = getCapability(GUARD).input.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw new TypeError(`guardedSign does not take this message: ${faults.join("; ")}.`);
}

/** viem takes whole numbers as bigint, which JSON has not. */
const toJson = (value: object | string | null) =>
  typeof value === "string"
    ? value
    : (JSON.parse(
        JSON.stringify(value, (_, one) => (typeof one === "bigint" ? one.toString() : one)),
      ) as object);

function chooseSigner(wallet: MessageSigner, judged: Judged): () => Promise<Hex> {
  const { typedData, personalMessage, authorization, signer } = judged;
  const isBytes = /^0x([0-9a-f]{2})+$/.test(personalMessage ?? "");
  if ("request" in wallet && typeof wallet.request === "function") {
    const ask = (method: string, ...params: unknown[]) => wallet.request({ method, params }) as Promise<Hex>;
    if (typedData) return () => ask("eth_signTypedData_v4", signer, JSON.stringify(typedData));
    if (personalMessage !== undefined)
      return () => ask("personal_sign", isBytes ? personalMessage : stringToHex(personalMessage), signer);
    throw new TypeError("A provider signs no authorization (EIP-7702): give a local account.");
  }
  const account = wallet as Account;
  if (account.type !== "local" || !account.signTypedData || !account.signMessage)
    throw new TypeError("guardedSign needs a local account, or a provider with request and address.");
  if (typedData) return () => account.signTypedData(typedData as never);
  if (personalMessage !== undefined)
    return () =>
      account.signMessage({ message: isBytes ? { raw: personalMessage as Hex } : personalMessage });
  const { signAuthorization } = account;
  if (!authorization || !signAuthorization)
    throw new TypeError("This account signs no authorization (EIP-7702).");
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
