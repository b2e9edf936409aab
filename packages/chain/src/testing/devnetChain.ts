import { type Devnet, DevnetRpcError } from "@assay/devnet";
import type { LocalChain } from "./localChain.js";

/** A devnet as the chain behind a test's node. */
export function devnetChain(devnet: Devnet): LocalChain {
  return {
    async answer(method, params) {
      try {
        return { result: await devnet.request(method, params) };
      } catch (error) {
        if (!(error instanceof DevnetRpcError)) throw error;
        const { code, data, message } = error;
        // As it was before it became an exception.
        return { error: { code, data, message: message.slice(`${method}: `.length) } };
      }
    },
    rpc: (method, ...params) => devnet.request(method, params),
  };
}
