import {
  type AgentActionName,
  AssayError,
  type CacheStatus,
  type Hex,
  microUsdFromNumber,
  NETWORK,
  outcomeNames,
} from "@assay/protocol";
import type { SignedAction } from "../src/actions/signedAction.js";
import { holdMove, InsufficientCreditError, moveCredits } from "../src/credits/ledger.js";
import { appendLeaves, creditLeaf, UNRECORDED } from "../src/log/appendLeaves.js";
import { pledge } from "../src/market/pledge.js";
import { publishFingerprint } from "../src/market/publishFingerprint.js";
import { reportOutcome } from "../src/market/reportOutcome.js";
import { finishSettled } from "../src/payments/finishSettled.js";
import { finishFailed, finishVoid } from "../src/payments/finishUncharged.js";
import { type Invocation, type InvocationRow, invocationFromRow } from "../src/payments/invocations.js";
import { getPrices } from "../src/quotes/priceBook.js";
import { consumeQuote } from "../src/quotes/quotes.js";
import { isUniqueViolation, type Queryable, type Transaction } from "../src/store/database.js";
import { inOrder } from "../src/store/inOrder.js";
import type { LedgerCommand } from "./ledgerCommands.js";
import type { LedgerModel, ModelCall } from "./ledgerModel.js";
import { type LedgerInput, type LedgerProcess, type LedgerWorld, publishers } from "./ledgerWorld.js";

/** How a command ended. */
export type Attempt = { readonly what: string } & (
  | { readonly kind: "begun"; readonly calls: readonly ModelCall[] }
  | { readonly kind: "unaffordable"; readonly wallet: string; readonly amountMicroUsd: bigint }
  | { readonly kind: "settled" | "givenUp"; readonly call: ModelCall }
  | { readonly kind: "reported"; readonly call: ModelCall; readonly day: string; readonly isFree: boolean }
  | { readonly kind: "pledged"; readonly wallet: string; readonly capability: string }
  | { readonly kind: "nothing" }
  /** There was nothing to run the command on, so the service was not asked. */
  | { readonly kind: "idle" }
);

/** One history under way: what was begun in it, and the ids it has given out. */
export interface LedgerRun {
  readonly world: LedgerWorld;
  readonly model: LedgerModel;
  readonly invocations: Map<string, Invocation>;
  nextId: number;
}

export const pickFrom = <T>(list: readonly T[], choice: number): T | undefined => list[choice % list.length];
const nothing = (what: string): Attempt => ({ kind: "nothing", what });

/** Calls without credit are begun many at a time, as `gather` does it. */
export async function beginCalls(
  run: LedgerRun,
  { database }: LedgerProcess,
  commands: readonly LedgerCommand[],
): Promise<Attempt> {
  const plans = commands.map((command) => planCall(run, command, 0n));
  const calls = await database.transaction((tx) => insertCalls(run, tx, plans));
  return { kind: "begun", what: "begun", calls };
}

/** A quote with credit, the reservation that holds it, and the answer. */
export async function beginCreditedCall(
  run: LedgerRun,
  { database }: LedgerProcess,
  command: LedgerCommand,
): Promise<Attempt> {
  const wallet = walletOf(run, command);
  const balance = run.model.balanceOf(`wallet:${wallet}`);
  const plan = planCall(run, command, (balance * BigInt((command.detail % 4) + 1)) / 4n);
  const { credit_micro_usd: credit, invocation_id: invocationId, quote_id: quoteId } = plan.row;
  if (quoteId === null) return { kind: "idle", what: "without credit to use" };
  try {
    const calls = await database.transaction(async (tx) => {
      await insertQuote(tx, plan);
      const [call] = (await insertCalls(run, tx, [plan])) as [ModelCall];
      if (!(await consumeQuote(tx, quoteId, invocationId))) throw new Error(`${quoteId} was used`);
      const entries = await moveCredits(tx, [holdMove(wallet, `${invocationId}#1`, BigInt(credit))]);
      await appendLeaves(tx, entries.map(creditLeaf), UNRECORDED);
      return [call];
    });
    return { kind: "begun", what: "begun with credit", calls };
  } catch (error) {
    if (!(error instanceof InsufficientCreditError)) throw error;
    return { kind: "unaffordable", what: "credit was gone", wallet, amountMicroUsd: BigInt(credit) };
  }
}

export async function settle(run: LedgerRun, process: LedgerProcess, call: ModelCall): Promise<Attempt> {
  const transaction = `0x${call.invocationId.slice(4).padStart(64, "0")}`;
  const settled = await finishSettled(process, invocationOf(run, call), transaction);
  return { kind: "settled", what: settled ? "settled" : "settled before", call };
}

export async function giveUp(run: LedgerRun, process: LedgerProcess, call: ModelCall): Promise<Attempt> {
  const finish = call.state === "reserved" ? finishVoid : finishFailed;
  await finish(process, invocationOf(run, call), "the campaign says so");
  return { kind: "givenUp", what: "given up", call };
}

export async function sendOutcome(
  run: LedgerRun,
  process: LedgerProcess,
  call: ModelCall,
  { detail }: LedgerCommand,
): Promise<Attempt> {
  const wallet = (detail % 50 === 0 ? walletOf(run, { wallet: detail }) : call.wallet) as Hex;
  // One in twenty reports another outcome than before, which is refused.
  const outcome = outcomeNames[detail % 20 === 1 ? 1 : 0];
  const request = { invocationId: call.invocationId, wallet, outcome };
  try {
    const { isNew, outcome: reported } = await reportOutcome(
      process,
      request,
      sign(run, "capability_outcome", wallet),
    );
    if (!isNew) return nothing("reported before");
    const day = reported.reportedAt.slice(0, 10);
    const isFree = microUsdFromNumber(reported.reviewCreditUsd) === 0n;
    return { kind: "reported", what: isFree ? "reported without credit" : "reported", call, day, isFree };
  } catch (error) {
    return refusalOf(error, ["foreign_invocation", "invocation_not_settled", "outcome_differs"]);
  }
}

export async function makePledge(
  run: LedgerRun,
  process: LedgerProcess,
  command: LedgerCommand,
): Promise<Attempt> {
  const wallet = walletOf(run, command);
  const capability = inputOf(run, command).capabilityId;
  const { isNew } = await pledge(process, { wallet, capability }, sign(run, "demand_pledge", wallet), true);
  return isNew ? { kind: "pledged", what: "pledged", wallet, capability } : nothing("pledged before");
}

export async function publish(
  run: LedgerRun,
  process: LedgerProcess,
  { wallet: choice, target }: LedgerCommand,
): Promise<Attempt> {
  const wallet = pickFrom(publishers, choice) as Hex;
  const { address } = pickFrom(
    run.world.inputs.filter((input) => input.address !== null),
    target,
  ) as { address: Hex };
  const code = run.world.codeOf(address);
  const request = {
    capabilityId: "contract.guard" as const,
    wallet,
    address,
    bytecodeHash: code.hash,
    bytecodeBytes: code.bytes,
    computedAtBlock: code.block,
  };
  try {
    const signed = sign(run, "artifact_publish", wallet);
    await publishFingerprint(process, request, signed, getPrices(process.prices, "contract.guard"));
    return nothing("published");
  } catch (error) {
    return refusalOf(error, ["fingerprint_fresh"]);
  }
}

/** Writes an existing entry again without a change, as a retry after a lost answer or a bug would. */
export async function repeatEntry(
  run: LedgerRun,
  { database }: LedgerProcess,
  { target }: LedgerCommand,
): Promise<Attempt> {
  const entry = pickFrom([...run.model.entries.values()], target);
  if (!entry) return { kind: "idle", what: "no entry to repeat" };
  try {
    await database.transaction(async (tx) => {
      const entries = await moveCredits(tx, [entry]);
      await appendLeaves(tx, entries.map(creditLeaf), UNRECORDED);
    });
    return nothing("entry repeated");
  } catch (error) {
    if (!isUniqueViolation(error) && !(error instanceof InsufficientCreditError)) throw error;
    return nothing("entry not repeated");
  }
}

function refusalOf(error: unknown, expected: readonly string[]): Attempt {
  if (error instanceof AssayError && expected.includes(error.code)) return nothing(error.code);
  throw error;
}

const walletOf = ({ world }: LedgerRun, { wallet }: Pick<LedgerCommand, "wallet">) =>
  pickFrom(world.wallets, wallet) as Hex;
const inputOf = ({ world }: LedgerRun, { target }: LedgerCommand) =>
  pickFrom(world.inputs, target) as LedgerInput;

function invocationOf(run: LedgerRun, { invocationId }: ModelCall): Invocation {
  const invocation = run.invocations.get(invocationId);
  if (!invocation) throw new Error(`${invocationId} was never begun`);
  return invocation;
}

function sign(run: LedgerRun, action: AgentActionName, wallet: Hex): SignedAction {
  return { action, wallet, nonce: `nonce-${run.nextId++}`, timestamp: BigInt(Date.now()) };
}

type CallPlan = ReturnType<typeof planCall>;
const STATUSES: readonly CacheStatus[] = [
  "hit",
  "hit",
  "hit",
  "hit",
  "hit",
  "partial",
  "partial",
  "miss",
  "miss",
];
const FLOOR_MICRO_USD = 1_000n;

function planCall(run: LedgerRun, command: LedgerCommand, spendable: bigint) {
  const id = (run.nextId++).toString(16).padStart(32, "0");
  const input = inputOf(run, command);
  const status = input.isShared ? (pickFrom(STATUSES, command.detail) as CacheStatus) : "miss";
  const list = FLOOR_MICRO_USD + BigInt(command.amount % 400_000);
  const credit = spendable < list - FLOOR_MICRO_USD ? spendable : list - FLOOR_MICRO_USD;
  const isAnswered = command.detail % 17 !== 0;
  const code = input.address && { address: input.address, ...run.world.codeOf(input.address) };
  return {
    computed: status !== "hit" && input.isShared ? { code } : null,
    row: {
      invocation_id: `inv_${id}`,
      capability_id: input.capabilityId,
      capability_version: "1.0.0",
      input_hash: input.inputHash,
      state: isAnswered ? ("settling" as const) : ("reserved" as const),
      network: NETWORK,
      asset: "0xasset",
      payer: walletOf(run, command),
      authorization_nonce: id,
      payment_digest: id,
      pay_to: "0xus",
      amount: String(list - credit),
      valid_before: "0",
      reserved_at_block: "1",
      quote_id: credit > 0n ? `quo_${id}` : null,
      quoted_status: status,
      actual_status: isAnswered ? status : null,
      list_price_micro_usd: String(list),
      credit_micro_usd: String(credit),
      price_micro_usd: String(list - credit),
      credit_hold: credit > 0n ? `inv_${id}#1` : null,
      result_hash: isAnswered ? id : null,
      artifact_id: isAnswered ? `art_${id}` : null,
    },
  };
}

/** What the settlement will publish, as `responses` keeps it. */
function effectsOf({ row, computed }: CallPlan) {
  if (!computed) return null;
  const { code } = computed;
  return {
    artifact: {
      artifactId: row.artifact_id,
      capabilityId: row.capability_id,
      capabilityVersion: row.capability_version,
      inputHash: row.input_hash,
      input: {},
      verdict: "allow",
      block: { number: code?.block ?? 1, hash: "0x", timestamp: 0 },
      validUntilBlock: 1,
      freshUntilMs: Date.now() + 24 * 3_600_000,
    },
    fingerprint: code && { address: code.address, codeHash: code.hash, bytecodeBytes: code.bytes },
    observation: null,
  };
}

async function insertCalls(
  run: LedgerRun,
  tx: Transaction,
  plans: readonly CallPlan[],
): Promise<ModelCall[]> {
  const columns = Object.keys((plans[0] as CallPlan).row).join(", ");
  const answered = plans.filter(({ row }) => row.state === "settling");
  const [rows] = await inOrder(tx, [
    (tx) =>
      tx.query<InvocationRow & { created_micros: bigint }>({
        text: `INSERT INTO invocations (lease_until, computed_at, ${columns})
               SELECT now(), now(), ${columns} FROM json_populate_recordset(NULL::invocations, $1)
               RETURNING *, (extract(epoch FROM created_at) * 1000000)::bigint AS created_micros`,
        values: [JSON.stringify(plans.map(({ row }) => row))],
      }),
    (tx) =>
      tx.query({
        text: `INSERT INTO responses (invocation_id, body, effects)
               SELECT invocation_id, '', coalesce(effects, 'null') FROM json_populate_recordset(NULL::responses, $1)`,
        values: [
          JSON.stringify(
            answered.map((plan) => ({ invocation_id: plan.row.invocation_id, effects: effectsOf(plan) })),
          ),
        ],
      }),
  ]);
  const byId = new Map(plans.map((plan) => [plan.row.invocation_id, plan]));
  return rows.map((row): ModelCall => {
    const plan = byId.get(row.invocation_id) as CallPlan;
    run.invocations.set(row.invocation_id, invocationFromRow(row));
    return {
      invocationId: row.invocation_id,
      wallet: row.payer,
      capabilityId: row.capability_id,
      inputHash: row.input_hash,
      status: plan.row.quoted_status,
      priceMicroUsd: row.price_micro_usd,
      creditMicroUsd: row.credit_micro_usd,
      hold: row.credit_hold,
      createdAt: row.created_micros,
      computed: plan.computed,
      state: plan.row.state,
    };
  });
}

async function insertQuote(tx: Queryable, { row }: CallPlan): Promise<void> {
  await tx.query({
    text: `INSERT INTO quotes (quote_id, capability_id, wallet, input_hash, cache_status, list_price_micro_usd,
             credit_micro_usd, price_micro_usd, requirements, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '{}', now() + interval '1 minute')`,
    values: [
      row.quote_id,
      row.capability_id,
      row.payer,
      row.input_hash,
      row.quoted_status,
      row.list_price_micro_usd,
      row.credit_micro_usd,
      row.price_micro_usd,
    ],
  });
}
