import type { ProvableAccount } from "../proofs/provableFact.js";
import { describeAccount } from "../proxies/describeAccount.js";
import type { TransactionIntentInput } from "./transactionInput.js";
import type { TransactionIntentReadings } from "./transactionReadings.js";

/** The code of every account concerned, and the target's slots. No proof can show the answers of calls and simulation. */
export function listTransactionIntentFacts(
  { from, to }: TransactionIntentInput,
  { target, senderCode, parties }: TransactionIntentReadings,
): ProvableAccount[] {
  const others = [{ address: from, code: senderCode }, ...parties].filter(
    ({ address }, index, all) => address !== to && all.findIndex((one) => one.address === address) === index,
  );
  return [
    describeAccount({ address: to, code: target.code, slots: target.slots }),
    ...others.map(({ address, code }) => describeAccount({ address, code, slots: {} })),
  ];
}
