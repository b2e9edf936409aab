import { bodyOf, callOf, isUnsettled, parseRows, putCall } from "./callRows.js";
import type { View } from "./rowStore.js";
import { authorizationOf, type CallRow, type Tables } from "./tables.js";

/** What one statement of the service does, by its name. */
export type Statement = (view: View, tables: Tables, values: readonly unknown[]) => unknown[];

export const later = (view: View, seconds: unknown) => new Date(view.nowMs + Number(seconds) * 1000);
const isPast = (view: View, date: Date) => date.getTime() < view.nowMs;

/** Of an update that leaves alone what the unique indexes read. */
function change(view: View, { invocations }: Tables, row: CallRow, news: Partial<CallRow>): CallRow {
  const changed = { ...row, ...news };
  view.put(invocations, row.invocation_id, changed);
  return changed;
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function reserve(view: View, tables: Tables, [json, seconds]: readonly unknown[]): CallRow[] {
  const rows = parseRows(json).sort(
    (a, b) => byText(a.payer, b.payer) || byText(a.authorization_nonce, b.authorization_nonce),
  );
  return rows.flatMap((given) => {
    const key = authorizationOf(given as unknown as CallRow);
    if (view.conflict(tables.invocations, "authorization", key)) return [];
    const row = callOf(given, { state: "reserved", lease_until: later(view, seconds), created_at: view.now });
    return [putCall(view, tables, row)];
  });
}

function findByAuthorization(view: View, { invocations }: Tables, values: readonly unknown[]) {
  return view.find(invocations, "authorization", values.join(" "))[0];
}

function answered(view: View, tables: Tables, [json, seconds, bytes]: readonly unknown[]) {
  return parseRows(json).flatMap((g) => {
    const id = g.invocation_id;
    const row = view.lock(tables.invocations, id);
    if (row?.attempt !== g.attempt || row.state !== "reserved") return [];
    putCall(view, tables, {
      ...row,
      state: g.state,
      failure: g.failure,
      computed_at: view.now,
      lease_until: later(view, seconds),
      actual_status: g.actual_status,
      result_hash: g.result_hash,
      artifact_id: g.artifact_id,
    });
    view.put(tables.unfinal, id, {
      invocation_id: id,
      valid_after: g.valid_after,
      signature: g.signature,
      next_check: view.get(tables.unfinal, id)?.next_check ?? view.now,
    });
    const earlier = view.get(tables.responses, id);
    view.put(tables.responses, id, {
      invocation_id: id,
      ...bodyOf(g, bytes),
      effects: g.effects,
      packed_payment_response: earlier?.packed_payment_response ?? null,
    });
    return [{ invocation_id: id }];
  });
}

/** The rows that may be settled, locked in their order; each as it is once that is done. */
function lockUnsettled(view: View, tables: Tables, [json]: readonly unknown[]) {
  const given = parseRows(json).sort((a, b) => byText(a.invocation_id, b.invocation_id));
  return given.flatMap((g) => {
    const row = view.lock(tables.invocations, g.invocation_id);
    if (!row || !isUnsettled(row) || !view.get(tables.responses, g.invocation_id)) return [];
    return [
      {
        ...{ ...row, transaction_hash: g.transaction_hash, settled_at: view.now },
        ...{ payment_response: g.payment_response, x402_receipt_hash: g.x402_receipt_hash },
        took_ms: view.nowMs - row.created_at.getTime(),
        computed: null,
      },
    ];
  });
}

function restart(view: View, tables: Tables, values: readonly unknown[]) {
  const [
    id,
    seconds,
    quoteId,
    status,
    list,
    credit,
    price,
    digest,
    offerKey,
    identifier,
    payTo,
    amount,
    before,
    block,
  ] = values as [
    string,
    number,
    string | null,
    string,
    bigint,
    bigint,
    bigint,
    string,
    string,
    string,
    string,
    string,
    string,
    number,
  ];
  const row = view.lock(tables.invocations, id);
  if (!row) return [];
  const isSame = row.amount === BigInt(amount) && row.valid_before === BigInt(before);
  const again = putCall(view, tables, {
    ...row,
    state: "reserved",
    attempt: row.attempt + 1,
    failure: null,
    lease_until: later(view, seconds),
    quote_id: quoteId,
    quoted_status: status as CallRow["quoted_status"],
    list_price_micro_usd: list,
    credit_micro_usd: credit,
    price_micro_usd: price,
    payment_digest: digest,
    digest_version: 3,
    offer_key: offerKey,
    payment_identifier: identifier,
    pay_to: payTo,
    amount: BigInt(amount),
    valid_before: BigInt(before),
    reserved_at_block: isSame ? row.reserved_at_block : BigInt(block),
  });
  return [again];
}

function payerRecord(view: View, { invocations }: Tables, [json]: readonly unknown[]) {
  return (JSON.parse(json as string) as string[]).flatMap((id) => {
    const own = view.get(invocations, id);
    if (!own) return [];
    const hasPaid = view.find(invocations, "settledOfPayer", own.payer).length > 0;
    let pending = 0n;
    for (const other of view.find(invocations, "openOfPayer", own.payer)) {
      const began =
        other.lease_until.getTime() - own.lease_until.getTime() || byText(other.invocation_id, id);
      if (other.state !== "reserved" || began < 0) pending += other.amount;
    }
    return [{ invocation_id: id, has_paid: hasPaid, pending: pending.toString() }];
  });
}

/** Takes rows over by pushing their lease forward. */
function takeAbandoned(view: View, tables: Tables, [seconds, limit]: readonly unknown[]) {
  const due = view
    .find(tables.invocations, "open", "open")
    .filter((row) => isPast(view, row.lease_until))
    .sort((a, b) => a.lease_until.getTime() - b.lease_until.getTime())
    .filter((row) => !view.isHeld(tables.invocations, row.invocation_id))
    .slice(0, Number(limit));
  return due.map((row) => change(view, tables, row, { lease_until: later(view, seconds) }));
}

/** Changes the call with this id if it is as the statement demands. */
function changeIf(
  view: View,
  tables: Tables,
  id: unknown,
  isWanted: (row: CallRow) => boolean,
  news: (row: CallRow) => Partial<CallRow>,
): CallRow[] {
  const seen = view.get(tables.invocations, id as string);
  const row = seen && isWanted(seen) ? view.lock(tables.invocations, id as string) : undefined;
  return row && isWanted(row) ? [change(view, tables, row, news(row))] : [];
}

function reopen(view: View, tables: Tables, [id, validAfter, signature]: readonly unknown[]) {
  const row = view.lock(tables.invocations, id as string);
  if (row?.state !== "failed") return [];
  tables.reopened.add(row.invocation_id);
  const { offer_key: offer, payment_identifier: name, payer } = row;
  const isTaken = (index: "offer" | "identifier", key: string | null) =>
    key !== null && view.find(tables.invocations, index, key).length > 0;
  const isNamed = name !== null && isTaken("identifier", `${payer} ${name}`);
  const opened = putCall(view, tables, {
    ...row,
    offer_key: isTaken("offer", offer) ? null : offer,
    payment_identifier: isNamed ? null : name,
    state: "unknown",
    attempt: row.attempt + 1,
    lease_until: view.now,
    failure: "delivered after it failed",
  });
  if (!view.lock(tables.unfinal, id as string))
    view.put(tables.unfinal, id as string, {
      invocation_id: id as string,
      valid_after: validAfter as string,
      signature: signature as string,
      next_check: view.now,
    });
  return [opened];
}

function findResponse(view: View, tables: Tables, [id]: readonly unknown[]) {
  const row = view.get(tables.invocations, id as string);
  const response = view.get(tables.responses, id as string);
  if (row?.state !== "settled" || !response) return [];
  const { invocation_id, payer, capability_id, artifact_id } = row;
  return [
    {
      ...response,
      invocation_id,
      payer,
      capability_id,
      artifact_id,
      packed: null,
      first_body: null,
      payment_response: null,
    },
  ];
}

function takeDue(view: View, tables: Tables, [seconds, finalizedAt, limit]: readonly unknown[]) {
  const isDue = ({ invocation_id, next_check }: { invocation_id: string; next_check: Date }) => {
    const call = view.get(tables.invocations, invocation_id);
    return (
      next_check.getTime() <= view.nowMs &&
      call?.state === "settled" &&
      (call.settled_at as Date).getTime() <= Number(finalizedAt) * 1000
    );
  };
  const due = view
    .list(tables.unfinal)
    .filter(isDue)
    .sort((a, b) => a.next_check.getTime() - b.next_check.getTime())
    .filter(({ invocation_id }) => !view.isHeld(tables.unfinal, invocation_id))
    .slice(0, Number(limit));
  return due.map((row) => {
    view.put(tables.unfinal, row.invocation_id, { ...row, next_check: later(view, seconds) });
    const { valid_after, signature } = row;
    return { ...view.get(tables.invocations, row.invocation_id), valid_after, signature };
  });
}

function undo(view: View, tables: Tables, [id, replacement]: readonly unknown[]) {
  const by = replacement as string | null;
  return changeIf(
    view,
    tables,
    id,
    (row) => row.state === "settled" && (by === null || row.redelivered_by !== by),
    (row) => ({
      redelivered_by: by,
      state: by === null ? "reorged" : row.state,
      failure: by === null ? "a reorganisation of the chain undid the payment" : null,
    }),
  );
}

export const paymentStatements: Readonly<Record<string, Statement>> = {
  invocation_reserve: reserve,
  "invocation_by_authorization ": (view, tables, values) => {
    const row = findByAuthorization(view, tables, values);
    return row ? [row] : [];
  },
  "invocation_by_authorization FOR UPDATE": (view, tables, values) => {
    const row = findByAuthorization(view, tables, values);
    const locked = row && view.lock(tables.invocations, row.invocation_id);
    return locked ? [locked] : [];
  },
  invocation_credit_hold: (view, tables, [id, hold]) =>
    changeIf(
      view,
      tables,
      id,
      () => true,
      () => ({ credit_hold: hold as string }),
    ),
  invocation_without_quote: (view, tables, [id]) =>
    changeIf(
      view,
      tables,
      id,
      () => true,
      () => ({ quote_id: null }),
    ),
  invocation_credit_released: (view, tables, [id]) =>
    changeIf(
      view,
      tables,
      id,
      () => true,
      () => ({ credit_hold: null }),
    ),
  invocation_restart: restart,
  invocation_take_over: (view, tables, [id, seconds, digest]) =>
    changeIf(
      view,
      tables,
      id,
      () => true,
      (row) => ({
        state: "reserved",
        attempt: row.attempt + 1,
        lease_until: later(view, seconds),
        payment_digest: digest as string,
        digest_version: 3,
      }),
    ),
  invocation_answered: answered,
  invocation_renew_lease: (view, tables, [id, attempt, seconds]) => {
    const isWanted = (row: CallRow) =>
      row.attempt === attempt && (row.state === "settling" || row.state === "unknown");
    changeIf(view, tables, id, isWanted, () => ({ lease_until: later(view, seconds) }));
    return [];
  },
  invocation_unknown: (view, tables, [id, failure]) => {
    const news = () => ({ state: "unknown", failure: failure as string, lease_until: view.now }) as const;
    changeIf(view, tables, id, ({ state }) => state === "settling", news);
    return [];
  },
  invocation_void: (view, tables, [id, attempt, failure]) =>
    changeIf(
      view,
      tables,
      id,
      (row) => row.attempt === attempt && row.state === "reserved",
      () => ({
        state: "void",
        failure: failure as string,
        lease_until: view.now,
      }),
    ),
  invocation_failed: (view, tables, [id, failure, states]) =>
    changeIf(
      view,
      tables,
      id,
      ({ state }) => (states as string[]).includes(state),
      () => ({
        state: "failed",
        failure: failure as string,
        lease_until: view.now,
      }),
    ),
  invocation_reopen: reopen,
  invocation_undone: undo,
  invocations_lock: lockUnsettled,
  payer_record: payerRecord,
  response_find: findResponse,
  kept_authorization: (view, { unfinal }, [id]) => {
    const kept = view.get(unfinal, id as string);
    return kept ? [kept] : [];
  },
  unfinal_uncharged: (view, tables) => {
    for (const { invocation_id: id } of view.list(tables.unfinal)) {
      const state = view.get(tables.invocations, id)?.state;
      if (state === "void" || state === "failed") view.remove(tables.unfinal, id);
    }
    return [];
  },
  unfinal_due: takeDue,
  unfinal_forget: (view, { unfinal }, [ids]) => {
    for (const id of ids as string[]) if (view.get(unfinal, id)) view.remove(unfinal, id);
    return [];
  },
  "UPDATE invocations SET lease_until": takeAbandoned,
  recovered_payment: () => [],
};
