import type { Evm } from "./createEvm.js";
import { createMiner } from "./createMiner.js";
import { isResult } from "./readResult.js";

/** A JSON-RPC node without a transport. */
export interface DevnetNode {
  /** Answers with the text of `{"result":…}` or `{"error":…}`. */
  answer: Evm;
  close(): Promise<void>;
}

/** Far more wei than exist. EDR panics when value and fees overflow 256 bits, which would end the process. */
const MAX_VALUE = 2n ** 128n;
const RUNNING_METHODS = new Set(["eth_call", "eth_estimateGas", "eth_sendTransaction", "debug_traceCall"]);
const UNPAYABLE = JSON.stringify({
  error: { code: -32000, message: "insufficient funds for gas * price + value" },
});

function isUnpayable(method: string, params: unknown): boolean {
  if (!RUNNING_METHODS.has(method) || !Array.isArray(params)) return false;
  const { value, gasPrice, maxFeePerGas } = (params[0] ?? {}) as Record<string, unknown>;
  return [value, gasPrice, maxFeePerGas].some(
    (amount) => typeof amount === "string" && /^0x[0-9a-f]+$/i.test(amount) && BigInt(amount) > MAX_VALUE,
  );
}

/** Turns a chain that mines on command into a node that mines on each transaction and when idle. */
export function createNode(evm: Evm, blockTimeMs: number): DevnetNode {
  const miner = createMiner(evm, blockTimeMs);

  async function answer(method: string, params: unknown): Promise<string> {
    if (isUnpayable(method, params)) return UNPAYABLE;
    const ownMethod = miner.find(method);
    if (ownMethod) return ownMethod(Array.isArray(params) ? params : []);
    const text = await evm(method, params);
    const sends = method === "eth_sendRawTransaction" || method === "eth_sendTransaction";
    if (sends && miner.automine && isResult(text)) await miner.mineWaiting();
    return text;
  }

  return { answer, close: miner.close };
}
