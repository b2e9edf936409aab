import { findCapability } from "@assay/capabilities";
import { AssayError, type Decision, type DecisionRequest, type Hex, NETWORK } from "@assay/protocol";
import { type SignedAction, spendNonce } from "../actions/signedAction.js";
import type { BaseContext } from "../base/context.js";
import { appendLeaves, type Leaf } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";

interface RecordedDecision {
  /** False when any decision on this call was already recorded. */
  readonly isNew: boolean;
  readonly decision: Decision;
}

/** Records what a wallet states that it did with a verdict it paid for. Once per call; it has no further effect. */
export function recordDecision(
  context: BaseContext,
  request: DecisionRequest,
  signed: SignedAction,
): Promise<RecordedDecision> {
  return context.database.transaction(async (tx) => {
    await spendNonce(tx, signed);
    const obligationId = await getOwnVerdict(tx, request.invocationId, signed.wallet);
    const created = await createDecision(tx, request, obligationId);
    if (created) await appendLeaves(tx, [decisionLeaf(created)], DECISION_PLACES);
    return {
      isNew: created !== undefined,
      decision: describe(await getDecision(tx, request.invocationId)),
    };
  });
}

interface CallRow {
  capability_id: string;
  payer: string;
  state: string;
  obligation_id: Hex | null;
}

interface DecisionRow {
  invocation_id: string;
  wallet: Hex;
  obligation_id: Hex;
  decision: Decision["decision"];
  decided_at: Date;
  log_index: bigint | null;
}

const INVOCATION_ID = /^inv_[0-9a-f]{32}$/;

/** The obligation that the cited call was about. */
async function getOwnVerdict(tx: Queryable, invocationId: string, wallet: string): Promise<Hex> {
  // Callers may send any text. Text that cannot be an id needs no query, and a query fails on some of it (NUL).
  const [call] = INVOCATION_ID.test(invocationId)
    ? await tx.query<CallRow>({
        name: "decision_call",
        text: `SELECT i.capability_id, i.payer, i.state, c.claim_id AS obligation_id
               FROM invocations i LEFT JOIN claims c ON c.verdict_input_hash = i.input_hash
               WHERE i.invocation_id = $1`,
        values: [invocationId],
      })
    : [];
  if (!call) throw new AssayError("not_found", "No invocation has that id.");
  if (call.payer !== wallet)
    throw new AssayError("foreign_invocation", "Only the wallet that paid for a verdict decides on it.");
  if (!findCapability(call.capability_id)?.takesDecisions || call.obligation_id === null)
    throw noVerdict(`is a call of ${call.capability_id}, which gives no verdict on an obligation`);
  if (call.state !== "settled") throw noVerdict(`is ${call.state}: it produced no verdict`);
  return call.obligation_id;
}

const noVerdict = (rule: string): AssayError =>
  new AssayError("invocation_without_verdict", `invocationId ${rule}.`, {
    fields: [{ field: "invocationId", rule }],
  });

/** Undefined when there is one already. Of several at once, the first is kept. */
async function createDecision(
  tx: Queryable,
  { invocationId, wallet, decision }: DecisionRequest,
  obligationId: Hex,
): Promise<DecisionRow | undefined> {
  const [row] = await tx.query<DecisionRow>({
    name: "decision_create",
    text: `INSERT INTO obligation_decisions (invocation_id, wallet, obligation_id, decision)
           VALUES ($1, $2, $3, $4) ON CONFLICT (invocation_id) DO NOTHING RETURNING *`,
    values: [invocationId, wallet, obligationId, decision],
  });
  return row;
}

/** Without the obligation: which one a wallet asked about is private. */
const decisionLeaf = (row: DecisionRow): Leaf => ({
  kind: "decision",
  subject: row.invocation_id,
  content: {
    invocationId: row.invocation_id,
    network: NETWORK,
    wallet: row.wallet,
    decision: row.decision,
    decidedAt: row.decided_at.toISOString(),
  },
});

const DECISION_PLACES = {
  name: "log_decision",
  text: "UPDATE obligation_decisions SET log_index = leaf_index FROM appended WHERE invocation_id = subject",
};

async function getDecision(tx: Queryable, invocationId: string): Promise<DecisionRow> {
  const [row] = await tx.query<DecisionRow>({
    name: "decision_get",
    text: "SELECT * FROM obligation_decisions WHERE invocation_id = $1",
    values: [invocationId],
  });
  if (!row) throw new Error(`the decision on ${invocationId} is gone`);
  return row;
}

const describe = (row: DecisionRow): Decision => ({
  invocationId: row.invocation_id,
  obligationId: row.obligation_id,
  wallet: row.wallet,
  decision: row.decision,
  decidedAt: row.decided_at.toISOString(),
  selfAttested: true,
  logIndex: row.log_index === null ? null : Number(row.log_index),
});
