import type { Address, Hex } from "viem";
import { canonicalAddresses } from "./canonicalAddresses.js";
import { chainId, createEvm, type Evm } from "./createEvm.js";
import { createNode } from "./createNode.js";
import { type DevnetContracts, deployContracts } from "./deployContracts.js";
import { predictionQuestion } from "./deployPrediction.js";
import { type DevnetAccount, devnetAccounts } from "./devnetAccounts.js";
import { describeLendingMarket, type LendingMarket } from "./openLendingMarket.js";
import { readResult } from "./readResult.js";
import { serveJsonRpc } from "./serveJsonRpc.js";
import { servePages } from "./servePages.js";

export interface DevnetOptions {
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number;
  /** An empty block is mined after this time without a block; 0 mines only on transactions. Default 2000. */
  blockTimeMs?: number;
  /** Called before each request is answered, whether it came over HTTP or in-process. */
  onRequest?: (method: string, params: unknown) => void;
}

/** What a client needs to use the devnet, as plain JSON. */
export interface DevnetDescription {
  rpcUrl: string;
  chainId: 8453;
  stablecoin: { address: Address; name: string; version: string; decimals: number };
  /** Ten accounts, each with 10,000 ether and 1,000,000 stablecoins. */
  accounts: DevnetAccount[];
  contracts: DevnetContracts;
  /** An open market of Morpho, in which alice has collateral. */
  lendingMarket: LendingMarket;
  /** Sample pages, on a host that only a service configured with `pageHost` can read. */
  pages: string[];
}

export interface Devnet extends DevnetDescription {
  /** Owns every contract that has an owner. */
  deployer: DevnetAccount;
  /** Pays gas for settlements; holds ether only. */
  settler: DevnetAccount;
  payTo: Address;
  /** The name of the pages' host, and its place: `127.0.0.1:port`. */
  pageHost: [name: string, place: string];
  /** What the contract `predictionMarket` asks. */
  predictionQuestion: string;
  /** The hash of a swap that was made during set-up. */
  sampleTrade: Hex;
  /** Calls the node in-process; throws DevnetRpcError where HTTP would answer an error. */
  request<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>;
  snapshot(): Promise<Hex>;
  /** Goes back to a snapshot, which can be used only once. Throws when there is no such snapshot. */
  revert(snapshotId: Hex): Promise<void>;
  mine(blocks?: number): Promise<void>;
  close(): Promise<void>;
  describe(): DevnetDescription;
}

/**
 * Starts a chain in this process that answers as Base (chain id 8453), with Uniswap, a stablecoin and sample contracts
 * deployed, and serves it over HTTP.
 *
 * @example
 * const devnet = await createDevnet();
 * const client = createPublicClient({ chain: base, transport: http(devnet.rpcUrl) });
 * await devnet.close();
 */
export async function createDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const evm = await createEvm();
  const { contracts, sampleTrade } = await deployContracts(evm);
  const node = createNode(evm, options.blockTimeMs ?? 2000);
  const answer: Evm = (method, params) => {
    options.onRequest?.(method, params);
    return node.answer(method, params);
  };
  const server = await serveJsonRpc(answer, options.port ?? 0).catch(async (error) => {
    await node.close();
    throw error;
  });
  const pages = await servePages();

  async function request<Result>(method: string, params: readonly unknown[] = []): Promise<Result> {
    return readResult<Result>(method, await answer(method, params));
  }

  const description: DevnetDescription = {
    rpcUrl: server.url,
    chainId,
    stablecoin: { address: canonicalAddresses.stablecoin, name: "USD Coin", version: "2", decimals: 6 },
    accounts: devnetAccounts.users,
    contracts,
    lendingMarket: describeLendingMarket(contracts),
    pages: pages.urls,
  };
  return {
    ...description,
    deployer: devnetAccounts.deployer,
    settler: devnetAccounts.settler,
    payTo: devnetAccounts.payTo.address,
    pageHost: [pages.host, pages.place],
    predictionQuestion,
    sampleTrade,
    request,
    snapshot: () => request<Hex>("evm_snapshot"),
    async revert(snapshotId) {
      const reverted = await request<boolean>("evm_revert", [snapshotId]);
      if (!reverted) throw new Error(`The devnet has no snapshot ${snapshotId}.`);
    },
    async mine(blocks = 1) {
      for (let mined = 0; mined < blocks; mined += 1) await request("evm_mine");
    },
    async close() {
      await pages.close();
      await server.close();
      await node.close();
    },
    describe: () => structuredClone(description),
  };
}
