import type { Chain, SendAnswer } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { plainReason } from "./plainReason.js";

/** What became of a transaction handed to nodes. `perhaps`: it may be mined. `undelivered`: this time no node got it. */
export type Sent =
  | { readonly status: "accepted" }
  | {
      readonly status:
        | "perhaps"
        | "nonce_taken"
        | "nonce_wrong"
        | "underpriced"
        | "too_big"
        | "refused"
        | "undelivered";
      readonly reason: string;
    };

/** Of the answers of several nodes, the one that says most about the transaction comes first. */
const TELLING: readonly Sent["status"][] = [
  "accepted",
  "nonce_wrong",
  "nonce_taken",
  "perhaps",
  "underpriced",
  "too_big",
  "refused",
];

/** Hands a signed transaction to one node, or to each of them. Never throws. */
export async function broadcast(chain: Chain, raw: Hex, toEach: boolean): Promise<Sent> {
  const answers = (await chain.sendTransaction(raw, { toEach })).map(readSendAnswer);
  for (const status of TELLING) {
    const found = answers.find((answer) => answer.status === status);
    if (found) return found;
  }
  return { status: "undelivered", reason: "no node takes transactions now" };
}

function readSendAnswer(answer: SendAnswer): Sent {
  if (answer.status === "accepted") return answer;
  if (answer.status === "silent") return { status: "perhaps", reason: plainReason(answer.reason) };
  return readRefusal(plainReason(answer.error.message));
}

/** What a node means by refusing a transaction. With a reason that is not recognised, it may still have accepted it. */
export function readRefusal(reason: string): Sent {
  if (/already (known|imported|exists|included|mined)|known transaction/i.test(reason))
    return { status: "accepted" };
  if (/replacement|could not replace/i.test(reason)) return { status: "nonce_taken", reason };
  if (/nonce/i.test(reason)) return { status: "nonce_wrong", reason };
  if (/underpriced|less than block base fee|fee too low|too low to be included/i.test(reason))
    return { status: "underpriced", reason };
  if (/\btoo (big|large|long)\b|oversized|exceeds (the )?(block )?gas limit/i.test(reason))
    return { status: "too_big", reason };
  if (/insufficient funds|doesn't have enough funds|not have enough/i.test(reason))
    return { status: "refused", reason: "the settler has too little ETH for gas" };
  return { status: "perhaps", reason };
}
