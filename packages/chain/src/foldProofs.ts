import { z } from "zod";
import { classifyNodeError, type NodeErrorKind } from "./classifyNodeError.js";
import { type Fold, type Folder, groupPlaces, OF_EACH_REQUEST } from "./fold.js";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";

const provenSchema = z.looseObject({
  balance: z.string(),
  nonce: z.string(),
  storageProof: z.array(z.unknown()),
});
type Proven = z.infer<typeof provenSchema>;

/** Where each method takes its block; the address comes first in all of them. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getProof: 2,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
};

const NO_PROOFS: ReadonlySet<NodeErrorKind> = new Set(["proof_window", "unsupported"]);

/**
 * The answer to a proof (EIP-1186) states balance and nonce of the account beside their trie nodes, and one may ask for the slots
 * of several proofs. Only a node whose last proof was given is asked in this way: with another one, the rest would be asked twice.
 */
export function foldProofs(): Folder {
  let isProving = false;

  return (requests) => {
    const groups = groupPlaces(requests, ({ method, params }) => {
      const at = BLOCK_AT[method];
      return at === undefined ? undefined : JSON.stringify([params[0], params[at]]);
    });
    return groups.flatMap(({ places }): Fold[] => {
      const asked = places.map((place) => requests[place] as RpcRequest);
      const proof = asked.find(({ method }) => method === "eth_getProof");
      if (proof === undefined) return [];
      const [address, , at] = proof.params;
      const all = isProving ? asked : [proof];
      const slots = [...new Set(all.flatMap(listSlots))];
      return [
        {
          places: isProving ? places : [places[asked.indexOf(proof)] as number],
          request: { method: "eth_getProof", params: [address, slots, at] },
          open(answer) {
            isProving = answer.kind === "result" && answer.result !== null;
            if (all.length === 1) return [answer];
            const proven = answer.kind === "result" ? provenSchema.safeParse(answer.result).data : undefined;
            if (proven?.storageProof.length === slots.length)
              return all.map((request) => ({ kind: "result", result: takeResult(request, proven, slots) }));
            return all.map((request) => (isAnswerTo(request, answer) ? answer : undefined));
          },
        },
      ];
    });
  };
}

/** Whether the request would have got this answer by itself. */
function isAnswerTo({ method }: RpcRequest, answer: RpcAnswer): boolean {
  if (answer.kind !== "error") return answer.kind === "no_response";
  const kind = classifyNodeError(answer.error);
  return OF_EACH_REQUEST.has(kind) || (method === "eth_getProof" && NO_PROOFS.has(kind));
}

const listSlots = ({ method, params }: RpcRequest): readonly string[] =>
  method === "eth_getProof" ? (params[1] as readonly string[]) : [];

/** The part of the answer that this request asked for. */
function takeResult(request: RpcRequest, proven: Proven, slots: readonly string[]): unknown {
  const own = listSlots(request).map((slot) => proven.storageProof[slots.indexOf(slot)]);
  switch (request.method) {
    case "eth_getBalance":
      return proven.balance;
    case "eth_getTransactionCount":
      return proven.nonce;
    default:
      return { ...proven, storageProof: own };
  }
}
