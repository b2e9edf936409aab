import { expect } from "vitest";
import type { SettleOutcome } from "../../facilitator.js";
import { type ExpectedTransfer, readTransferLogs } from "../transferCall.js";
import type { SettlementFixture, SignedPayment } from "./settlementFixture.js";

/** Settled means: that very transaction holds the use of the nonce and the transfer. Returns whom it was sent to. */
export async function expectSettled(
  world: SettlementFixture,
  signed: SignedPayment,
  outcome: SettleOutcome,
): Promise<string> {
  expect(outcome.status).toBe("settled");
  const { transaction } = outcome as { transaction: string };
  const receipt = await world.devnet.request<{ logs: never[]; to: string }>("eth_getTransactionReceipt", [
    transaction,
  ]);
  expect(readTransferLogs(receipt.logs, world.toDelivery(signed).expected as ExpectedTransfer)).toBe("paid");
  return receipt.to;
}
