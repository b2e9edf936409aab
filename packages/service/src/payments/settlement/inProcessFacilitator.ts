import type { Chain } from "@assay/chain";
import { type Hex, NETWORK, type PaymentPayload, type PaymentRequirements } from "@assay/protocol";
import type { Logger } from "pino";
import type { DigestSigner } from "../../base/signers/digestSigner.js";
import type { Facilitator, SettleOutcome, SettlerFunds, VerifyOutcome } from "../facilitator.js";
import { REFUSED_BY_TOKEN } from "./answerDeliveries.js";
import { createChannelTransactions } from "./channelTransactions.js";
import { createGasGuard } from "./gasGuard.js";
import { createGasMoney, type GasMoney } from "./gasMoney.js";
import type { LanePatience } from "./lanePatience.js";
import { BEARABLE_LOSS, createSettlementCosts } from "./settlementCosts.js";
import { createSettlementLane, type SettlementLane } from "./settlementLane.js";
import { createSettlerAccount, type SettlerAccount } from "./settlerAccount.js";
import type { SettlerLeases } from "./settlerLeases.js";
import { MAX_BATCH } from "./takeBatch.js";
import { authorizationStateCall, balanceOfCall, encodeTransfer, unwrapSignature } from "./transferCall.js";
import { GAS_OF_ONE_TRANSFER, GAS_PER_TRANSFER, GAS_WITH_WALLET_CODE } from "./transferGas.js";

/** Seconds an authorization must still be valid for; the official scheme's figure. */
const MIN_REMAINING_SECONDS = 6n;
const MAX_REMEMBERED = 10_000;
/** A process that stops gives its keys back within this time. */
const HAND_OVER_MS = 15_000;
/** Below gas for this many settlements the service is unready, so that somebody notices before it is used up. */
const MIN_SETTLEMENTS_LEFT = 100n;
/** In the token's revert message. Behind one URL, the node that reads the state may lag the node that ran the call. */
const USED_OR_CANCELED = Buffer.from("authorization is used or canceled").toString("hex");

export interface InProcessOptions {
  readonly chain: Chain;
  /** Each settles by itself, side by side with the others. */
  readonly signers: readonly DigestSigner[];
  /** The most that is offered to block builders, in wei per gas. A transaction that is stuck may offer ten times as much. */
  readonly maxTipWei?: bigint | undefined;
  /** Whether payments are settled that cost more than they pay. */
  readonly settlesBelowCost?: boolean | undefined;
  readonly logger: Logger;
  /** Undefined: no other process has the keys. */
  readonly leases?: SettlerLeases | undefined;
  readonly patience?: Partial<LanePatience>;
  /** The number of each signer in the settings, where this process has only some of them. */
  readonly places?: readonly number[] | undefined;
}

/**
 * x402's `exact` scheme for EIP-3009 tokens, with the accept and refuse decisions of the official
 * facilitator, in one chain request to verify and two to settle: the token itself judges the
 * signature in a simulated call, and nonce, fees and gas are known beforehand.
 */
export function createInProcessFacilitator(options: InProcessOptions): Facilitator {
  const { chain, signers, leases, logger, patience, maxTipWei, settlesBelowCost, places } = options;
  const accounts = signers.map((signer) => createSettlerAccount(chain, signer, maxTipWei));
  const costs = createSettlementCosts(chain);
  const lanes = accounts.map((account) =>
    createSettlementLane({
      ...{ chain, account, costs, settlesBelowCost, logger, patience },
      lease: leases?.of(account.address),
    }),
  );
  const [first] = accounts;
  if (!first) throw new RangeError("at least one settler key is needed");
  const guard = createGasGuard();
  const gasMoney = createGasMoney();
  /** Wei that this much gas costs at the fees bid now. */
  const gasMoneyFor = (gas: bigint) => gas * first.currentFees().maxFeePerGas;
  /** By payment: the code of its payer, as `verify` read it, or null for none. Only payers known to have none share a transaction. */
  const payerCodes = new Map<string, Hex | null>();
  /** Tokens that have answered `authorizationState` (EIP-3009): of these, a transfer is valid if its simulation does not revert. */
  const knownTokens = new Set<string>();
  const settling = new Map<string, Promise<SettleOutcome>>();

  async function settle(
    payment: PaymentPayload,
    requirements: PaymentRequirements,
    atAnyCost: boolean,
  ): Promise<SettleOutcome> {
    const { authorization } = payment.payload;
    const order = prepareTransfer(payment, requirements);
    if ("refusal" in order) return { status: "failed", reason: order.refusal };
    const code = payerCodes.get(keyOf(payment));
    const giveBack = code === null ? undefined : guard.spendOnCode(GAS_WITH_WALLET_CODE);
    const amount = BigInt(authorization.value);
    const outcome = await leastLoaded(lanes).deliver({
      call: order.call,
      to: requirements.asset,
      gas: code === null ? GAS_PER_TRANSFER : GAS_WITH_WALLET_CODE,
      expected: {
        token: requirements.asset,
        payer: authorization.from,
        payTo: authorization.to,
        amount,
        nonce: authorization.nonce,
      },
      validBefore: BigInt(authorization.validBefore),
      alone: code !== null,
      atAnyCost,
    });
    // A payment that covers its gas does not count against the hourly limit of payers with code.
    if (outcome.status === "settled" && isCovered(outcome.costMicroUsd, amount)) giveBack?.();
    if (outcome.status === "failed" && outcome.reason === REFUSED_BY_TOKEN) {
      // Many wallets have the same code. One that was emptied meanwhile fails as cheaply as a payer without any.
      const hasBurned = (outcome.gasUsed ?? GAS_WITH_WALLET_CODE) > GAS_OF_ONE_TRANSFER;
      guard.noteFailure(authorization.from, hasBurned ? (code ?? null) : null);
    }
    return outcome;
  }

  /** Why no key could send what is verified now. A hand-over between two processes is short, so it is waited for. */
  function findTrouble(): string | undefined {
    const reasons = signers.map((signer) => signer.findTrouble());
    if (reasons.every((reason) => reason !== undefined)) return reasons[0];
    return lanes.every((lane) => lane.missingMs() > HAND_OVER_MS)
      ? "another process has the settling keys"
      : undefined;
  }

  async function listSettlers(): Promise<SettlerFunds[]> {
    const balances = await chain.readLatest(
      lanes.map(({ address }) => ({ kind: "balance", address }) as const),
    );
    return lanes.map(({ address }, i) => {
      const balance = balances[i];
      if (balance?.status !== "value") throw new Error("the settler's balance could not be read");
      const balanceWei = BigInt(balance.value);
      const settlementsLeft = balanceWei / gasMoneyFor(GAS_OF_ONE_TRANSFER);
      return { address, balanceWei, settlementsLeft, place: places?.[i] ?? i + 1 };
    });
  }

  return {
    description: `in process, gas paid by ${lanes.map((lane) => lane.address).join(", ")}`,
    isTrusted: true,
    async verify(payment, requirements) {
      const order = prepareTransfer(payment, requirements);
      if ("refusal" in order) return { status: "refused", reason: order.refusal, authorizationUsed: false };
      const { outcome, code } = await simulate(
        { chain, settler: first, gasMoney, knownTokens },
        payment,
        requirements,
        order.call,
      );
      if (outcome.status !== "valid") return outcome;
      const trouble = findTrouble();
      if (trouble !== undefined) return { status: "unavailable", reason: trouble };
      if (code === undefined) return { status: "unavailable", reason: "the payer's code could not be read" };
      const refusal = guard.findRefusal(payment.payload.authorization.from, code);
      if (refusal) return { status: "refused", reason: refusal, authorizationUsed: false };
      remember(payerCodes, keyOf(payment), code);
      return outcome;
    },
    findCostRefusal(amountMicroUsd) {
      const cost = costs.estimate(MAX_BATCH, first.expectedGasPrice());
      const share = cost === undefined ? 0n : cost / BigInt(MAX_BATCH);
      if (settlesBelowCost || amountMicroUsd + BEARABLE_LOSS >= share) return undefined;
      return `settling it would cost ${share} micro-dollars even among others, more than it pays`;
    },
    channels: createChannelTransactions({
      chain,
      settler: first,
      lane: () => leastLoaded(lanes),
      guard,
      costs,
      settlesBelowCost,
    }),
    settle(payment, requirements, { atAnyCost } = { atAnyCost: false }) {
      // A second caller, such as reconciliation, waits for the same outcome.
      const key = keyOf(payment);
      const outcome =
        settling.get(key) ?? settle(payment, requirements, atAnyCost).finally(() => settling.delete(key));
      settling.set(key, outcome);
      return outcome;
    },
    listSettlers,
    async verifyReady() {
      if (lanes.some((lane) => lane.missingMs() > HAND_OVER_MS))
        throw new Error("another process has a settling key");
      for (const { address, settlementsLeft } of await listSettlers())
        if (settlementsLeft < MIN_SETTLEMENTS_LEFT)
          throw new Error(
            `settler ${address} has ether for ${settlementsLeft} settlements, fewer than ${MIN_SETTLEMENTS_LEFT}: send it some`,
          );
      await Promise.all(signers.map((signer) => signer.verifyReady()));
      return "settles in process";
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

const isCovered = (costMicroUsd: bigint | undefined, amount: bigint) =>
  costMicroUsd !== undefined && costMicroUsd <= amount + BEARABLE_LOSS;

const keyOf = ({ payload }: PaymentPayload) =>
  `${payload.authorization.from}:${payload.authorization.nonce}`.toLowerCase();

function remember(map: Map<string, Hex | null>, key: string, code: Hex | null): void {
  map.set(key, code);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value as string);
}

/** Of the lanes that may send now. Where none may, deliveries wait: a process that stops gives its keys back in a moment. */
function leastLoaded(lanes: readonly SettlementLane[]): SettlementLane {
  const free = lanes.filter((lane) => lane.missingMs() === 0);
  return (free.length > 0 ? free : lanes).reduce((best, lane) => (lane.load() < best.load() ? lane : best));
}

/** The call to make, or why it need not be tried. */
function prepareTransfer(
  payment: PaymentPayload,
  requirements: PaymentRequirements,
): { call: Hex } | { refusal: string } {
  const refusal = checkStatic(payment, requirements);
  if (refusal) return { refusal };
  try {
    return { call: encodeTransfer(payment.payload) };
  } catch {
    // An address with a wrong checksum, or a wrapped signature that does not unwrap.
    return { refusal: "invalid_exact_evm_failed_to_parse_signature" };
  }
}

/** What can be refused without the chain, in the official order and with its reason strings. */
function checkStatic(payment: PaymentPayload, requirements: PaymentRequirements): string | undefined {
  const { authorization } = payment.payload;
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  if (payment.accepted.scheme !== "exact" || requirements.scheme !== "exact")
    return "invalid_exact_evm_scheme";
  if (!requirements.extra.name || !requirements.extra.version)
    return "invalid_exact_evm_missing_eip712_domain";
  if (payment.accepted.network !== requirements.network || requirements.network !== NETWORK)
    return "invalid_exact_evm_network_mismatch";
  if (authorization.to.toLowerCase() !== requirements.payTo.toLowerCase())
    return "invalid_exact_evm_recipient_mismatch";
  if (BigInt(authorization.validBefore) < nowSeconds + MIN_REMAINING_SECONDS)
    return "invalid_exact_evm_payload_authorization_valid_before";
  if (BigInt(authorization.validAfter) > nowSeconds)
    return "invalid_exact_evm_payload_authorization_valid_after";
  if (BigInt(authorization.value) !== BigInt(requirements.amount))
    return "invalid_exact_evm_payload_authorization_value_mismatch";
  return undefined;
}

interface Simulator {
  readonly chain: Chain;
  readonly settler: SettlerAccount;
  readonly gasMoney: GasMoney;
  readonly knownTokens: Set<string>;
}

/** Asks the token, at the newest block and in one batch, whether the transfer would succeed, and if not, why. */
async function simulate(
  { chain, settler, gasMoney, knownTokens }: Simulator,
  payment: PaymentPayload,
  requirements: PaymentRequirements,
  transferCall: Hex,
): Promise<{ outcome: VerifyOutcome; code: Hex | null | undefined }> {
  const { authorization } = payment.payload;
  const payer = authorization.from;
  const token = requirements.asset;
  const stateCall = authorizationStateCall(token, payer, authorization.nonce);
  const { maxFeePerGas } = settler.currentFees();
  const gasNeed = GAS_WITH_WALLET_CODE * maxFeePerGas;
  const asksMoney = gasMoney.isDue(gasNeed);
  const [codeRead, transfer, ...more] = await chain.readLatest([
    { kind: "code", address: payer },
    // As it will be sent: code can tell a simulation without a gas price, or with more gas, from the transaction.
    {
      kind: "call",
      from: settler.address,
      to: token,
      data: transferCall,
      gas: Number(GAS_WITH_WALLET_CODE),
      gasPrice: maxFeePerGas,
    },
    ...(asksMoney ? [{ kind: "balance", address: settler.address } as const] : []),
    ...(knownTokens.has(token) ? [] : [stateCall]),
  ]);
  const money = asksMoney ? more.shift() : undefined;
  const [state] = more;
  const code =
    codeRead?.status === "value" ? codeRead.value : codeRead?.status === "absent" ? null : undefined;
  const refuse = (reason: string, authorizationUsed = false) =>
    ({ outcome: { status: "refused", reason, authorizationUsed }, code }) as const;
  const unavailable = (reason: string) => ({ outcome: { status: "unavailable", reason }, code }) as const;
  // Before the work, and before a node refuses the simulated call for the same reason.
  if (money?.status === "value") gasMoney.note(BigInt(money.value));
  if (money?.status === "value" && BigInt(money.value) < gasNeed)
    return unavailable("the settler has too little ether left for gas");
  if (!transfer || transfer.status === "unanswered") return unavailable(transfer?.reason ?? "no_answer");
  // The official scheme deploys a wallet only through factories that its operator allows. We allow none.
  if (code === null && unwrapSignature(payment.payload.signature as Hex).isWrapped)
    return refuse("eip6492_factory_not_allowed");
  // A token address without code returns no data from any call.
  if (state?.status === "absent") return refuse("invalid_exact_evm_eip3009_not_supported");
  if (state?.status === "value") knownTokens.add(token);
  if (transfer.status === "absent") return { outcome: { status: "valid" }, code };
  if (transfer.status === "reverted" && transfer.data?.includes(USED_OR_CANCELED))
    return refuse("invalid_exact_evm_nonce_already_used", true);
  // Only a refusal is worth a second question.
  const [used, balance] = await chain.readLatest([stateCall, balanceOfCall(token, payer)]);
  // Unless the nonce is known to be unused, a failing transfer may be one that somebody else has made.
  if (used.status === "unanswered") return unavailable(used.reason);
  if (used.status === "value" && BigInt(used.value) !== 0n)
    return refuse("invalid_exact_evm_nonce_already_used", true);
  if (balance.status === "value" && BigInt(balance.value) < BigInt(authorization.value))
    return refuse("invalid_exact_evm_insufficient_balance");
  return refuse(
    code === null ? "invalid_exact_evm_signature" : "invalid_exact_evm_transaction_simulation_failed",
  );
}
