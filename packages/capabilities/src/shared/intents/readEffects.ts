import type { Hex } from "@assay/protocol";
import type { ApprovalAct } from "./act.js";
import type { Measurement, MeasurementPlan } from "./planMeasurements.js";
import type { TransactionIntentReadings } from "./transactionReadings.js";

export interface BalanceEffect {
  readonly holder: Hex;
  /** Null for the native currency. */
  readonly token: Hex | null;
  /** Of an ERC-1155 item. */
  readonly id: string | null;
  readonly before: bigint;
  readonly after: bigint;
}

export interface PermissionEffect {
  readonly approval: ApprovalAct;
  readonly before: bigint;
  readonly after: bigint;
}

/** What the runner measured, under the names of the plan. */
export interface Effects {
  readonly balances: readonly BalanceEffect[];
  readonly permissions: readonly PermissionEffect[];
  readonly erc721Tokens: ReadonlySet<Hex>;
  /** Balances after the calls that take a deposit back; null where none were made or they failed. */
  readonly afterExit: readonly BalanceEffect[] | null;
  /** Measurements without a word before or after the transaction. */
  readonly unread: readonly Measurement[];
}

/** Null when the runner did not make the transaction, or when the transaction fails there. */
export function readEffects(
  from: Hex,
  { accounts, measurements }: MeasurementPlan,
  { simulation, senderBalance }: TransactionIntentReadings,
): Effects | null {
  if (simulation.status !== "value" || !simulation.value.success) return null;
  const { before, after } = simulation.value;
  const balances: BalanceEffect[] = [];
  const permissions: PermissionEffect[] = [];
  const erc721Tokens = new Set<Hex>();
  const unread: Measurement[] = [];
  accounts.forEach((holder, index) => {
    const words = [before.native[index], after.native[index]];
    if (words[0] === undefined || words[1] === undefined) return;
    const [held, left] = [BigInt(words[0]), BigInt(words[1])];
    // A node takes the price of all the gas from the sender before a call begins.
    const fee = holder === from && senderBalance.status === "value" ? BigInt(senderBalance.value) - held : 0n;
    balances.push({ holder, token: null, id: null, before: held + fee, after: left + fee });
  });
  measurements.forEach((one, index) => {
    const words = [before.words[index] ?? null, after.words[index] ?? null];
    if (words[0] === null || words[1] === null) {
      unread.push(one);
      return;
    }
    const change = { before: BigInt(words[0] as string), after: BigInt(words[1] as string) };
    switch (one.kind) {
      case "balance":
        balances.push({ holder: one.holder, token: one.token, id: null, ...change });
        break;
      case "itemBalance":
        balances.push({ holder: one.holder, token: one.token, id: one.id, ...change });
        break;
      case "isErc721":
        if (change.before === 1n) erc721Tokens.add(one.token);
        break;
      case "permission":
        permissions.push({ approval: one.approval, ...change });
        break;
    }
  });
  return { balances, permissions, erc721Tokens, unread, afterExit: readExit(measurements, simulation.value) };
}

function readExit(
  measurements: MeasurementPlan["measurements"],
  { before, exit }: Extract<TransactionIntentReadings["simulation"], { status: "value" }>["value"],
): readonly BalanceEffect[] | null {
  if (exit === null || !exit.success) return null;
  return measurements.flatMap((one, index) => {
    const words = [before.words[index] ?? null, exit.after.words[index] ?? null];
    if (one.kind !== "balance" || words[0] === null || words[1] === null) return [];
    const { holder, token } = one;
    return [
      { holder, token, id: null, before: BigInt(words[0] as string), after: BigInt(words[1] as string) },
    ];
  });
}
