import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { createPublicClient, http, parseAbi } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

const erc20 = parseAbi(["function balanceOf(address) view returns (uint256)"]);

interface Devnet {
  readonly rpcUrl: string;
  readonly stablecoin: { readonly address: Hex };
  readonly accounts: readonly { readonly name: string; readonly privateKey: Hex }[];
  readonly contracts: Readonly<Record<string, Hex>>;
  readonly lendingMarket: Readonly<Record<"id" | "loanToken" | "collateralToken", Hex>>;
}

/** Where a service runs, as plain data that another process can be given. */
export interface ServicePlace {
  readonly url: string;
  readonly dataDir: string;
}

/** A running service and what its embedded chain holds. */
export interface ConnectedService extends ServicePlace {
  readonly rpcUrl: string;
  wallet(name: string): PrivateKeyAccount;
  contract(name: string): Hex;
  /** The market that alice has collateral in. */
  readonly lendingMarket: Devnet["lendingMarket"];
  /** Stablecoin held, in atomic units. */
  balanceOf(address: Hex): Promise<bigint>;
  wasMined(transaction: Hex): Promise<boolean>;
}

/** Connects to a service that runs on the embedded chain, in whatever process it was started. */
export async function connectToService({ url, dataDir }: ServicePlace): Promise<ConnectedService> {
  const devnet = JSON.parse(await readFile(join(dataDir, "devnet.json"), "utf8")) as Devnet;
  const chain = createPublicClient({ transport: http(devnet.rpcUrl) });
  const find = <T>(value: T | undefined, name: string): T => {
    if (value === undefined) throw new Error(`the devnet has no ${name}`);
    return value;
  };
  return {
    url,
    dataDir,
    rpcUrl: devnet.rpcUrl,
    wallet: (name) =>
      privateKeyToAccount(
        find(
          devnet.accounts.find((account) => account.name === name),
          name,
        ).privateKey,
      ),
    contract: (name) => find(devnet.contracts[name], name),
    lendingMarket: devnet.lendingMarket,
    balanceOf: (address) =>
      chain.readContract({
        address: devnet.stablecoin.address,
        abi: erc20,
        functionName: "balanceOf",
        args: [address],
      }),
    wasMined: async (hash) => (await chain.getTransactionReceipt({ hash })).status === "success",
  };
}
