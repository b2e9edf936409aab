import { onTestFinished } from "vitest";
import type { ChainTiming } from "../chainTiming.js";
import { type CreateChainOptions, createChain } from "../createChain.js";
import type { Chain } from "../types.js";
import { installContracts } from "./contracts.js";
import { type FaultyNode, startFaultyNode } from "./faultyNode.js";
import { createLocalChain, type LocalChain } from "./localChain.js";

export interface ChainFixture {
  readonly local: LocalChain;
  readonly node: FaultyNode;
  readonly chain: Chain;
}

/** The nodes of these tests are in the same process, so nothing needs the waits that suit public ones. */
const SHORT_TIMING: Partial<ChainTiming> = {
  roundDelaysMs: [10, 20],
  blockDelaysMs: [20],
  minPollMs: 40,
  maxPollMs: 40,
  idlePollMs: 40,
};

/** Closes at the end of the current test. Files of a worker share this module, so a hook here would serve only the first. */
function closeLater<T extends { close(): Promise<void> }>(resource: T): T {
  onTestFinished(() => resource.close());
  return resource;
}

export async function openNode(local: LocalChain): Promise<FaultyNode> {
  return closeLater(await startFaultyNode(local));
}

export async function openChain(
  nodes: readonly FaultyNode[],
  options: Partial<CreateChainOptions> = {},
): Promise<Chain> {
  const rpcUrls = nodes.map(({ url }) => url);
  const chain = closeLater(
    await createChain({ rpcUrls, expectedChainId: 8453, timing: SHORT_TIMING, ...options }),
  );
  for (const { requests } of nodes) requests.length = 0;
  return chain;
}

/** A local chain with the sample contracts, one node in front of it and a client of that node. */
export async function openFixture(options: Partial<CreateChainOptions> = {}): Promise<ChainFixture> {
  const local = await createLocalChain();
  await installContracts(local);
  const node = await openNode(local);
  return { local, node, chain: await openChain([node], options) };
}
