import type { Hex } from "@assay/protocol";
import { isPerson, type PartyView } from "../shared/effects/partyView.js";
import type { ApprovalAct } from "../shared/intents/act.js";
import type { IntentCase } from "../shared/intents/intentCase.js";
import { wasPaid } from "../shared/intents/judgeTransfers.js";
import { listOwnTransfers, listPayments, measureOutgoing } from "../shared/intents/measureOutgoing.js";
import { findValue, sumValues } from "../shared/intents/priceAssets.js";
import { judgeVoucher } from "./judgeVoucher.js";
import type { SignedPayment } from "./meaning.js";
import { findHeld, isTrusted, type MessageCase, type Notes } from "./messageCase.js";

/** Micro-dollars. */
const DOLLAR = 1_000_000n;
const SMALL = 100n * DOLLAR;
/** Micro-dollars that a permission for a while may come to, where no day comes to more than SMALL. */
const MOST_IN_ALL = 1000n * DOLLAR;
const DAY = 86_400n;
const YEAR = 366n * DAY;
/** Wei. */
const HIGH_FEE = 5n * 10n ** 15n;
const EXCESSIVE_FEE = 5n * 10n ** 16n;

/** Payments, permissions, delegates and fees: what a signature gives beyond what its run shows. */
export function judgeGrants(one: MessageCase): Notes {
  return [
    ...judgeTakings(one),
    ...judgePayments(one),
    ...judgeApprovals(one),
    ...judgeDelegate(one),
    ...judgeOperation(one),
    ...judgeVoucher(one),
  ];
}

/** Tokens that a signature lets others take without a run: deposits, and what delegates may spend. */
function judgeTakings(one: MessageCase): Notes {
  const { payment, notes, until, run } = one.meaning;
  if (payment === null) return [];
  const { token, to, isDeposit } = payment;
  const kind = token === null ? "native" : "erc20";
  const isWithin = (units: bigint, most: bigint) => {
    const value = findValue(one, { asset: { kind, token, id: null }, amount: units });
    return value !== undefined && value <= most;
  };
  const { inDay, inAll } = sumPeriods(payment, until, one.now);
  const isSmall = isWithin(inDay, SMALL) && isWithin(inAll, MOST_IN_ALL);
  if (isDeposit) return [{ code: isSmall ? "DEPOSIT_SMALL" : "DEPOSIT_LARGE" }];
  if (run !== null && one.run !== null) return [];
  const isHeldMost = isMost(findHeld(one, token), inAll.toString()) && !isTrusted(one.viewParty(to));
  // The same steps as for a payment: all of a little is asked about, all of more than that is not given.
  if (isHeldMost && !isWithin(inAll, DOLLAR))
    return [{ code: isWithin(inAll, SMALL) ? "MOST_TO_NEW_ACCOUNT" : "MOST_BY_SIGNATURE" }];
  if (notes.some(({ code }) => code === "DELEGATION_BOUNDED" || code === "SPENDING_BOUNDED")) {
    const isEndless = until === null || BigInt(until) > one.now + YEAR;
    return isSmall && !isEndless ? [] : [{ code: "DELEGATION_OPEN" }];
  }
  return [{ code: "LARGE_PAYMENT" }];
}

/**
 * What may be taken in one day, and until the end. Periods follow each other from `start`, so that a day or a permission
 * touches one more of them than fits into it: the end of one and the beginning of the next.
 */
export function sumPeriods({ amount, period, start }: SignedPayment, until: string | null, now: bigint) {
  const once = BigInt(amount);
  if (period === undefined) return { inDay: once, inAll: once };
  const seconds = BigInt(period) > 0n ? BigInt(period) : 1n;
  const end = until === null || BigInt(until) > now + YEAR ? now + YEAR : BigInt(until);
  const first = start === undefined ? now : BigInt(start);
  const from = first > now ? first : now;
  const indexOf = (time: bigint) => (time - first) / seconds;
  const touched = end <= from ? 1n : indexOf(end - 1n) - indexOf(from) + 1n;
  const ofDay = (DAY - 1n + seconds - 1n) / seconds + 1n;
  return { inDay: once * (touched < ofDay ? touched : ofDay), inAll: once * touched };
}

/**
 * What the signature pays to accounts and unknown contracts that no earlier payment vouches for, in all and by whatever form:
 * a transfer by signature, a Safe's transaction, an operation or a batch of calls.
 */
function judgePayments(one: MessageCase): Notes {
  const { run } = one;
  if (run === null) return [];
  const groups = [run.own, ...run.claimed.map((address) => new Set([address]))];
  return groups.flatMap((group): Notes => {
    const { recipients, value, isMost: isMeasuredMost, isSmall } = measureOutgoing(run, group);
    if (givesItems(run, group) && (isSmall || recipients.length === 0)) return [{ code: "LARGE_PAYMENT" }];
    if (one.meaning.times !== "1") return judgeRepeated(one, run, group, recipients);
    if (recipients.length === 0) return [];
    if (value !== undefined && value <= DOLLAR) return [{ code: "SMALL_PAYMENT" }];
    const { payment } = one.meaning;
    // A run that fails measures nothing, and the signature may be used later.
    const isAll = payment !== null && isMost(findHeld(one, payment.token), payment.amount);
    // Most of a small sum is small; whether an account that was never used gets it, the run says.
    if ((isMeasuredMost || isAll) && !isSmall) return [{ code: "MOST_BY_SIGNATURE" }];
    return [{ code: isSmall ? "SMALL_PAYMENT" : "LARGE_PAYMENT" }];
  });
}

/** Whether an item, which has no price, goes to somebody who was not paid before. */
const givesItems = (run: IntentCase, group: ReadonlySet<Hex>): boolean =>
  listOwnTransfers(run, group).some(({ token, to, id }) => {
    const isItem = id !== null || (token !== null && run.effects?.erc721Tokens.has(token) === true);
    return isItem && !group.has(to) && isStranger(run.viewParty(to)) && wasPaid(run, to) !== true;
  });

/** The run is made once; the signature lets it be made again. Earlier payments vouch for one, not for many. */
function judgeRepeated(
  { meaning: { times } }: MessageCase,
  run: IntentCase,
  group: ReadonlySet<Hex>,
  strangers: readonly Hex[],
): Notes {
  const payments = listPayments(run, group).filter(({ amount }) => amount > 0n);
  if (payments.length === 0) return [];
  const isToStranger = payments.some(({ to }) => strangers.includes(to));
  if (times === null) return [{ code: isToStranger ? "MOST_BY_SIGNATURE" : "LARGE_PAYMENT" }];
  const count = BigInt(times);
  const once = sumValues(run, payments);
  const value = once === undefined ? undefined : once * count;
  const takesMost = payments.some(({ asset: { token }, from }) => {
    const held =
      run.effects?.balances.find((entry) => entry.holder === from && entry.token === token)?.before ??
      (token === null && run.readings.senderBalance.status === "value"
        ? BigInt(run.readings.senderBalance.value)
        : null);
    const sum = payments
      .filter(({ asset }) => asset.token === token)
      .reduce((total, { amount }) => total + amount, 0n);
    return isMost(held, (sum * count).toString());
  });
  if (value !== undefined && value <= DOLLAR) return [{ code: "SMALL_PAYMENT" }];
  const isSmall = value !== undefined && value <= SMALL;
  if (takesMost && isToStranger) return [{ code: isSmall ? "MOST_TO_NEW_ACCOUNT" : "MOST_BY_SIGNATURE" }];
  return [{ code: isSmall && !takesMost ? "SMALL_PAYMENT" : "LARGE_PAYMENT" }];
}

const isMost = (held: bigint | null, amount: string): boolean =>
  held !== null && held > 0n && BigInt(amount) * 2n >= held;

/** A permission for most of what is held, to a party that nobody published, is how wallets are emptied by signature. */
function judgeApprovals({ run }: MessageCase): Notes {
  if (run === null) return [];
  const approvals = run.listed.acts.filter((act): act is ApprovalAct => act.kind === "approval");
  return approvals.flatMap(({ owner, token, spender, amount, isRevocation }): Notes => {
    if (isRevocation || amount === null || !run.own.has(owner)) return [];
    if (run.effects?.erc721Tokens.has(token)) return [];
    const view = run.viewParty(spender);
    const held = run.effects?.balances.find((one) => one.holder === owner && one.token === token)?.before;
    return isStranger(view) && isMost(held ?? null, amount) ? [{ code: "MOST_BY_SIGNATURE" }] : [];
  });
}

const isStranger = (view: PartyView): boolean => isPerson(view) || view.kind === "contract";

/** The code that the signer's account will run (EIP-7702) can do everything with what the account holds. */
function judgeDelegate(one: MessageCase): Notes {
  const { delegate } = one.meaning;
  if (delegate === null) return [];
  const { kind, reading } = one.viewParty(delegate);
  if (kind === "changed") return [{ code: "KNOWN_PARTY_CHANGED" }];
  const code = reading?.code;
  if (code === undefined || (code.status !== "value" && code.status !== "absent"))
    return [{ code: "COUNTERPARTY_UNREAD", limitation: `The code of ${delegate} was not read.` }];
  if (code.status === "absent" || code.value.form === "empty") return [{ code: "DELEGATE_HAS_NO_CODE" }];
  if (isMadeForKeys(one, delegate)) return [{ code: "DELEGATE_KNOWN" }];
  // Storage of the key's account is empty: there is no owner yet, and the first to call the set-up becomes it.
  if (reading?.known?.role === "account_implementation" || reading?.account != null)
    return [{ code: "DELEGATE_UNINITIALISED" }];
  const signs = one.readings.delegateSigns;
  const takes = signs?.status === "value" && (signs.value?.length ?? 0) > 0;
  return [{ code: takes ? "DELEGATE_TAKES" : "DELEGATE_UNKNOWN" }];
}

/** Code that runs at a key's account without a set-up, and obeys that key. A proxy would find nothing in its slot. */
function isMadeForKeys(one: MessageCase, delegate: Hex): boolean {
  const { kind, reading } = one.viewParty(delegate);
  if (kind === "known") return reading?.known?.role === "delegate";
  return reading?.implementation === null && reading.account?.kind === "eip7702_delegate";
}

function judgeOperation(one: MessageCase): Notes {
  const { feeWei, operation } = one.meaning;
  const notes: Notes = [];
  if (feeWei !== null && BigInt(feeWei) > EXCESSIVE_FEE) notes.push({ code: "FEE_EXCESSIVE" });
  else if (feeWei !== null && BigInt(feeWei) > HIGH_FEE) notes.push({ code: "FEE_HIGH" });
  if (operation === null) return notes;
  if (!isKnownAs(one, operation.entryPoint, "entry_point")) notes.push({ code: "ENTRY_POINT_UNKNOWN" });
  if (operation.factory !== null && !isKnownAs(one, operation.factory, "account_factory"))
    notes.push({ code: "FACTORY_UNKNOWN" });
  return notes;
}

function isKnownAs(one: MessageCase, address: Hex, role: string): boolean {
  const { kind, reading } = one.viewParty(address);
  return kind === "known" && reading?.known?.role === role;
}
