import { transfer } from "./intentCalls.js";
import type { IntentWorld } from "./intentFixture.js";
import type { Row } from "./intentRow.js";

/** Transfers of tokens that take something else once they are not simulated. */
export function listWatchfulRows({ watchers, bob }: IntentWorld): Row[] {
  const row = { intent: "transfer" } as const;
  const data = transfer(bob, 1n);
  return [
    {
      ...row,
      name: "a token that takes another, which is not measured",
      verdict: "block",
      reasons: ["UNDECLARED_OUTFLOW"],
      transaction: { to: watchers.none, data },
    },
    {
      ...row,
      name: "a token that behaves while no gas is paid for",
      verdict: "block",
      reasons: ["UNDECLARED_OUTFLOW"],
      transaction: { to: watchers.gasPrice, data },
    },
    {
      ...row,
      name: "a token that behaves while there is no base fee",
      verdict: "review",
      reasons: ["SIMULATION_RECOGNISABLE"],
      transaction: { to: watchers.baseFee, data },
    },
    {
      ...row,
      name: "a token that behaves while its caller has code",
      verdict: "block",
      reasons: ["UNDECLARED_OUTFLOW"],
      transaction: { to: watchers.senderCode, data },
    },
    {
      ...row,
      name: "a token that behaves while the origin has code",
      verdict: "block",
      reasons: ["UNDECLARED_OUTFLOW"],
      transaction: { to: watchers.originCode, data },
    },
  ];
}
