import type { Chain } from "@assay/chain";
import { BATCH_SETTLEMENT, DEPOSIT_COLLECTOR, type Hex } from "@assay/protocol";
import type { ChannelTransactions, DepositOrder, VerifyOutcome } from "../facilitator.js";
import { REFUSED_BY_TOKEN } from "./answerDeliveries.js";
import type { GasGuard } from "./gasGuard.js";
import type { SettlementCosts } from "./settlementCosts.js";
import type { SettlementLane } from "./settlementLane.js";
import type { SettlerAccount } from "./settlerAccount.js";
import { authorizationStateCall, balanceOfCall } from "./transferCall.js";
import { GAS_WITH_WALLET_CODE } from "./transferGas.js";

/** Two transfers of the token, two new storage slots and the checks between them. */
const GAS_OF_DEPOSIT = 260_000n;
const YEAR_SECONDS = 31_536_000;

export function createChannelTransactions(options: {
  readonly chain: Chain;
  readonly settler: SettlerAccount;
  readonly lane: () => SettlementLane;
  readonly guard: GasGuard;
  readonly costs: SettlementCosts;
  /** Whether payments are settled that cost more than they pay. */
  readonly settlesBelowCost?: boolean | undefined;
}): ChannelTransactions {
  const { chain, settler, lane, guard, costs, settlesBelowCost } = options;
  /** By authorization: the payer's code, as `verifyDeposit` read it, or null for none. */
  const payerCodes = new Map<string, Hex | null>();

  const simulationOf = (data: Hex, gas: bigint) =>
    ({
      kind: "call",
      from: settler.address,
      to: BATCH_SETTLEMENT,
      data,
      gas: Number(gas),
      gasPrice: settler.currentFees().maxFeePerGas,
    }) as const;

  async function verifyDeposit(order: DepositOrder): Promise<VerifyOutcome> {
    const [codeRead, simulated, used, balance] = await chain.readLatest([
      { kind: "code", address: order.payer as Hex },
      simulationOf(order.call, GAS_WITH_WALLET_CODE),
      authorizationStateCall(order.token, order.payer, order.nonce),
      balanceOfCall(order.token, order.payer),
    ]);
    const refuse = (reason: string, authorizationUsed = false) =>
      ({ status: "refused", reason, authorizationUsed }) as const;
    if (used.status === "unanswered" || simulated.status === "unanswered")
      return { status: "unavailable", reason: "no node answers about the deposit" };
    if (codeRead.status === "unanswered")
      return { status: "unavailable", reason: "the payer's code could not be read" };
    if (used.status === "value" && BigInt(used.value) !== 0n) return refuse("the deposit was made", true);
    if (balance.status === "value" && BigInt(balance.value) < order.amount)
      return refuse("invalid_batch_settlement_evm_insufficient_balance");
    if (simulated.status === "reverted")
      return refuse("invalid_batch_settlement_evm_deposit_simulation_failed");
    const code = codeRead.status === "value" ? codeRead.value : null;
    const refusal = guard.findRefusal(order.payer, code);
    if (refusal) return refuse(refusal);
    payerCodes.set(keyOf(order), code);
    return { status: "valid" };
  }

  return {
    verifyDeposit,
    estimateCost: (gas) =>
      settlesBelowCost ? undefined : costs.estimateChannelCall(gas, settler.expectedGasPrice()),
    async deposit(order) {
      const key = keyOf(order);
      const code = payerCodes.get(key);
      payerCodes.delete(key);
      const giveBack = code === null ? undefined : guard.spendOnCode(GAS_WITH_WALLET_CODE);
      const outcome = await lane().deliver({
        call: order.call,
        to: BATCH_SETTLEMENT,
        gas: code === null ? GAS_OF_DEPOSIT : GAS_WITH_WALLET_CODE,
        expected: {
          token: order.token,
          payer: order.payer,
          payTo: DEPOSIT_COLLECTOR,
          amount: order.amount,
          nonce: order.nonce,
        },
        validBefore: order.validBefore,
        alone: code !== null,
      });
      if (outcome.status === "settled") giveBack?.();
      if (outcome.status === "failed" && outcome.reason === REFUSED_BY_TOKEN)
        guard.noteFailure(order.payer, (outcome.gasUsed ?? 0n) > GAS_OF_DEPOSIT ? (code ?? null) : null);
      return outcome;
    },
    async send(call, gas) {
      const [simulated] = await chain.readLatest([simulationOf(call, gas)]);
      if (simulated.status === "unanswered") return { status: "not_sent", reason: simulated.reason };
      if (simulated.status === "reverted")
        return { status: "failed", reason: "the contract would refuse it" };
      return lane().deliver({
        call,
        to: BATCH_SETTLEMENT,
        gas,
        expected: null,
        // It does not end by itself.
        validBefore: BigInt(Math.floor(Date.now() / 1000) + YEAR_SECONDS),
        alone: true,
        atAnyCost: true,
      });
    },
  };
}

const keyOf = ({ payer, nonce }: DepositOrder) => `${payer}:${nonce}`.toLowerCase();
