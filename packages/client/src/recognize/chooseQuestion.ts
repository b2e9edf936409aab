import { findCapability } from "@assay/capabilities";
import { askNode, type ChainSource } from "../chain/askNode.js";
import type { PossibleQuestion, Recognized } from "./recognized.js";

/** Thrown before anybody pays: there is nothing to ask, or not yet. */
export class NothingToAskError extends Error {
  override readonly name = "NothingToAskError";
}

const FLAGS: Readonly<Record<string, string>> = {
  from: "from, the account that would send it",
  to: "to, the contract that it is for",
  signer: "from, the account that is asked to sign it",
  "userOperation.entryPoint": "entryPoint, the contract that runs the operation (ERC-4337)",
};

/**
 * The question to ask about a recognized paste. Where the caller wants a certain capability, it must be one that takes it; a
 * node of the caller's, which costs nothing, tells tokens from other contracts.
 */
export async function chooseQuestion(
  found: Recognized,
  { capability, node }: { readonly capability?: string | undefined; readonly node?: ChainSource | undefined },
): Promise<PossibleQuestion> {
  const { questions, problem, tokens, title } = found;
  if (problem !== undefined) {
    const named = (tokens ?? []).map(
      (token) => `${token.address ?? "no address"} is ${token.name} (${token.symbol})`,
    );
    const list = named.length > 1 ? ` ${named.join("; ")}.` : "";
    throw new NothingToAskError(`${found.kind === "unknown" ? "" : `This is ${title}. `}${problem}${list}`);
  }
  const fitting =
    capability === undefined ? questions : questions.filter((one) => one.capabilityId === capability);
  const [first] = fitting;
  if (!first) {
    const names = questions.map(({ capabilityId }) => capabilityId).join(", ");
    throw new NothingToAskError(
      `This is ${title}, which ${capability} does not take. Those that do: ${names}.`,
    );
  }
  const forTokens =
    capability === undefined && node !== undefined && questions.find((one) => one.isForTokens);
  const isToken = forTokens && (await isUnlistedToken(node, String(first.input.address)));
  const question = isToken ? forTokens : first;
  if (question.missing.length > 0)
    throw new NothingToAskError(
      `This is ${title}. Add ${question.missing.map((name) => FLAGS[name] ?? name).join(", and ")}.`,
    );
  return question;
}

const SELECTORS = ["0x313ce567", "0x18160ddd"]; // decimals(), totalSupply()

/** Whether a contract answers as a token does. What is well known needs no try of a sale. */
async function isUnlistedToken(node: ChainSource, to: string): Promise<boolean> {
  const { listKnownTokens } = await import("@assay/capabilities/knownTokens");
  if (listKnownTokens().some(({ address }) => address === to.toLowerCase())) return false;
  const answers = await Promise.all(
    SELECTORS.map((data) => askNode(node, { method: "eth_call", params: [{ to, data }, "latest"] })),
  );
  return answers.every((answer) => answer.ok && /^0x[0-9a-f]{64}$/i.test(String(answer.result)));
}

/** The title of a capability, for people. */
export const titleOf = (id: string): string => findCapability(id)?.title ?? id;
