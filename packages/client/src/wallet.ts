import type { Hex } from "@assay/protocol";
import type { Account, Chain, Transport, Client as ViemClient } from "viem";

/**
 * The account of a viem wallet. Only what is read of it is named, so that the types of every version of viem fit: those of one
 * version are not assignable to those of another.
 */
export interface WalletAccount {
  readonly address: Hex;
  readonly type: string;
}

/** A viem wallet client, of any version that this package works with. viem types a query by its method; `never` fits all. */
export interface Wallet {
  readonly account?: WalletAccount | undefined;
  readonly chain?: { readonly id: number } | undefined;
  readonly dataSuffix?: Hex | { readonly value: Hex; readonly required?: boolean | undefined } | undefined;
  request(query: never, options?: never): Promise<unknown>;
}

/** The same for the functions of the viem that is installed beside this package. */
export const asViemClient = (wallet: Wallet) =>
  wallet as unknown as ViemClient<Transport, Chain | undefined, Account | undefined>;
