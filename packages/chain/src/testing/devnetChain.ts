import type { Devnet } from "@assay/devnet";
import type { LocalAnswer, LocalChain } from "./localChain.js";

/** A devnet as the chain behind a test's node. */
export function devnetChain(devnet: Devnet): LocalChain {
  return {
    async answer(method, params) {
      const response = await fetch(devnet.rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      const { result, error } = (await response.json()) as LocalAnswer;
      return error === undefined ? { result } : { error };
    },
    rpc: (method, ...params) => devnet.request(method, params),
  };
}
