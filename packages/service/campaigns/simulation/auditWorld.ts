import type { ChannelBuyer } from "./channelBuyers.js";
import { PAY_TO } from "./simulatedProcess.js";
import type { Purchase, SimulatedWorld } from "./simulatedWorld.js";
import type { CallRow, Tables } from "./tables.js";

const committed = <V>({ rows }: { readonly rows: ReadonlyMap<string, { committed: V | undefined }> }): V[] =>
  [...rows.values()].flatMap(({ committed: value }) => (value === undefined ? [] : [value]));

const keyOf = (payer: string, nonce: string) => `${payer} ${nonce}`.toLowerCase();
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** Everything that must hold once all lives have ended and the chain is final. One sentence for each breach. */
export function auditWorld(world: SimulatedWorld, buyers: readonly ChannelBuyer[]): Set<string> {
  const { tables, purchases, violations } = world;
  const tell = (isBroken: boolean, sentence: string) => {
    if (isBroken) violations.add(sentence);
  };
  const calls = committed(tables.invocations);
  auditCalls(world, calls, tell);
  auditBooks(tables, calls, tell);
  if (!world.hasReorganised) auditDenials(world, calls, tell);
  const undone = new Set(calls.flatMap(({ state, invocation_id: id }) => (state === "reorged" ? [id] : [])));
  for (const purchase of purchases) auditSights(purchase, undone, tell);
  for (const buyer of buyers) auditChannel(world, buyer, calls, tell);
  return violations;
}

type Tell = (isBroken: boolean, sentence: string) => void;

/** Calls against the chain: each charge has its call, each call its charge. */
function auditCalls(
  { chain, tables, purchases }: SimulatedWorld,
  calls: readonly CallRow[],
  tell: Tell,
): void {
  const byKey = new Map(calls.map((call) => [keyOf(call.payer, call.authorization_nonce), call]));
  for (const call of calls) {
    tell(["reserved", "settling", "unknown"].includes(call.state), `a call is ${call.state} for ever`);
    if (call.channel_no !== null) continue;
    const use = chain.token.findUse(call.payer, call.authorization_nonce);
    const isPaid =
      use !== undefined && !use.isCancelled && use.payTo === PAY_TO && use.amount === call.amount;
    if (call.state === "settled") {
      tell(!isPaid, "a settled call is not paid");
      // A call may begin with a head that nobody has renewed for half a minute, of a node that is some blocks behind.
      const beganAtMs = call.created_at.getTime() - 40_000;
      tell(isPaid && use.timestamp * 1000 < beganAtMs, "a call was paid before it began");
      const carrier = use && chain.minedBy(use);
      const known = call.redelivered_by ?? call.transaction_hash;
      tell(
        isPaid && carrier?.hash !== known,
        "a settled call names another transaction than the one that paid",
      );
      const response = tables.responses.rows.get(call.invocation_id)?.committed;
      tell(!response?.body || !response.packed_payment_response, "a settled call lacks the bytes owed");
    }
    if (call.state === "reorged") tell(isPaid, "a call counts as undone and is paid");
  }
  const refused = new Map(
    purchases.map(({ payer, nonce, sights }) => [keyOf(payer, nonce), sights.at(-1)?.reason]),
  );
  for (const use of chain.token.uses()) {
    if (use.isCancelled || use.payTo !== PAY_TO) continue;
    const key = keyOf(use.payer, use.nonce);
    const call = byKey.get(key);
    // Refused, and then delivered by somebody: its low price counted on credit that has gone to another answer since.
    if (call && call.credit_micro_usd > 0n && refused.get(key) === "quote_credit_spent") continue;
    // Who delivers a payment itself before its call began has bought nothing.
    const isOwed = call ? use.height > Number(call.reserved_at_block) : chain.minedBy(use)?.isOurs;
    tell(
      isOwed === true && call?.state !== "settled",
      `a payment was taken and its call is ${call?.state ?? "not there"}`,
    );
  }
}

/** Nobody hears that a payment failed while a transaction of ours may still deliver it. */
function auditDenials({ chain, tables }: SimulatedWorld, calls: readonly CallRow[], tell: Tell): void {
  for (const { invocation_id: id, payer, authorization_nonce: nonce } of calls) {
    const use = tables.reopened.has(id) ? chain.token.findUse(payer, nonce) : undefined;
    tell(
      use !== undefined && chain.minedBy(use)?.isOurs === true,
      "a payment was taken after it was said to have failed",
    );
  }
}

function auditBooks(tables: Tables, calls: readonly CallRow[], tell: Tell): void {
  const settled = calls.filter(({ state }) => state === "settled" || state === "reorged");
  const byId = new Map(calls.map((call) => [call.invocation_id, call]));
  const byQuote = new Map<string | null, CallRow[]>();
  for (const call of settled) {
    const users = byQuote.get(call.quote_id);
    if (users) users.push(call);
    else byQuote.set(call.quote_id, [call]);
  }
  for (const { quote_id: quoteId, invocation_id: id } of committed(tables.quotes)) {
    const holder = id === null ? undefined : byId.get(id);
    const isFree = holder === undefined || holder.state === "void" || holder.state === "failed";
    tell(id !== null && isFree, "a quote is held by a call that charged nothing");
    const users = byQuote.get(quoteId) ?? [];
    tell(users.length > 1, "a quote bought more than one call");
    tell(
      users.length === 1 && users[0]?.invocation_id !== id,
      "a settled call is on a quote that is not its own",
    );
  }
  const offers = settled.flatMap(({ offer_key: key }) => key ?? []);
  tell(new Set(offers).size !== offers.length, "an offer bought more than one call");
  const balances = committed(tables.balances);
  tell(sum(balances.map(({ balance_micro_usd }) => balance_micro_usd)) !== 0n, "credit was made or lost");
  tell(
    balances.some(({ account, balance_micro_usd: micro }) => micro < 0n && !account.startsWith("issue:")),
    "an account owes credit",
  );
  tell(
    balances.some(({ account, balance_micro_usd: micro }) => account.startsWith("held:") && micro !== 0n),
    "credit is held for ever",
  );
  const redeemed = balances.find(({ account }) => account === "redeemed")?.balance_micro_usd ?? 0n;
  tell(
    redeemed !== sum(settled.map((call) => call.credit_micro_usd)),
    "redeemed credit is not that of settled calls",
  );
  const moved = new Map<string, bigint>();
  for (const { debit_account, credit_account, amount_micro_usd: micro } of committed(tables.entries)) {
    moved.set(debit_account, (moved.get(debit_account) ?? 0n) - micro);
    moved.set(credit_account, (moved.get(credit_account) ?? 0n) + micro);
  }
  tell(
    balances.some(({ account, balance_micro_usd: micro }) => micro !== (moved.get(account) ?? 0n)),
    "a balance is not the sum of its entries",
  );
  const leaves = committed(tables.leaves);
  tell(BigInt(leaves.length) !== tables.head.rows.get("head")?.committed?.size, "the log has a gap");
  const receipts = leaves.filter(({ kind }) => kind === "receipt");
  tell(
    receipts.length !== settled.length,
    "the log has another number of receipts than there are settled calls",
  );
  tell(
    settled.some(({ log_index }) => log_index === null),
    "a settled call has no place in the log",
  );
  const counted = sum(committed(tables.stats).map((row) => row.settled));
  tell(counted !== BigInt(settled.length), "the statistics count another number of settled calls");
}

const DENIALS = /^(payment_failed|payment_refused|authorization_expired|ticket_expired|quote_expired)/;

/** What one buyer saw of one payment. */
function auditSights(purchase: Purchase, undone: ReadonlySet<string>, tell: Tell): void {
  const answers = purchase.sights.filter(({ status }) => status === "answer");
  const bytes = new Set(
    answers.map(({ body, paymentResponse, invocationId }) => [body, paymentResponse, invocationId].join(" ")),
  );
  tell(bytes.size > 1, "one payment got two different answers");
  const first = answers[0];
  if (!first) return;
  tell(!first.body?.includes(purchase.request.inputHash), "an answer is to another question");
  const denied = purchase.sights.some(
    ({ atMs, status, reason = "" }) => atMs > first.atMs && status === "challenge" && DENIALS.test(reason),
  );
  tell(denied && !undone.has(first.invocationId ?? ""), "a payment was denied after it was answered");
}

/** What was charged, answered, held and claimed of one channel. */
function auditChannel(
  world: SimulatedWorld,
  buyer: ChannelBuyer,
  calls: readonly CallRow[],
  tell: Tell,
): void {
  const { chain, tables } = world;
  const row = committed(tables.channels).find(({ channel_id }) => channel_id === buyer.channelId);
  if (!row) return;
  const held = chain.contract.at(buyer.channelId, chain.head());
  const own = calls.filter(({ channel_no }) => channel_no === row.channel_no);
  tell(
    row.charged !== sum(own.map(({ amount }) => amount)),
    "a channel was charged another amount than its answers cost",
  );
  tell(!buyer.hasWithdrawn && row.charged > held.balance, "a channel was charged more than it holds");
  tell(
    row.charged > 0n && !chain.contract.signed.has(`${buyer.channelId} ${row.charged}`),
    "a charge has no voucher",
  );
  tell(held.claimed > row.charged, "more was claimed than was charged");
  tell(!buyer.hasWithdrawn && held.claimed !== row.charged, "vouchers were never claimed");
  const ceilings = own.map(({ voucher_ceiling }) => voucher_ceiling);
  tell(new Set(ceilings).size !== ceilings.length, "one voucher bought two answers");
  const answered = new Set(
    buyer.purchases.flatMap(({ sights }) => sights.flatMap(({ invocationId }) => invocationId ?? [])),
  );
  tell(answered.size > own.length, "an answer was given that was not charged");
}
