import {
  nothing,
  type PasteContext,
  type PastedKind,
  type PossibleQuestion,
  type Recognized,
} from "./recognized.js";
import { describeOtherChain, findOtherChain, type JsonRecord } from "./recognizeTransaction.js";

function ask(
  kind: PastedKind,
  title: string,
  fields: JsonRecord,
  { from, origin }: PasteContext,
  missing: readonly string[] = [],
): Recognized {
  const input = { ...(from && { signer: from }), ...fields, ...(origin && { origin }) };
  const question: PossibleQuestion = {
    capabilityId: "message.intent.guard",
    input,
    missing: [...(from ? [] : ["signer"]), ...missing],
  };
  return { kind, title, questions: [question] };
}

/** EIP-712. A document for another chain is judged too: such a signature may be valid where the signer does not expect it. */
export function askTypedData(typedData: unknown, context: PasteContext): Recognized {
  const { primaryType } = Object(typedData) as { primaryType?: unknown };
  const name = typeof primaryType === "string" && /^\w{1,64}$/.test(primaryType) ? ` ${primaryType}` : "";
  return ask("typedData", `a message to sign${name} (EIP-712)`, { typedData }, context);
}

/** ERC-4337. The sender is the account that it acts for, which is not always the one that signs. */
export function askOperation(given: JsonRecord, context: PasteContext): Recognized {
  const entryPoint = given.entryPoint ?? context.entryPoint;
  const userOperation = { ...given, ...(entryPoint !== undefined && { entryPoint }) };
  const sender = typeof given.sender === "string" ? (given.sender as `0x${string}`) : undefined;
  const missing = entryPoint === undefined ? ["userOperation.entryPoint"] : [];
  const signing = { ...context, from: context.from ?? sender };
  return ask("userOperation", "a user operation (ERC-4337)", { userOperation }, signing, missing);
}

/** EIP-5792. */
export function askCalls(value: JsonRecord, context: PasteContext): Recognized {
  const otherChain = findOtherChain(value.chainId);
  const isSplit = (value.calls as readonly unknown[]).length > 1 && value.atomicRequired !== true;
  const title = `a batch of calls (EIP-5792)${isSplit ? ", judged as if all were carried out together, which it does not ask for" : ""}`;
  if (otherChain !== undefined) return nothing("calls", title, describeOtherChain(otherChain));
  const from = typeof value.from === "string" ? (value.from as `0x${string}`) : context.from;
  const calls = (value.calls as readonly unknown[]).map((call) => {
    const { to, data, value: amount } = Object(call) as JsonRecord;
    return { to, ...(data !== undefined && { data }), ...(amount !== undefined && { value: amount }) };
  });
  return ask("calls", title, { calls }, { ...context, from });
}

/** EIP-7702. */
export function askAuthorization(value: JsonRecord, context: PasteContext): Recognized {
  const address = value.address ?? value.contractAddress;
  const { chainId, nonce } = value;
  const title = "an authorization to run code in the account's name (EIP-7702)";
  return ask("authorization", title, { authorization: { chainId, address, nonce } }, context);
}

/** A text, or bytes that `personal_sign` takes. */
export function askMessage(
  personalMessage: string,
  { from, origin }: PasteContext,
  title: string,
): Recognized {
  const input = { ...(from && { signer: from }), personalMessage, ...(origin && { origin }) };
  const missing = from ? [] : ["signer"];
  return {
    kind: "personalMessage",
    title,
    questions: [{ capabilityId: "message.intent.guard", input, missing }],
  };
}
