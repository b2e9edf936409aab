import type { Hex } from "@assay/protocol";

/** What the local chain holds that can be asked about, as plain data. */
export interface LocalChainFacts {
  /** Addresses by the names that the local chain gives its contracts. Contracts that live on Base are among them. */
  readonly contracts: Readonly<Record<string, Hex>>;
  /** Wallets with play money. */
  readonly accounts: readonly { readonly name: string; readonly address: Hex }[];
  /** An open market of Morpho, in which alice has ten ether of collateral. */
  readonly lendingMarket: { readonly id: Hex; readonly loanToken: Hex; readonly collateralToken: Hex };
  /** The URLs of pages that a service beside the local chain may read. */
  readonly pages: readonly string[];
  /** What the contract `predictionMarket` asks. */
  readonly predictionQuestion: string;
  /** The hash of a transaction that swapped. */
  readonly sampleTrade: Hex;
}

/** A question that the local chain can answer, under a name that states what to expect of the answer. */
export interface Sample {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number>>;
}

export function getContract({ contracts }: Pick<LocalChainFacts, "contracts">, name: string): Hex {
  const address = contracts[name];
  if (!address) throw new RangeError(`the local chain has no contract ${name}`);
  return address;
}

export function getAccount({ accounts }: Pick<LocalChainFacts, "accounts">, name: string): Hex {
  const account = accounts.find((one) => one.name === name);
  if (!account) throw new RangeError(`the local chain has no account ${name}`);
  return account.address;
}

/** One sample for each of these contracts, for capabilities that ask about an address. */
export function listContractSamples(facts: LocalChainFacts, ...names: readonly string[]): Sample[] {
  return names.map((name) => ({ name, input: { address: getContract(facts, name) } }));
}
