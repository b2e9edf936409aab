import {
  ContractDecoder,
  GENERIC_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkToString,
  MineOrdering,
  precompileP256Verify,
  SpecId,
} from "@nomicfoundation/edr";
import { hexToBytes, parseEther } from "viem";
import { devnetAccounts } from "./devnetAccounts.js";
import { getEvmContext } from "./getEvmContext.js";
import { toRpcError } from "./toRpcError.js";

export const chainId = 8453;

const blockGasLimit = 60_000_000n;

/** Answers one JSON-RPC call with the text of `{"result":…}` or `{"error":…}`. */
export type Evm = (method: string, params: unknown) => Promise<string>;

/** Starts an empty in-memory chain that mines only on request. */
export async function createEvm(): Promise<Evm> {
  const context = await getEvmContext();
  const provider = await context.createProvider(
    GENERIC_CHAIN_TYPE,
    {
      // Otherwise each block is at least a second later than the last, and the chain's clock runs ahead of the wall clock.
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: 16_000_000n,
      genesisState: [...l1GenesisState(SpecId.Prague), ...listFunded()],
      hardfork: l1HardforkToString(SpecId.Prague),
      initialBaseFeePerGas: 1_000_000n,
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit, memPool: { order: MineOrdering.Priority } },
      network: { genesisBlockGasLimit: blockGasLimit },
      networkId: BigInt(chainId),
      observability: {},
      ownedAccounts: devnetAccounts.users.map(({ privateKey }) => privateKey),
      // Base has the secp256r1 precompile (RIP-7212) already before Osaka.
      precompileOverrides: [precompileP256Verify()],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  );

  return async (method, params) => {
    const response = await provider.handleRequest(
      // EDR refuses a request without params, which JSON-RPC allows.
      JSON.stringify({ jsonrpc: "2.0", id: 0, method, params: params ?? [] }),
    );
    const text = typeof response.data === "string" ? response.data : JSON.stringify(response.data);
    if (!text.startsWith('{"error"')) return text;
    return JSON.stringify({ error: toRpcError(JSON.parse(text).error) });
  };
}

function listFunded() {
  const { users, deployer, settler } = devnetAccounts;
  const fund = (address: `0x${string}`, ether: string) => ({
    address: hexToBytes(address),
    balance: parseEther(ether),
  });
  return [
    ...users.map(({ address }) => fund(address, "10000")),
    fund(settler.address, "10000"),
    fund(deployer.address, "1000000"),
  ];
}
