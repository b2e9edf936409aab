import { maxUint160 } from "viem";
import { PERMIT2 } from "../shared/chain-facts/knownContracts.js";
import type { Note } from "../shared/verdict/note.js";
import type { ApprovalAct } from "./act.js";
import { codeKindOf, type IntentCase } from "./intentCase.js";

export type ApprovalCode =
  | "APPROVAL_REVOKED"
  | "EXACT_APPROVAL"
  | "UNLIMITED_APPROVAL"
  | "UNLIMITED_APPROVAL_TO_ACCOUNT"
  | "APPROVAL_TO_ACCOUNT"
  | "APPROVAL_ABOVE_BALANCE"
  | "OPERATOR_APPROVAL"
  | "OPERATOR_IS_ACCOUNT"
  | "SPENDER_UNRELATED"
  | "SPENDER_UNKNOWN"
  | "COUNTERPARTY_UNREAD"
  | "SUPPLY_UNREAD"
  | "PERMIT_DEADLINE_FAR";

type Notes = Note<ApprovalCode>[];

const UNLIMITED = 2n ** 255n;
const FAR_SECONDS = 30n * 24n * 3600n;

/** Judges the permissions that the transaction gives. */
export function judgeApprovals(one: IntentCase): Notes {
  const approvals = one.listed.acts.filter((act): act is ApprovalAct => act.kind === "approval");
  return [...noteUnread(one), ...approvals.flatMap((approval) => judgeApproval(one, approval))];
}

function noteUnread(one: IntentCase): Notes {
  const unread = one.measurements.counterparties.filter((address) => codeKindOf(one, address) === "unread");
  const notes: Notes = unread.map((address) => ({
    code: "COUNTERPARTY_UNREAD",
    limitation: `The code of ${address} was not read.`,
  }));
  for (const { token, supply } of one.readings.supplies)
    if (supply.status === "unanswered") notes.push(supplyUnread(token));
  return notes;
}

const supplyUnread = (token: string): Note<"SUPPLY_UNREAD"> => ({
  code: "SUPPLY_UNREAD",
  limitation: `The total supply of ${token} was not read, so whether an amount exceeds it is not known.`,
});

function judgeApproval(one: IntentCase, approval: ApprovalAct): Notes {
  if (approval.isRevocation) return [{ code: "APPROVAL_REVOKED" }];
  const notes: Notes = [];
  const { spender, amount } = approval;
  const spenderKind = codeKindOf(one, spender);
  const isAccount = spenderKind === "account";
  if (amount === null) {
    notes.push({ code: isAccount ? "OPERATOR_IS_ACCOUNT" : "OPERATOR_APPROVAL" });
  } else if (isUnlimited(one, approval, BigInt(amount))) {
    notes.push({ code: isAccount ? "UNLIMITED_APPROVAL_TO_ACCOUNT" : "UNLIMITED_APPROVAL" });
  } else {
    notes.push({ code: isAccount ? "APPROVAL_TO_ACCOUNT" : "EXACT_APPROVAL" });
    notes.push(...noteAmount(one, approval, BigInt(amount)));
  }
  if (isFar(one, approval)) notes.push({ code: "PERMIT_DEADLINE_FAR" });
  if (isUnrelated(one, approval)) notes.push({ code: "SPENDER_UNRELATED" });
  if (spenderKind === "contract" && spender !== PERMIT2 && !one.routers.has(spender))
    notes.push({
      code: "SPENDER_UNKNOWN",
      limitation: `Nothing is known of the contract ${spender} but that it has code; it may take what it is allowed at any time.`,
    });
  return notes;
}

/** An ERC-721 approval names one item, whose number says nothing about how much is given. */
const isItem = ({ effects }: IntentCase, { form, token }: ApprovalAct): boolean =>
  form === "erc20" && effects?.erc721Tokens.has(token) === true;

function isUnlimited(one: IntentCase, approval: ApprovalAct, amount: bigint): boolean {
  if (isItem(one, approval)) return false;
  if (amount >= UNLIMITED || (approval.form === "permit2" && amount === maxUint160)) return true;
  // Allowances add up, so the token's measured allowance counts.
  const after = one.effects?.permissions.find((effect) => effect.approval === approval)?.after;
  if (after !== undefined && after >= UNLIMITED) return true;
  const supply = findSupply(one, approval);
  return supply !== undefined && amount > supply;
}

function findSupply({ readings }: IntentCase, { token }: ApprovalAct): bigint | undefined {
  const supply = readings.supplies.find((entry) => entry.token === token)?.supply;
  return supply?.status === "value" && supply.value.length === 66 ? BigInt(supply.value) : undefined;
}

function noteAmount(one: IntentCase, approval: ApprovalAct, amount: bigint): Notes {
  if (isItem(one, approval)) return [];
  const notes: Notes = [];
  if (findSupply(one, approval) === undefined) notes.push(supplyUnread(approval.token));
  const { owner, token } = approval;
  const held = one.effects?.balances.find(
    (entry) => entry.holder === owner && entry.token === token && entry.id === null,
  );
  // The approval may be meant for what the transaction itself brings in.
  if (held && amount > held.before && amount > held.after) notes.push({ code: "APPROVAL_ABOVE_BALANCE" });
  return notes;
}

function isFar({ readings }: IntentCase, { expiresAt }: ApprovalAct): boolean {
  return expiresAt !== null && BigInt(expiresAt) > BigInt(readings.block.timestamp) + FAR_SECONDS;
}

/** Whether a transaction that does more than approve gives a permission to a spender that has no part in it. */
function isUnrelated({ listed, calls, routers }: IntentCase, { spender }: ApprovalAct): boolean {
  const doesMore = listed.acts.some(({ kind }) => kind !== "approval") || listed.unknownCalls.length > 0;
  return doesMore && spender !== PERMIT2 && !routers.has(spender) && !calls.some(({ to }) => to === spender);
}
