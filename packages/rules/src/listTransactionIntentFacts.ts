import type { CapabilityInput } from "@assay/protocol";
import { describeAccount } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";
import type { TransactionIntentReadings } from "./transactionIntentReadings.js";

/** Code of everybody concerned and the target's slots. What calls and the simulation answered no proof can show. */
export function listTransactionIntentFacts(
  { from, to }: CapabilityInput<"transaction.intent.guard">,
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
