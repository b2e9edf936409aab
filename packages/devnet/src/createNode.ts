import type { Evm } from "./createEvm.js";
import { createMiner } from "./createMiner.js";
import { isResult } from "./readResult.js";

/** A JSON-RPC node without a transport. */
export interface DevnetNode {
  /** Answers with the text of `{"result":…}` or `{"error":…}`. */
  answer: Evm;
  close(): Promise<void>;
}

/** Turns a chain that mines on command into a node that mines on each transaction and when idle. */
export function createNode(evm: Evm, blockTimeMs: number): DevnetNode {
  const miner = createMiner(evm, blockTimeMs);

  async function answer(method: string, params: unknown): Promise<string> {
    const ownMethod = miner.find(method);
    if (ownMethod) return ownMethod(Array.isArray(params) ? params : []);
    const text = await evm(method, params);
    const sends = method === "eth_sendRawTransaction" || method === "eth_sendTransaction";
    if (sends && miner.automine && isResult(text)) await miner.mineWaiting();
    return text;
  }

  return { answer, close: miner.close };
}
