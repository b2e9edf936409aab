import { type Hex, NETWORK, type PaymentPayload, type PaymentRequirements } from "@assay/protocol";
import type { Logger } from "pino";
import { encodeFunctionData } from "viem";
import type { Chain } from "../../chain/types.js";
import type { Facilitator, VerifyOutcome } from "../facilitator.js";
import { createSettlementLane, type SettlementLane } from "./settlementLane.js";
import { createSettlerAccount } from "./settlerAccount.js";
import { authorizationAbi, encodeTransfer } from "./transferCall.js";

/** Seconds an authorization must still be valid for; the official scheme's figure. */
const MIN_REMAINING_SECONDS = 6n;
const MAX_REMEMBERED = 10_000;

export interface InProcessOptions {
  readonly chain: Chain;
  readonly privateKeys: readonly Hex[];
  readonly logger: Logger;
}

/**
 * x402's `exact` scheme for EIP-3009 tokens, with the accept and refuse decisions of the official
 * facilitator, in one chain request to verify and two to settle: the token itself judges the
 * signature in a simulated call, and nonce, fees and gas are known beforehand.
 */
export function createInProcessFacilitator({ chain, privateKeys, logger }: InProcessOptions): Facilitator {
  const lanes = privateKeys.map((key) =>
    createSettlementLane({ chain, account: createSettlerAccount(chain, key), logger }),
  );
  const [firstLane] = lanes;
  if (!firstLane) throw new RangeError("at least one settler key is needed");
  const sender = firstLane.address;
  /** Payers without code, learnt while verifying; anyone else is settled alone. */
  const plainPayers = new Map<string, true>();

  return {
    description: `in process, gas paid by ${lanes.map((lane) => lane.address).join(", ")}`,
    isTrusted: true,
    async verify(payment, requirements) {
      const refusal = checkStatic(payment, requirements);
      if (refusal) return { status: "refused", reason: refusal, authorizationUsed: false };
      const { outcome, hasCode } = await simulate(chain, sender, payment, requirements);
      if (outcome.status === "valid" && hasCode === false) remember(plainPayers, keyOf(payment));
      return outcome;
    },
    async settle(payment, requirements) {
      const { authorization } = payment.payload;
      const refusal = checkStatic(payment, requirements);
      if (refusal) return { status: "failed", reason: refusal };
      return leastLoaded(lanes).deliver({
        call: encodeTransfer(payment.payload),
        expected: {
          token: requirements.asset,
          payer: authorization.from,
          payTo: authorization.to,
          amount: BigInt(authorization.value),
          nonce: authorization.nonce,
        },
        validBefore: BigInt(authorization.validBefore),
        alone: !plainPayers.has(keyOf(payment)),
      });
    },
    async check() {
      const balances = await chain.readLatest(
        lanes.map(({ address }) => ({ kind: "balance", address }) as const),
      );
      balances.forEach((balance, i) => {
        if (balance.status !== "value") throw new Error("the settler's balance could not be read");
        if (BigInt(balance.value) === 0n) throw new Error(`settler ${lanes[i]?.address} has no ETH for gas`);
      });
      return "settles in process";
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

const keyOf = ({ payload }: PaymentPayload) =>
  `${payload.authorization.from}:${payload.authorization.nonce}`.toLowerCase();

function remember(map: Map<string, true>, key: string): void {
  map.set(key, true);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value as string);
}

function leastLoaded(lanes: readonly SettlementLane[]): SettlementLane {
  return lanes.reduce((best, lane) => (lane.load() < best.load() ? lane : best));
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

/** Asks the token, at the newest block and in one batch, whether the transfer would succeed, and if not, why. */
async function simulate(
  chain: Chain,
  sender: Hex,
  payment: PaymentPayload,
  requirements: PaymentRequirements,
): Promise<{ outcome: VerifyOutcome; hasCode: boolean | undefined }> {
  const { authorization } = payment.payload;
  const payer = authorization.from;
  const token = requirements.asset;
  const [code, transfer, balance, used] = await chain.readLatest([
    { kind: "code", address: payer },
    { kind: "call", from: sender, to: token, data: encodeTransfer(payment.payload) },
    {
      kind: "call",
      to: token,
      data: encodeFunctionData({ abi: authorizationAbi, functionName: "balanceOf", args: [payer] }),
    },
    {
      kind: "call",
      to: token,
      data: encodeFunctionData({
        abi: authorizationAbi,
        functionName: "authorizationState",
        args: [payer, authorization.nonce as Hex],
      }),
    },
  ]);
  const hasCode = code.status === "value" ? true : code.status === "absent" ? false : undefined;
  const refuse = (reason: string, authorizationUsed = false) =>
    ({ outcome: { status: "refused", reason, authorizationUsed }, hasCode }) as const;
  if (transfer.status === "unanswered")
    return { outcome: { status: "unavailable", reason: transfer.reason }, hasCode };
  // A token that is no contract answers every call with nothing at all.
  if (balance.status === "absent" || used.status === "absent")
    return refuse("invalid_exact_evm_eip3009_not_supported");
  if (transfer.status === "absent") return { outcome: { status: "valid" }, hasCode };
  if (used.status === "value" && BigInt(used.value) !== 0n)
    return refuse("invalid_exact_evm_nonce_already_used", true);
  if (balance.status === "value" && BigInt(balance.value) < BigInt(authorization.value))
    return refuse("invalid_exact_evm_insufficient_balance");
  return refuse(
    hasCode === false ? "invalid_exact_evm_signature" : "invalid_exact_evm_transaction_simulation_failed",
  );
}
