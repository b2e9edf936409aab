import { type CapabilityInput, getCapability } from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import { isAddress } from "viem";
import type { CapabilityArguments } from "./capabilityArguments.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";

/** The capabilities that judge a transaction before it is signed. */
export type TransactionGuard = "transaction.intent.guard" | "amm.swap.guard";
export type MessageGuard = "message.intent.guard";
export type SigningGuard = TransactionGuard | MessageGuard;

/** A transaction that somebody wants to sign. */
export interface TransactionQuestion {
  readonly transaction: {
    readonly from: Hex;
    readonly to: Hex;
    readonly data?: Hex | undefined;
    /** In wei; a text is decimal, or 0x and hex digits. */
    readonly value?: bigint | string | undefined;
  };
  /** Which guard to ask; by default transaction.intent.guard. */
  readonly guard?: TransactionGuard | undefined;
}

/**
 * Exactly one of a typed document (EIP-712), a text or its bytes, an authorization (EIP-7702), a user operation (ERC-4337) and
 * a list of calls (EIP-5792); with the origin of the site that asks for it, where there is one.
 */
export type SignedMessage = Pick<
  CapabilityArguments<MessageGuard>,
  "typedData" | "personalMessage" | "authorization" | "userOperation" | "calls" | "origin"
>;

/** A message that somebody wants to sign. */
export interface MessageQuestion {
  readonly message: SignedMessage;
  /** The address that is asked to sign it. */
  readonly signer: Hex;
}

/** What somebody wants to sign. */
export type SigningQuestion = TransactionQuestion | MessageQuestion;

/** The capabilities that may answer a question of this type. */
export type GuardOf<Q extends SigningQuestion> = Q extends MessageQuestion ? MessageGuard : TransactionGuard;

/** A capability and what it is asked. */
type SigningInput =
  | { readonly id: TransactionGuard; readonly input: CapabilityInput<TransactionGuard> }
  | { readonly id: MessageGuard; readonly input: CapabilityInput<MessageGuard> };

/**
 * The capability to ask and its input in the one spelling that is judged. Reads each field once: what is judged is what is
 * signed, also when an object returns another value the next time. Throws InvalidArgumentError at what no guard takes, before anybody pays.
 */
export function readSigningQuestion(question: SigningQuestion): SigningInput {
  if ("transaction" in Object(question)) return readTransaction(question as TransactionQuestion);
  if ("message" in Object(question))
    return { id: "message.intent.guard", input: readMessageQuestion(question as MessageQuestion) };
  throw new InvalidArgumentError("A question needs a transaction, or a message and its signer.");
}

function readTransaction({
  transaction,
  guard: id = "transaction.intent.guard",
}: TransactionQuestion): SigningInput {
  const { from, to, data = "0x", value = 0n } = transaction;
  for (const [name, address] of Object.entries({ from, to })) {
    // A transaction without a target creates a contract, which no guard judges.
    if (!address) throw new InvalidArgumentError(`A transaction needs the address in ${name}.`);
    if (!isAddress(address))
      throw new InvalidArgumentError(
        `${name}: ${address} is not an address, or its capital letters do not match its checksum (EIP-55): check every digit.`,
      );
  }
  return { id, input: parse(id, { from, to, data, value: readWei(value) }, "transaction") };
}

function readWei(value: bigint | string): string {
  if (typeof value === "bigint" && value >= 0n) return value.toString();
  if (typeof value === "string" && /^(0x[0-9a-fA-F]+|\d+)$/.test(value)) return BigInt(value).toString();
  throw new InvalidArgumentError("value must be wei as a bigint, or as a text of decimal or 0x hex digits.");
}

/** The same for a message alone. */
export function readMessageQuestion({ message, signer }: MessageQuestion): CapabilityInput<MessageGuard> {
  if (!isAddress(signer ?? "", { strict: false }))
    throw new InvalidArgumentError("A message needs the address of its signer: give signer.");
  const given = Object.entries(message ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, toJson(value)]],
  );
  return parse("message.intent.guard", { ...Object.fromEntries(given), signer }, "message");
}

/** viem takes whole numbers as bigint, which JSON has not. */
const toJson = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? one.toString() : one)))
    : value;

function parse<Id extends SigningGuard>(id: Id, given: object, what: string): CapabilityInput<Id> {
  const parsed = getCapability(id).input.safeParse(given);
  if (parsed.success) return parsed.data as CapabilityInput<Id>;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw new InvalidArgumentError(`No guard takes this ${what}: ${faults.join("; ")}.`);
}
