import type { RpcRequest } from "./rpcAnswer.js";
import type { NodeReport } from "./types.js";

/** What a node must be able to do to answer one question. Numbers are blocks, as in `NodeReport`. */
export interface Needs {
  readonly proofBlocks?: number;
  readonly stateBlocks?: number;
  readonly logSpan?: number;
  readonly overrides?: true;
  readonly traces?: true;
  readonly blockReceipts?: true;
}

/** Where each method that reads state takes its block. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getCode: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_estimateGas: 1,
  debug_traceCall: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
};

/** Every node has the state of blocks this new. */
const ALWAYS_KEPT_BLOCKS = 16;

/** What a request needs of a node, where the newest block is `head`. A block may be named by its number only. */
export function readNeeds({ method, params }: RpcRequest, head: number): Needs {
  if (method === "eth_getLogs") return readSpan(params[0]);
  if (method === "eth_getBlockReceipts") return { blockReceipts: true };
  const place = BLOCK_AT[method];
  if (place === undefined) return {};
  const at = params[place];
  const age = typeof at === "string" && at.startsWith("0x") ? head - Number(at) : 0;
  return {
    ...(age > ALWAYS_KEPT_BLOCKS && { stateBlocks: age }),
    // By the time that the question arrives, the newest block is another one.
    ...(method === "eth_getProof" && { proofBlocks: at === "latest" ? 0 : Math.max(1, age) }),
    ...(method === "eth_call" && params.length > 2 && { overrides: true }),
    ...(method === "debug_traceCall" && { traces: true }),
  };
}

function readSpan(filter: unknown): Needs {
  const { fromBlock, toBlock } = filter as { fromBlock?: string; toBlock?: string };
  const logSpan = Number(toBlock) - Number(fromBlock) + 1;
  return Number.isSafeInteger(logSpan) ? { logSpan } : {};
}

/** Whether a node can do what is needed. `perhaps`: less was tried when it was asked, or more did not work. */
export type Ability = "able" | "perhaps" | "unable";
const RANKS: readonly Ability[] = ["unable", "perhaps", "able"];

/** As far as the node was asked; what is not known counts as if it could. */
export function rateAbility(report: NodeReport | undefined, needs: Needs): Ability {
  const rated = Object.entries(needs).map(([ability, needed]: [string, number | true]): Ability => {
    const known = report?.[ability as keyof Needs];
    if (known === undefined || known === true) return "able";
    if (known === null || known === false) return "unable";
    return known >= Number(needed) ? "able" : "perhaps";
  });
  return RANKS.find((rank) => rated.includes(rank)) ?? "able";
}

/** The better ones first, and otherwise in the order that they have. */
export const compareAbility = (a: Ability, b: Ability): number => RANKS.indexOf(b) - RANKS.indexOf(a);
