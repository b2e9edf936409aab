import type { Chain } from "@assay/chain";
import { type Hex, keccak256 } from "@assay/protocol";
import { z } from "zod";
import type { DigestSignature } from "../../base/secp256k1.js";
import type { DigestSigner } from "../../base/signers/digestSigner.js";
import { type Fees, serializeOrder, type UnsignedOrder } from "./serializeOrder.js";

/** Wei per gas: enough to be included where nobody bids, and what a node suggests where they do, up to the operator's limit. */
const MIN_PRIORITY_FEE = 1_000_000n;
const PRIORITY_REFRESH_MS = 5_000;
/** Some nodes suggest a thousand times what blocks are filled for. */
export const DEFAULT_MAX_TIP_WEI = 2_000_000n;
/**
 * Higher fees do not move a chain that has halted: without a ceiling, a halt of ten minutes would multiply the bid
 * until the first block after it took all the gas money.
 */
const MAX_FEE_MULTIPLE = 10n;
/** Nodes replace a pending transaction only for at least a tenth more; a quarter is safely above. */
const bump = (fee: bigint) => (fee * 125n) / 100n + 1n;
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
export const larger = (a: bigint, b: bigint) => (a > b ? a : b);

export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
}

/** One key that pays gas. Its nonce and fees are known before they are needed. */
export interface SettlerAccount {
  readonly address: Hex;
  /** The next nonce, asked of the chain only when it is not known. */
  takeNonce(): Promise<number>;
  /** Forgets the nonce: something else moved it. */
  forgetNonce(): void;
  /** A nonce that was taken and certainly not used is the next one again. */
  giveBack(nonce: number): void;
  /** The chain's own count is believed, whatever a node counts as pending. */
  restartAt(mined: number): void;
  /** Transactions of this account that are mined. */
  countMined(): Promise<number>;
  currentFees(): Fees;
  /** Wei per gas that a transaction sent now is expected to pay. */
  expectedGasPrice(): bigint;
  /** A bid that replaces this one, or the same bid once it is ten times what the chain asks now. */
  raiseFees(fees: Fees): Fees;
  /** At once where the key is this process's. */
  sign(order: UnsignedOrder): SignedTransaction | Promise<SignedTransaction>;
}

const countSchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform(Number);

export function createSettlerAccount(
  chain: Chain,
  signer: DigestSigner,
  maxTipWei: bigint = DEFAULT_MAX_TIP_WEI,
): SettlerAccount {
  const { address } = signer;
  let nextNonce: number | undefined;
  let asking: Promise<number> | undefined;
  let priorityFee = smaller(MIN_PRIORITY_FEE, maxTipWei);
  let askedAtMs = Number.NEGATIVE_INFINITY;

  const count = async (tag: "latest" | "pending") =>
    countSchema.parse(await chain.request("eth_getTransactionCount", [address, tag]));

  /** Asked while there is something to settle: a service that sells nothing asks for nothing. */
  const refreshPriority = () => {
    if (Date.now() - askedAtMs < PRIORITY_REFRESH_MS) return;
    askedAtMs = Date.now();
    chain
      .request<string>("eth_maxPriorityFeePerGas", [])
      .then((fee) => {
        priorityFee = smaller(larger(BigInt(fee), MIN_PRIORITY_FEE), maxTipWei);
      })
      // If the node lacks the method or cannot be reached, the last known fee stays in force.
      .catch(() => {});
  };
  refreshPriority();

  return {
    address,
    async takeNonce() {
      while (nextNonce === undefined) {
        asking ??= count("pending").finally(() => {
          asking = undefined;
        });
        const answered = await asking;
        nextNonce ??= answered;
      }
      return nextNonce++;
    },
    forgetNonce() {
      nextNonce = undefined;
    },
    giveBack(nonce) {
      if (nextNonce !== undefined && nonce < nextNonce) nextNonce = nonce;
    },
    restartAt(mined) {
      nextNonce = mined;
    },
    countMined: () => count("latest"),
    currentFees() {
      refreshPriority();
      const baseFee = chain.findHead()?.header.baseFeePerGas ?? 0n;
      return { maxFeePerGas: 2n * baseFee + priorityFee, maxPriorityFeePerGas: priorityFee };
    },
    expectedGasPrice: () => (chain.findHead()?.header.baseFeePerGas ?? 0n) + priorityFee,
    raiseFees(fees) {
      const current = this.currentFees();
      const raised = {
        maxFeePerGas: larger(current.maxFeePerGas, bump(fees.maxFeePerGas)),
        maxPriorityFeePerGas: larger(current.maxPriorityFeePerGas, bump(fees.maxPriorityFeePerGas)),
      };
      const isTooDear =
        raised.maxFeePerGas > MAX_FEE_MULTIPLE * current.maxFeePerGas ||
        raised.maxPriorityFeePerGas > MAX_FEE_MULTIPLE * current.maxPriorityFeePerGas;
      return isTooDear ? fees : raised;
    },
    sign(order) {
      const finish = (signature: DigestSignature): SignedTransaction => {
        const raw = serializeOrder(order, signature);
        return { raw, hash: keccak256(raw) };
      };
      const signed = signer.sign(serializeOrder(order));
      return signed instanceof Promise ? signed.then(finish) : finish(signed);
    },
  };
}
