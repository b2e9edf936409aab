import { createDevnet } from "@assay/devnet";
import { type FaultyNode, startFaultyNode } from "../chain/testing/faultyNode.js";
import type { LocalAnswer, LocalChain } from "../chain/testing/localChain.js";
import { startTestService, type TestService } from "./startTestService.js";

export interface ServiceBehindNode {
  /** Its only node is `node`; its payers and contracts are those of the chain behind that node. */
  readonly service: TestService;
  readonly node: FaultyNode;
  /** Another front to the same chain. */
  openNode(): Promise<FaultyNode>;
  stop(): Promise<void>;
}

/** The real service with a node between it and the local chain that counts and can be told to misbehave. */
export async function startServiceBehindNode(): Promise<ServiceBehindNode> {
  const devnet = await createDevnet({ blockTimeMs: 500 });
  const answer = async (method: string, params: readonly unknown[]): Promise<LocalAnswer> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(devnet.rpcUrl, { method: "POST", headers, body });
    const { result, error } = (await response.json()) as LocalAnswer;
    return error === undefined ? { result } : { error };
  };
  const chain: LocalChain = { answer, rpc: (method, ...params) => devnet.request(method, params) };
  const node = await startFaultyNode(chain);
  const started = await startTestService({ RPC_URL: node.url, RATE_LIMITS: "off" });
  const others: FaultyNode[] = [];
  return {
    service: { ...started, chainOf: devnet },
    node,
    async openNode() {
      const other = await startFaultyNode(chain);
      others.push(other);
      return other;
    },
    async stop() {
      await started.stop();
      await Promise.all([node, ...others].map((one) => one.close()));
      await devnet.close();
    },
  };
}
