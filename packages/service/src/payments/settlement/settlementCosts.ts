import type { Chain } from "@assay/chain";
import {
  askBesideGas,
  BASE_USDC,
  type BesideGas,
  CHAIN_ID,
  ETHER_USD_FEED,
  type Hex,
  keccak256,
  LATEST_ROUND_DATA,
  operatorFeeOf,
  readBesideGas,
  readEtherPrice,
  weiToMicroUsd,
} from "@assay/protocol";
import { serializeTransaction, toHex } from "viem";
import { encodeBatch, encodeTransfer } from "./transferCall.js";

/** Measured on Circle's token, for payers without code. */
export const GAS_USED_ALONE = 72_000n;
const GAS_USED_BY_BATCH = 34_000n;
const GAS_USED_IN_BATCH = 45_000n;
/**
 * What a settlement may cost more than it pays, in micro-dollars. The cheapest calls cost a tenth of a cent, about as much as their
 * transaction at Base's least base fee; they are sold all the same.
 */
export const BEARABLE_LOSS = 1_000n;
/** Fees on L1 change slowly beside those of gas, which are known with each block. */
const REFRESH_MS = 30_000;
/** After a read that failed. */
const RETRY_MS = 1_000;

/** What settling costs, in micro-dollars. Undefined wherever a part of it is not known. */
export interface SettlementCosts {
  /** A transaction with so many transfers, at this price of gas in wei. */
  estimate(transfers: number, weiPerGas: bigint): bigint | undefined;
  /** A transaction for a payment channel that uses so much gas. */
  estimateChannelCall(gas: bigint, weiPerGas: bigint): bigint | undefined;
  /** A transaction that was mined; `l1Fee` in wei, if the chain's receipts state it. */
  measure(mined: { gasUsed: bigint; weiPerGas: bigint; l1Fee: bigint | undefined }): bigint | undefined;
}

interface Known {
  readonly besideGas: BesideGas;
  readonly etherPrice: bigint;
}

/** Reads fees and the price of ether in one request, now and whenever they are needed and old. */
export function createSettlementCosts(chain: Chain): SettlementCosts {
  let known: Known | undefined;
  let refreshAtMs = 0;

  async function refresh(): Promise<void> {
    const [fees, price] = await chain.readLatest([
      ASK_BESIDE_GAS,
      { kind: "call", to: ETHER_USD_FEED, data: LATEST_ROUND_DATA },
    ]);
    const besideGas = fees.status === "value" ? readBesideGas(fees.value) : undefined;
    const etherPrice =
      price.status === "value" ? readEtherPrice(price.value, Math.floor(Date.now() / 1000)) : undefined;
    known = besideGas && etherPrice ? { besideGas, etherPrice } : undefined;
    if (!known) refreshAtMs = Date.now() + RETRY_MS;
  }

  /** What is known now; it is read again for the next caller where it is old. */
  function getKnown(): Known | undefined {
    if (Date.now() >= refreshAtMs) {
      refreshAtMs = Date.now() + REFRESH_MS;
      refresh().catch(() => {
        known = undefined;
        refreshAtMs = Date.now() + RETRY_MS;
      });
    }
    return known;
  }
  getKnown();

  const operatorFee = ({ operator }: BesideGas, gas: bigint) =>
    operator ? operatorFeeOf(operator, gas) : 0n;

  return {
    estimate(transfers, weiPerGas) {
      const now = getKnown();
      if (!now) return undefined;
      const gas =
        transfers === 1 ? GAS_USED_ALONE : GAS_USED_BY_BATCH + GAS_USED_IN_BATCH * BigInt(transfers);
      const wei =
        gas * weiPerGas + l1FeeOf(now.besideGas, BigInt(transfers)) + operatorFee(now.besideGas, gas);
      return weiToMicroUsd(wei, now.etherPrice);
    },
    estimateChannelCall(gas, weiPerGas) {
      const now = getKnown();
      if (!now) return undefined;
      // A deposit, a refund and a claim are each about as long as two transfers.
      const wei = gas * weiPerGas + l1FeeOf(now.besideGas, 2n) + operatorFee(now.besideGas, gas);
      return weiToMicroUsd(wei, now.etherPrice);
    },
    measure({ gasUsed, weiPerGas, l1Fee = 0n }) {
      const now = getKnown();
      if (!now) return undefined;
      return weiToMicroUsd(gasUsed * weiPerGas + l1Fee + operatorFee(now.besideGas, gasUsed), now.etherPrice);
    },
  };
}

/** From the fees of one transfer, of a batch of two and of a batch of four. */
function l1FeeOf({ l1Data: [one, two, four] }: BesideGas, transfers: bigint): bigint {
  if (transfers === 1n || !two || !four) return (one ?? 0n) * transfers;
  return two + ((four - two) * (transfers - 2n)) / 2n;
}

/** Settlements like ours, unsigned: what differs between payments does not compress. */
function createSamples(): Hex[] {
  const calls = [1, 2, 3, 4].map((number) => {
    const noise = (name: string) => keccak256(toHex(`${name} ${number}`));
    return encodeTransfer({
      authorization: {
        from: `0x${noise("from").slice(26)}`,
        to: `0x${keccak256(toHex("payee")).slice(26)}`,
        value: "20000",
        validAfter: "1763400000",
        validBefore: "1763400300",
        nonce: noise("nonce"),
      },
      signature: `${noise("r")}${noise("s").slice(2)}1b`,
    });
  }) as [Hex, Hex, Hex, Hex];
  const batchOf = (some: readonly Hex[]) => encodeBatch(some.map((call) => ({ to: BASE_USDC, call })));
  return [calls[0], batchOf(calls.slice(0, 2)), batchOf(calls)].map((data) =>
    serializeTransaction({
      type: "eip1559",
      chainId: CHAIN_ID,
      nonce: 100_000,
      to: BASE_USDC,
      data,
      gas: 190_000n,
      maxFeePerGas: 12_000_000n,
      maxPriorityFeePerGas: 1_000_000n,
    }),
  );
}

/** Encoded once: it is asked all the time. */
const ASK_BESIDE_GAS = { kind: "call", ...askBesideGas(createSamples()) } as const;
