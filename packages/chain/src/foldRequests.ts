import type { SendInParts } from "./batchSplitter.js";
import type { Fold, Folder, Overriding } from "./fold.js";
import { foldCalls } from "./foldCalls.js";
import { foldLogs } from "./foldLogs.js";
import { foldProofs } from "./foldProofs.js";
import { foldSlots } from "./foldSlots.js";
import { noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";

/**
 * Asks one node the same with fewer requests, because providers bill each request of a batch. Every answer is what the node
 * would have given to the request by itself; what a fold does not answer is sent once more by itself.
 */
export function createFolding(send: SendInParts, overriding: Overriding): SendInParts {
  const folders: readonly Folder[] = [foldCalls(overriding), foldSlots(overriding), foldProofs(), foldLogs()];

  return async (requests, deadline, inOrder) => {
    // What encloses other requests says nothing about those that are sent after it.
    const folds = inOrder ? [] : folders.flatMap((fold) => fold(requests));
    if (folds.length === 0) return send(requests, deadline, inOrder);
    const answers = await sendFolded(send, requests, folds, deadline);
    const left = requests.flatMap((_, place) => (answers[place] === undefined ? [place] : []));
    if (left.length > 0) {
      const again = await send(
        left.map((place) => requests[place] as RpcRequest),
        deadline,
        false,
      );
      left.forEach((place, i) => {
        answers[place] = again[i];
      });
    }
    return answers.map((answer) => answer ?? noResponse("no_answer"));
  };
}

/** Sends the folds in place of what they answer. Undefined is what must be asked by itself. */
export async function sendFolded(
  send: SendInParts,
  requests: readonly RpcRequest[],
  folds: readonly Fold[],
  deadline: number,
): Promise<(RpcAnswer | undefined)[]> {
  const folded = new Set(folds.flatMap(({ places }) => places));
  const kept = requests.flatMap((_, i) => (folded.has(i) ? [] : [i]));
  const sent = [...kept.map((i) => requests[i] as RpcRequest), ...folds.map(({ request }) => request)];
  const given = await send(sent, deadline, false);
  const answers: (RpcAnswer | undefined)[] = requests.map(() => undefined);
  kept.forEach((place, i) => {
    answers[place] = given[i] ?? noResponse("no_answer");
  });
  folds.forEach(({ places, open }, i) => {
    const opened = open(given[kept.length + i] ?? noResponse("no_answer"));
    places.forEach((place, at) => {
      answers[place] = opened[at];
    });
  });
  return answers;
}
