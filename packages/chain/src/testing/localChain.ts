import { getEvmContext } from "@assay/devnet/getEvmContext";
import {
  ContractDecoder,
  GENERIC_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkLatest,
  l1HardforkToString,
  MineOrdering,
} from "@nomicfoundation/edr";
import type { NodeError } from "../rpcAnswer.js";

export interface LocalAnswer {
  readonly result?: unknown;
  readonly error?: NodeError;
}

/** A real EVM chain inside the test process. Blocks appear only when a test mines them. */
export interface LocalChain {
  /** The node's unchanged answer, errors included. */
  answer(method: string, params: readonly unknown[]): Promise<LocalAnswer>;
  /** The result; throws on an error. */
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>;
}

export async function createLocalChain(chainId = 8453): Promise<LocalChain> {
  const hardfork = l1HardforkLatest();
  const provider = await (await getEvmContext()).createProvider(
    GENERIC_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: true,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: 16_000_000n,
      genesisState: l1GenesisState(hardfork),
      hardfork: l1HardforkToString(hardfork),
      initialBaseFeePerGas: 1_000_000n,
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: 60_000_000n, memPool: { order: MineOrdering.Priority } },
      network: { genesisBlockGasLimit: 60_000_000n },
      networkId: BigInt(chainId),
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  );
  const answer = async (method: string, params: readonly unknown[]): Promise<LocalAnswer> => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    return typeof data === "string" ? JSON.parse(data) : data;
  };
  return {
    answer,
    async rpc<T>(method: string, ...params: unknown[]) {
      const { result, error } = await answer(method, params);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as T;
    },
  };
}
