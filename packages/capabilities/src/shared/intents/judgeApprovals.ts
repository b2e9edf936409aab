import type { Hex } from "@assay/protocol";
import { maxUint160 } from "viem";
import type { PartyView } from "../effects/partyView.js";
import type { PolicyCode } from "../effects/policy.js";
import { callsForAnybody, isItemTakingRole, isSpendingRole } from "../parties/knownParty.js";
import type { Note } from "../verdict/note.js";
import type { ApprovalAct } from "./act.js";
import { groupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { isSmallSum } from "./priceAssets.js";
import type { PermissionEffect } from "./readEffects.js";

export type ApprovalCode = PolicyCode | "SUPPLY_UNREAD" | "MEASURED_DIFFERS" | "MEASURE_UNREAD";

type Notes = Note<ApprovalCode>[];

const UNLIMITED = 2n ** 255n;
const ZERO: Hex = "0x0000000000000000000000000000000000000000";

/** Judges the permissions that the transaction gives: what remains of them at its end, and who has them. */
export function judgeApprovals(one: IntentCase): Notes {
  const approvals = one.listed.acts.filter((act): act is ApprovalAct => act.kind === "approval");
  return [
    ...noteUnread(one),
    ...approvals.flatMap((approval) => judgeApproval(one, approval)),
    ...judgeUndeclared(one),
    ...noteMeasured(one, approvals),
  ];
}

function noteUnread(one: IntentCase): Notes {
  return one.readings.supplies
    .filter(({ supply }) => supply.status === "unanswered")
    .map(({ token }) => supplyUnread(token));
}

const supplyUnread = (token: string): Note<"SUPPLY_UNREAD"> => ({
  code: "SUPPLY_UNREAD",
  limitation: `The total supply of ${token} was not read, so whether an amount exceeds it is not known.`,
});

/** An ERC-721 approval names one item, whose number says nothing about how much is given. */
export const isItem = ({ effects, traced }: IntentCase, { form, token, owner }: ApprovalAct): boolean =>
  form === "erc20" &&
  (effects?.erc721Tokens.has(token) === true ||
    traced?.permissions.some((one) => one.kind === "item" && one.token === token && one.owner === owner) ===
      true);

function judgeApproval(one: IntentCase, approval: ApprovalAct): Notes {
  const { spender, amount, owner } = approval;
  const item = isItem(one, approval);
  if (approval.isRevocation || (item && spender === ZERO)) return [{ code: "APPROVAL_REVOKED" }];
  // A permit of another account's concerns that account, which signed it.
  const isOthers = !one.own.has(owner) && !one.claimed.includes(owner);
  if (isOthers && (one.operated.has(owner) || approval.form === "permit" || approval.form === "permit2"))
    return [];
  const isEverything = amount === null;
  const isAll = !item && (isEverything || isUnlimited(one, approval, BigInt(amount)));
  if (!item && !isAll && findRemaining(one, approval) === 0n) return [{ code: "APPROVAL_SPENT" }];
  const view = one.viewParty(spender);
  const notes: Notes = [{ code: judgeSpender(one, approval, view, { item, isAll, isEverything }) }];
  if (
    !item &&
    !isAll &&
    findSupply(one, approval) === undefined &&
    approval.form === "erc20" &&
    view.kind !== "known"
  )
    notes.push(supplyUnread(approval.token));
  return notes;
}

interface Extent {
  readonly item: boolean;
  readonly isAll: boolean;
  /** Command over everything of a kind, which has no amount. */
  readonly isEverything: boolean;
}

function judgeSpender(one: IntentCase, approval: ApprovalAct, view: PartyView, extent: Extent): PolicyCode {
  const { item, isAll, isEverything } = extent;
  const isCredit = approval.form === "credit";
  switch (view.kind) {
    case "own":
      return "APPROVAL_TO_SELF";
    case "changed":
      return "KNOWN_PARTY_CHANGED";
    case "unread":
      return "COUNTERPARTY_UNREAD";
    case "vacant":
    case "known": {
      const role = view.reading?.known?.role;
      if (role === undefined) return "SPENDER_UNSUITABLE";
      if (callsForAnybody(role)) return "SPENDER_IS_ANYBODY";
      const isOfItems = item || approval.form === "operator";
      if (!(isOfItems ? isItemTakingRole : isSpendingRole)(role)) return "SPENDER_UNSUITABLE";
      if (view.kind === "vacant") return "SPENDER_HAS_NO_CODE";
      if (isEverything) return "OPERATOR_APPROVAL";
      return isAll ? "UNLIMITED_APPROVAL" : "EXACT_APPROVAL";
    }
    case "burn":
      return "SPENDER_UNSUITABLE";
    case "account":
    case "delegated":
    case "smart_account":
    case "claimed_account":
      if (isCredit) return "CREDIT_TO_ACCOUNT";
      if (isEverything) return "OPERATOR_IS_ACCOUNT";
      if (item) return "ITEM_APPROVAL_TO_ACCOUNT";
      return isAll ? "UNLIMITED_APPROVAL_TO_ACCOUNT" : "APPROVAL_TO_ACCOUNT";
    case "contract":
      if (isCredit) return "CREDIT_TO_ACCOUNT";
      if (isEverything) return "OPERATOR_UNKNOWN";
      if (isAll) return "UNLIMITED_APPROVAL_TO_UNKNOWN";
      return givesBack(one, approval) ? "APPROVAL_TO_VAULT" : "SPENDER_UNKNOWN";
  }
}

/**
 * Whether a simulated deposit with the new allowance came back. What unknown code does now says nothing about later, when its
 * owner may take the allowance, so this counts for small sums alone.
 */
function givesBack(one: IntentCase, { token, owner, amount }: ApprovalAct): boolean {
  const { effects, exit } = one;
  const entry = effects?.afterExit?.find((one) => one.token === token && one.holder === owner);
  if (exit.length < 2 || entry === undefined || amount === null) return false;
  if (!isSmallSum(one, [{ asset: { kind: "erc20", token, id: null }, amount: BigInt(amount) }])) return false;
  return (entry.before - entry.after) * 20n <= BigInt(amount);
}

function isUnlimited(one: IntentCase, approval: ApprovalAct, amount: bigint): boolean {
  if (amount >= UNLIMITED || (approval.form === "permit2" && amount === maxUint160)) return true;
  // Allowances add up, so the token's measured allowance counts.
  const after = one.effects?.permissions.find((effect) => effect.approval === approval)?.after;
  if (after !== undefined && after >= UNLIMITED) return true;
  const supply = findSupply(one, approval);
  return supply !== undefined && amount > supply;
}

/** What may still be taken at the end, where that was measured or follows from what left meanwhile. */
function findRemaining(one: IntentCase, approval: ApprovalAct): bigint | undefined {
  const measured = one.effects?.permissions.find((effect) => effect.approval === approval);
  if (measured) return measured.after;
  const left = groupFlows(one, new Set([approval.owner]))?.leaves.find(
    ({ asset }) => asset.token === approval.token,
  );
  if (left === undefined || approval.amount === null) return undefined;
  return left.amount >= BigInt(approval.amount) ? 0n : BigInt(approval.amount) - left.amount;
}

function findSupply({ readings }: IntentCase, { token }: ApprovalAct): bigint | undefined {
  const supply = readings.supplies.find((entry) => entry.token === token)?.supply;
  return supply?.status === "value" && supply.value.length === 66 ? BigInt(supply.value) : undefined;
}

/** Permissions that only events show. */
function judgeUndeclared(one: IntentCase): Notes {
  return (one.traced?.permissions ?? []).flatMap((permission): Notes => {
    const { kind, keeper, token, owner, spender, amount } = permission;
    if (!one.own.has(owner) && !one.claimed.includes(owner)) return [];
    if (BigInt(spender) === 0n || (kind !== "item" && amount === 0n)) return [];
    const isDeclared = one.listed.acts.some(
      (act) =>
        act.kind === "approval" &&
        act.keeper === keeper &&
        act.token === token &&
        act.owner === owner &&
        act.spender === spender,
    );
    const view = one.viewParty(spender);
    // Many tokens emit the remaining allowance whenever some of it is used.
    const isUsed = one.traced?.movements.some((move) => move.from === owner && move.asset.token === token);
    const role = view.kind === "known" ? view.reading?.known?.role : undefined;
    const isPublished = role !== undefined && !callsForAnybody(role);
    if (isDeclared || view.kind === "own" || isPublished || (kind === "allowance" && isUsed)) return [];
    const limitation = `The node's trace shows that ${spender} may now take ${owner}'s ${token}. The calldata does not say so.`;
    return [{ code: "UNDECLARED_APPROVAL", limitation }];
  });
}

/** Whether a transaction that only gives one permission gives the one that its calldata says. */
function noteMeasured(one: IntentCase, approvals: readonly ApprovalAct[]): Notes {
  const [effect] = one.effects?.permissions ?? [];
  if (
    one.effects?.unread.some(({ kind }) => kind === "permission") &&
    approvals.some((act) => !isItem(one, act))
  )
    return [{ code: "MEASURE_UNREAD", limitation: "An allowance gave no answer when measured." }];
  if (one.intent !== "approve" || one.listed.acts.length !== 1 || effect === undefined) return [];
  const { form, amount, isRevocation } = effect.approval;
  if (isItem(one, effect.approval)) return [];
  const isAsDeclared =
    amount === null
      ? effect.after === (isRevocation ? 0n : 1n)
      : form === "increase"
        ? effect.after > effect.before || effect.after - effect.before === BigInt(amount)
        : form === "decrease"
          ? effect.after <= effect.before
          : effect.after === BigInt(amount) || isUsedUp(one, effect);
  return isAsDeclared ? [] : [{ code: "MEASURED_DIFFERS" }];
}

/** A later call of the batch may use the permission: what is missing of it has then left. */
function isUsedUp(one: IntentCase, { approval, after }: PermissionEffect): boolean {
  if (one.calls.length < 2 || approval.amount === null) return false;
  const left = groupFlows(one, new Set([approval.owner]))?.leaves.find(
    ({ asset }) => asset.token === approval.token,
  );
  return left !== undefined && after + left.amount === BigInt(approval.amount);
}
