import { type CapabilityResult, capabilityResultSchema } from "@assay/protocol";

/** The answer in what was saved, alone or with its receipt. */
export function findAnswer(saved: unknown): CapabilityResult | undefined {
  const value = typeof saved === "object" && saved !== null && "answer" in saved ? saved.answer : saved;
  return capabilityResultSchema.safeParse(value).data;
}

/** The receipt saved beside it, whatever it is. */
export const findReceipt = (saved: unknown): unknown =>
  typeof saved === "object" && saved !== null && "receipt" in saved ? saved.receipt : undefined;

/** Whether a receipt says that a voucher paid. One that was charged without a transaction must have one. */
export function isPaidByVoucher(receipt: unknown): boolean {
  const { payment, charged } = Object(receipt) as { payment?: unknown; charged?: unknown };
  const { channel, transaction } = Object(payment) as { channel?: unknown; transaction?: unknown };
  return channel !== undefined || (charged === true && transaction === null);
}
