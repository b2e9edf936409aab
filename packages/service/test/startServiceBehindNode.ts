import { devnetChain } from "@assay/chain/testing/devnetChain";
import { type FaultyNode, startFaultyNode } from "@assay/chain/testing/faultyNode";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { startTestService, type TestService } from "./startTestService.js";

export interface ServiceBehindNode {
  /** Its only node is `node`; its payers and contracts are those of the chain behind that node. */
  readonly service: TestService;
  readonly node: FaultyNode;
  /** Another front to the same chain. */
  openNode(): Promise<FaultyNode>;
  stop(): Promise<void>;
}

/** The real service, with a node between it and the local chain. The node counts requests and can be made to misbehave. */
export async function startServiceBehindNode(): Promise<ServiceBehindNode> {
  const devnet = await openSharedDevnet({ blockTimeMs: 500 });
  const chain = devnetChain(devnet);
  const node = await startFaultyNode(chain);
  const env = { RPC_URL: node.url, RATE_LIMITS: "off" };
  const service = await startTestService(env, undefined, devnet);
  const others: FaultyNode[] = [];
  return {
    service,
    node,
    async openNode() {
      const other = await startFaultyNode(chain);
      others.push(other);
      return other;
    },
    async stop() {
      await service.stop();
      await Promise.all([node, ...others].map((one) => one.close()));
    },
  };
}
