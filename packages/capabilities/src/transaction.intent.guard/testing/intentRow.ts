import type { Transaction } from "./intentFixture.js";

/** One real call with what the guard must say of it. */
export interface IntentRow {
  readonly name: string;
  readonly hostile: boolean;
  readonly intent: "swap" | "approve" | "transfer" | "contract_call";
  readonly verdict: "allow" | "review" | "block";
  /** Among the reasons given. */
  readonly reasons: readonly string[];
  readonly transaction: Transaction;
  /** Changes the chain before the call; undone after it. */
  readonly before?: readonly Transaction[];
}

/** A row before it is known on which side of the table it stands. */
export type Row = Omit<IntentRow, "hostile">;
