import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { ProvableAccount } from "../shared/verdict/provableFact.js";
import type { TransactionIntentInput } from "./input.js";
import type { TransactionIntentReadings } from "./readings.js";

/** Code of everybody concerned and the target's slots. What calls and the simulation answered no proof can show. */
export function listTransactionIntentFacts(
  { from, to }: TransactionIntentInput,
  { target, senderCode, counterparties }: TransactionIntentReadings,
): ProvableAccount[] {
  const others = [{ address: from, code: senderCode }, ...counterparties].filter(
    ({ address }, index, all) => address !== to && all.findIndex((one) => one.address === address) === index,
  );
  return [
    describeAccount({ address: to, code: target.code, slots: target.slots }),
    ...others.map((account) => describeAccount({ ...account, slots: {} })),
  ];
}
