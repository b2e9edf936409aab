import { lowercase } from "@assay/chain/testing/lowercase";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { decodeFunctionResult, encodeFunctionData, multicall3Abi, toFunctionSelector } from "viem";

const selectors = {
  balanceOf: toFunctionSelector("balanceOf(address)"),
  itemBalanceOf: toFunctionSelector("balanceOf(address,uint256)"),
  ownerOf: toFunctionSelector("ownerOf(uint256)"),
  supportsInterface: toFunctionSelector("supportsInterface(bytes4)"),
  getEthBalance: toFunctionSelector("getEthBalance(address)"),
};
/** By hand, for many thousands of calls are made. */
const encode = (name: keyof typeof selectors, ...words: readonly bigint[]): Hex =>
  `${selectors[name]}${words.map((word) => word.toString(16).padStart(64, "0")).join("")}`;

/** The identifiers of ERC-165 stand at the left of their word. */
const ERC721 = 0x80ac58cdn << 224n;
const ERC1155 = 0xd9b67a26n << 224n;
/** Items of the local collections and positions of the local pools have numbers below this. */
const IDS = Array.from({ length: 24 }, (_, id) => BigInt(id));

/** Every contract of the chain that counts what accounts hold. */
export interface WorldTokens {
  readonly erc20: readonly Hex[];
  /** Those of them whose balances grow while nobody does anything. */
  readonly growing: readonly Hex[];
  readonly erc721: readonly Hex[];
  readonly erc1155: readonly Hex[];
}

/** Finds tokens by asking, among all contracts that have a name here or ever emitted an event. */
export async function findTokens(devnet: Devnet, holder: Hex, named: readonly Hex[]): Promise<WorldTokens> {
  const logs = await devnet.request<{ address: Hex }[]>("eth_getLogs", [
    { fromBlock: "0x0", toBlock: "latest" },
  ]);
  const emitters = new Set([...named, ...logs.map(({ address }) => lowercase(address))]);
  const addresses = [...emitters].sort();
  const ask = (data: Hex) =>
    readWords(
      devnet,
      addresses.map((to) => ({ to, data })),
    );
  const [counts, are721, are1155] = await Promise.all([
    ask(encode("balanceOf", BigInt(holder))),
    ask(encode("supportsInterface", ERC721)),
    ask(encode("supportsInterface", ERC1155)),
  ]);
  const choose = (isChosen: (index: number) => boolean) => addresses.filter((_, index) => isChosen(index));
  const grown = await readLater(devnet, () => ask(encode("balanceOf", BigInt(holder))));
  return {
    erc20: choose((index) => counts[index] !== null && are721[index] !== 1n && are1155[index] !== 1n),
    growing: choose((index) => grown[index] !== counts[index]),
    erc721: choose((index) => are721[index] === 1n),
    erc1155: choose((index) => are1155[index] === 1n),
  };
}

const MONTH_SECONDS = 30 * 86_400;

/** Reads as if a month had passed. */
async function readLater<T>(devnet: Devnet, read: () => Promise<T>): Promise<T> {
  const snapshot = await devnet.snapshot();
  await devnet.request("evm_increaseTime", [MONTH_SECONDS]);
  await devnet.mine();
  const answers = await read();
  await devnet.revert(snapshot);
  return answers;
}

export interface Item {
  readonly token: Hex;
  readonly id: bigint;
}

/**
 * What the accounts hold together, by asset: `ether`, a token, or a token with the number of an item. A collection's own
 * count of items stands under the token.
 */
export async function readHoldings(
  devnet: Devnet,
  { erc20, erc721, erc1155 }: WorldTokens,
  accounts: readonly Hex[],
  /** Asked about beside the numbers that every collection is asked about. */
  items: readonly Item[],
): Promise<ReadonlyMap<string, bigint>> {
  const listItems = (tokens: readonly Hex[]) =>
    tokens.flatMap((token) =>
      [...new Set([...IDS, ...items.filter((item) => item.token === token).map(({ id }) => id)])].map(
        (id) => ({ token, id }),
      ),
    );
  const questions = [
    ...accounts.flatMap((account) => [
      {
        key: "ether",
        to: lowercase(devnet.contracts.multicall3),
        data: encode("getEthBalance", BigInt(account)),
      },
      ...[...erc20, ...erc721].map((token) => ({
        key: token as string,
        to: token,
        data: encode("balanceOf", BigInt(account)),
      })),
      ...listItems(erc1155).map(({ token, id }) => ({
        key: keyOf(token, id),
        to: token,
        data: encode("itemBalanceOf", BigInt(account), id),
      })),
    ]),
  ];
  const owned = listItems(erc721).map(({ token, id }) => ({
    key: keyOf(token, id),
    to: token,
    data: encode("ownerOf", id),
  }));
  const words = await readWords(devnet, [...questions, ...owned]);
  const held = new Map<string, bigint>();
  for (const [index, { key }] of questions.entries()) {
    const word = words[index];
    if (word === null || word === undefined) throw new Error(`nothing answered about ${key}`);
    held.set(key, (held.get(key) ?? 0n) + word);
  }
  const mine = new Set(accounts.map(BigInt));
  for (const [index, { key }] of owned.entries()) {
    const owner = words[questions.length + index] ?? null;
    held.set(key, owner !== null && mine.has(owner) ? 1n : 0n);
  }
  return held;
}

export const keyOf = (token: Hex | null, id: bigint | string | null): string =>
  token === null ? "ether" : id === null ? token : `${token} item ${id}`;

/** The first word that each plain call returns; null where it fails or returns less. */
export async function readWords(
  devnet: Devnet,
  calls: readonly { readonly to: Hex; readonly data: Hex }[],
  block: Hex | "latest" = "latest",
): Promise<(bigint | null)[]> {
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
  });
  const answer = await devnet.request<Hex>("eth_call", [
    { to: devnet.contracts.multicall3, data, gas: "0x5f5e100" },
    block,
  ]);
  return decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: answer }).map(
    ({ success, returnData }) =>
      success && returnData.length >= 66 ? BigInt(returnData.slice(0, 66)) : null,
  );
}
