import { decodeFunctionResult, encodeFunctionData, multicall3Abi, parseAbi, size } from "viem";
import { BASE_MULTICALL3 } from "./baseAddresses.js";
import type { Hex } from "./primitives.js";

/**
 * The GasPriceOracle predeploy of OP Stack chains. It knows the formulas of each upgrade, so nobody who asks it has to:
 * https://github.com/ethereum-optimism/specs/blob/fd72cf797df6/specs/protocol/predeploys.md
 */
export const GAS_PRICE_ORACLE: Hex = "0x420000000000000000000000000000000000000F";
/**
 * Chainlink's ETH/USD on Base, with eight decimals:
 * https://github.com/moonwell-fi/moonwell-contracts-v2/blob/45866f4cb74b/chains/8453.json
 */
export const ETHER_USD_FEED: Hex = "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70";
export const LATEST_ROUND_DATA: Hex = "0xfeaf968c";

const oracleAbi = /* @__PURE__ */ parseAbi([
  "function getL1Fee(bytes data) view returns (uint256)",
  "function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);
/** The oracle compresses in a contract, at some hundred gas a byte; a longer transaction is asked about by its size alone. */
const MAX_COMPRESSED_BYTES = 8_192;
const MILLION = 1_000_000n;
/** A feed that is older says nothing about now. Chainlink updates this one at least every twenty minutes. */
const MAX_FEED_AGE_SECONDS = 86_400n;

/** What transactions pay beside their gas. Null: the chain has no such fee. */
export interface BesideGas {
  /** Wei to publish the data of each transaction on L1. */
  readonly l1Data: readonly (bigint | null)[];
  /** Wei to the operator, for any transaction and for each million gas. */
  readonly operator: { readonly constant: bigint; readonly perMillionGas: bigint } | null;
}

/** Whether the data fee of a transaction of this size is stated as a bound from above. */
export const isBoundedBySize = (unsigned: Hex): boolean => size(unsigned) > MAX_COMPRESSED_BYTES;

/** One call that asks for the fees of these unsigned, serialized transactions. */
export function askBesideGas(unsigned: readonly Hex[]): { readonly to: Hex; readonly data: Hex } {
  const ask = (callData: Hex) => ({ target: GAS_PRICE_ORACLE, allowFailure: true, callData });
  const args = [
    // The operator's fee is linear in gas, which is not known yet when this is asked.
    ...[0n, MILLION].map((gas) => ask(encode("getOperatorFee", [gas]))),
    ...unsigned.map((bytes) =>
      ask(
        isBoundedBySize(bytes)
          ? encode("getL1FeeUpperBound", [BigInt(size(bytes))])
          : encode("getL1Fee", [bytes]),
      ),
    ),
  ];
  return {
    to: BASE_MULTICALL3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] }),
  };
}

const encode = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: oracleAbi, functionName, args } as never);

/** Undefined where the answer is not one of `askBesideGas`. */
export function readBesideGas(answer: Hex): BesideGas | undefined {
  try {
    const parts = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: answer });
    const [none, million, ...l1Data] = parts.map(({ success, returnData }) =>
      success && size(returnData) === 32 ? BigInt(returnData) : null,
    );
    if (none === undefined || million === undefined) return undefined;
    const operator =
      none === null || million === null ? null : { constant: none, perMillionGas: million - none };
    return { l1Data, operator };
  } catch {
    return undefined;
  }
}

export const operatorFeeOf = ({ constant, perMillionGas }: NonNullable<BesideGas["operator"]>, gas: bigint) =>
  constant + (gas * perMillionGas) / MILLION;

/** Dollars per ether with eight decimals, of the feed's `latestRoundData()`; undefined where it is old or no price. */
export function readEtherPrice(answer: Hex, nowSeconds: number): bigint | undefined {
  if (answer.length < 2 + 64 * 4) return undefined;
  const word = (index: number) => BigInt(`0x${answer.slice(2 + index * 64, 66 + index * 64)}`);
  const isFresh = word(3) + MAX_FEED_AGE_SECONDS > BigInt(nowSeconds);
  return isFresh && word(1) < 2n ** 200n && word(1) > 0n ? word(1) : undefined;
}

/** Micro-dollars, rounded up: a cost is not made smaller than it is. */
export const weiToMicroUsd = (wei: bigint, etherPrice: bigint): bigint =>
  (wei * etherPrice + 10n ** 20n - 1n) / 10n ** 20n;
