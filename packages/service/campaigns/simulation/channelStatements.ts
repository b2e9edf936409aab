import { bodyOf, callOf, NEW_CALL, parseRows, putCall } from "./callRows.js";
import { later, type Statement } from "./paymentStatements.js";
import type { View } from "./rowStore.js";
import type { CallRow, ChannelTableRow, Tables } from "./tables.js";

type News = Partial<ChannelTableRow>;

function changeChannel(
  view: View,
  { channels }: Tables,
  channelNo: unknown,
  news: (row: ChannelTableRow) => News | undefined,
): ChannelTableRow[] {
  const key = String(channelNo);
  const seen = view.get(channels, key);
  const row = seen && news(seen) ? view.lock(channels, key) : undefined;
  const changed = row && news(row);
  if (!row || !changed) return [];
  const next = { ...row, ...changed };
  view.put(channels, key, next);
  return [next];
}

const isFree = ({ busy_until }: ChannelTableRow, nowMs: number) =>
  busy_until === null || busy_until.getTime() < nowMs;

function charge(view: View, tables: Tables, [json, bytes]: readonly unknown[]) {
  const given = parseRows(json);
  for (const no of given.map((g) => BigInt(g.channel_no)).sort((a, b) => (a < b ? -1 : 1)))
    view.lock(tables.channels, String(no));
  return given.flatMap((g) => {
    const before = BigInt(g.charged_before);
    const ceiling = BigInt(g.voucher_ceiling);
    const moved = changeChannel(view, tables, g.channel_no, (c) =>
      c.charged === before &&
      ceiling === before + BigInt(g.amount) &&
      ceiling <= c.balance - c.withdrawing - c.refunding &&
      (isFree(c, view.nowMs) || c.busy_by === g.invocation_id)
        ? {
            charged: ceiling,
            voucher_signature: Buffer.from(g.signature, "hex"),
            charged_at: view.now,
            unclaimed_since: c.unclaimed_since ?? view.now,
            busy_by: null,
            busy_until: null,
          }
        : undefined,
    );
    if (moved.length === 0) return [];
    const call = putCall(view, tables, {
      ...callOf(g, { state: "settled", lease_until: view.now, created_at: new Date(g.created_at) }),
      ...{ attempt: NEW_CALL.attempt, computed_at: view.now, settled_at: view.now },
      channel_no: BigInt(g.channel_no),
      voucher_ceiling: ceiling,
      voucher_signature: Buffer.from(g.signature, "hex"),
    } as CallRow);
    const id = call.invocation_id;
    view.put(tables.responses, id, {
      invocation_id: id,
      ...bodyOf(g, bytes),
      effects: g.effects,
      packed_payment_response: Buffer.from(g.packed_payment_response, "base64"),
    });
    return [{ invocation_id: id, settled_at: view.now, took_ms: view.nowMs - call.created_at.getTime() }];
  });
}

function open(view: View, { channels, sequences }: Tables, values: readonly unknown[]) {
  const [id, config, charged, balance, claimed, withdrawing, requestedAt, refundNonce] = values as [
    string,
    string,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const isKnown = view.conflict(channels, "id", id) !== undefined;
  sequences.channel += 1n;
  const no = sequences.channel;
  if (isKnown) return [];
  view.put(channels, String(no), {
    ...{ channel_no: no, channel_id: id, config: JSON.parse(config), charged, balance, claimed, withdrawing },
    ...{
      withdraw_requested_at: requestedAt,
      refund_nonce: refundNonce,
      refunding: 0n,
      voucher_signature: null,
    },
    ...{ unfinal_deposit: null, deposited_at: null, busy_by: null, busy_until: null, charged_at: null },
    ...{ unclaimed_since: null, checked_at: view.now },
  });
  return [];
}

function recordChainState(view: View, tables: Tables, values: readonly unknown[]) {
  const [no, balance, claimed, withdrawing, requestedAt, refundNonce] = values as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  changeChannel(view, tables, no, (c) => {
    if (c.refund_nonce > refundNonce || c.claimed > claimed) return undefined;
    const since =
      claimed >= c.charged ? null : c.claimed < claimed ? c.charged_at : (c.unclaimed_since ?? c.charged_at);
    return {
      ...{ balance, claimed, withdrawing, withdraw_requested_at: requestedAt, refund_nonce: refundNonce },
      refunding: c.refund_nonce < refundNonce ? 0n : c.refunding,
      ...{ unclaimed_since: since, checked_at: view.now },
    };
  });
  return [];
}

function seeClaim(view: View, { claims }: Tables, [no, claimed, transaction]: readonly unknown[]) {
  if ((claimed as bigint) <= 0n) return [];
  const key = `${no} ${claimed}`;
  const known = view.conflict(claims, "place", key);
  const row = known ? view.lock(claims, key) : undefined;
  view.put(claims, key, {
    ...(row ?? {
      channel_no: no as bigint,
      claimed: claimed as bigint,
      claimed_at: view.now,
      is_final: false,
    }),
    transaction_hash: row?.transaction_hash ?? (transaction as string | null),
  });
  return [];
}

function lease(view: View, tables: Tables, [json, seconds]: readonly unknown[]) {
  const given = parseRows(json);
  for (const no of given.map((g) => BigInt(g.channel_no)).sort((a, b) => (a < b ? -1 : 1)))
    view.lock(tables.channels, String(no));
  const taken = new Set<string>();
  // One statement changes a row once, with whichever of the given rows comes first.
  return given.flatMap((g) => {
    const no = g.channel_no;
    if (taken.has(no)) return [];
    const leased = changeChannel(view, tables, no, (c) =>
      c.charged === BigInt(g.charged) && isFree(c, view.nowMs)
        ? { busy_by: g.holder, busy_until: later(view, seconds) }
        : undefined,
    );
    if (leased.length > 0) taken.add(no);
    return leased.map(({ busy_by }) => ({ busy_by }));
  });
}

const byDate = (a: Date | null, b: Date | null) => (a?.getTime() ?? 0) - (b?.getTime() ?? 0);
const isBefore = (date: Date | null, ms: number) => date !== null && date.getTime() < ms;

function confirmClaims(view: View, tables: Tables, [no, shown, newest, isLost]: readonly unknown[]) {
  const [claimed, most] = [shown as bigint, newest as bigint];
  for (const row of view.list(tables.claims)) {
    if (row.channel_no !== no || row.is_final) continue;
    const key = `${no} ${row.claimed}`;
    if (row.claimed > claimed && row.claimed <= most) view.remove(tables.claims, key);
    else if (row.claimed <= claimed) view.put(tables.claims, key, { ...row, is_final: true });
  }
  changeChannel(view, tables, no, (c) => ({
    claimed: isLost && claimed < c.claimed ? claimed : c.claimed,
    unclaimed_since: isLost ? (c.unclaimed_since ?? c.charged_at) : c.unclaimed_since,
  }));
  return [];
}

const isSameJson = (value: unknown, text: unknown) => value !== null && JSON.stringify(value) === text;

export const channelStatements: Readonly<Record<string, Statement>> = {
  channels_charge: charge,
  channels_find: (view, { channels }, [ids]) =>
    (ids as string[]).flatMap((id) => view.find(channels, "id", id)),
  channel_by_no: (view, { channels }, [no]) => {
    const row = view.get(channels, String(no));
    return row ? [row] : [];
  },
  channel_open: open,
  channel_chain_state: recordChainState,
  channel_claim_seen: seeClaim,
  channel_keep_deposit: (view, tables, [no, json]) => {
    const deposit: unknown = JSON.parse(json as string);
    const kept = { deposit, at: Math.floor(view.nowMs / 1000) };
    changeChannel(view, tables, no, (c) => {
      const others = (c.unfinal_deposit as { deposit: unknown }[] | null) ?? [];
      if (others.some((other) => isSameJson(other.deposit, json))) return undefined;
      const at = c.unfinal_deposit === null ? view.now : c.deposited_at;
      return { unfinal_deposit: [...others, kept], deposited_at: at };
    });
    return [];
  },
  channel_refunding: (view, tables, [no, amount, nonce]) => {
    changeChannel(view, tables, no, (c) =>
      c.refund_nonce === nonce ? { refunding: amount as bigint } : undefined,
    );
    return [];
  },
  channels_lease: lease,
  channel_release: (view, tables, [no, holder]) => {
    changeChannel(view, tables, no, (c) =>
      c.busy_by === holder ? { busy_by: null, busy_until: null } : undefined,
    );
    return [];
  },
  channel_work_lease: (view, { work }, [seconds]) => {
    const seen = view.get(work, "work");
    const row = seen && seen.leased_until.getTime() <= view.nowMs ? view.lock(work, "work") : undefined;
    if (!row || row.leased_until.getTime() > view.nowMs) return [];
    view.put(work, "work", { ...row, leased_until: later(view, seconds) });
    return [{ only_row: true }];
  },
  "UPDATE channel_work SET leased_until": (view, { work }) => {
    const row = view.lock(work, "work");
    if (row) view.put(work, "work", { ...row, leased_until: view.now });
    return [];
  },
  "UPDATE channel_work SET swept_at": (view, { work }) => {
    const row = view.lock(work, "work");
    if (row) view.put(work, "work", { ...row, swept_at: view.now });
    return [];
  },
  channels_to_watch: (view, { channels }, [seconds, limit]) =>
    view
      .list(channels)
      .filter((c) => c.balance > c.claimed && c.checked_at.getTime() < view.nowMs - Number(seconds) * 1000)
      .sort((a, b) => byDate(a.checked_at, b.checked_at))
      .slice(0, Number(limit)),
  channels_unfinal: (view, { channels, claims }) => [
    {
      is_there:
        view.list(channels).some((c) => c.unfinal_deposit !== null) ||
        view.list(claims).some((c) => !c.is_final),
    },
  ],
  deposits_to_confirm: (view, { channels }, [atSeconds, limit]) =>
    view
      .list(channels)
      .filter((c) => c.unfinal_deposit !== null && isBefore(c.deposited_at, Number(atSeconds) * 1000))
      .slice(0, Number(limit)),
  deposits_final: (view, tables, [no, known, left, oldest]) =>
    changeChannel(view, tables, no, (c) =>
      isSameJson(c.unfinal_deposit, known)
        ? {
            unfinal_deposit: left === null ? null : JSON.parse(left as string),
            deposited_at: oldest === null ? null : new Date(Number(oldest) * 1000),
          }
        : undefined,
    ),
  claims_to_confirm: (view, { channels, claims }, [atSeconds, limit]) => {
    const newest = new Map<bigint, bigint>();
    for (const { channel_no: no, claimed, claimed_at, is_final } of view.list(claims))
      if (!is_final && isBefore(claimed_at, Number(atSeconds) * 1000) && claimed > (newest.get(no) ?? -1n))
        newest.set(no, claimed);
    return view
      .list(channels)
      .filter((c) => newest.has(c.channel_no))
      .slice(0, Number(limit))
      .map((c) => ({ ...c, newest: newest.get(c.channel_no) }));
  },
  claims_confirm: confirmClaims,
  channels_to_claim: (view, { channels }, [seconds, limit, least]) =>
    view
      .list(channels)
      .filter((c) => c.unclaimed_since !== null && c.charged - c.claimed >= (least as bigint))
      .sort(
        (a, b) =>
          Number(b.withdraw_requested_at > 0n) - Number(a.withdraw_requested_at > 0n) ||
          byDate(a.unclaimed_since, b.unclaimed_since),
      )
      .slice(0, Number(limit))
      .map((c) => ({
        ...c,
        is_urgent: c.withdraw_requested_at > 0n,
        is_old: isBefore(c.unclaimed_since, view.nowMs - Number(seconds) * 1000),
      })),
  channel_give_up: (view, tables, [no, charged]) => {
    changeChannel(view, tables, no, (c) => (c.charged === charged ? { unclaimed_since: null } : undefined));
    return [];
  },
  channel_sweep_due: (view, { work }, [seconds]) => {
    const row = view.get(work, "work");
    return row ? [{ is_due: row.swept_at.getTime() < view.nowMs - Number(seconds) * 1000 }] : [];
  },
};
