import type { Hex } from "@assay/protocol";
import { WETH } from "../chain-facts/knownContracts.js";
import { isBurnAddress, looksLike, type PartyView } from "../effects/partyView.js";
import type { PolicyCode } from "../effects/policy.js";
import type { Note } from "../verdict/note.js";
import type { TransferAct } from "./act.js";
import type { IntentCase } from "./intentCase.js";
import { isKnownRecipient, listOwnTransfers, measureOutgoing, type Outgoing } from "./measureOutgoing.js";

type Notes = Note<PolicyCode>[];

/** Whether the sender's events show a payment to this account; null where they were not searched. */
export function wasPaid({ readings: { history } }: IntentCase, address: Hex): boolean | null {
  if (history === null || history.paid.status !== "value") return null;
  return history.paid.value.includes(address);
}

/** Judges each declared transfer by who receives it, and all that go to strangers together. */
export function judgeTransfers(one: IntentCase, group: ReadonlySet<Hex>): Notes {
  const outgoing = measureOutgoing(one, group);
  return listOwnTransfers(one, group).flatMap((transfer) => {
    // Wrapped ether is given for ether, which is no loss.
    if (transfer.token === null && transfer.to === WETH) return [];
    if (group.has(transfer.to)) return [];
    return judgeRecipient(one, transfer, { group, outgoing });
  });
}

interface Context {
  readonly group: ReadonlySet<Hex>;
  readonly outgoing: Outgoing;
}

function judgeRecipient(one: IntentCase, transfer: TransferAct, context: Context): Notes {
  const { to, token } = transfer;
  const view = one.viewParty(to);
  if (to === token) return [{ code: "RECIPIENT_KEEPS" }];
  if (findLookAlike(one, to) !== undefined) return [{ code: "LOOK_ALIKE_RECIPIENT" }];
  switch (view.kind) {
    case "own":
      return [];
    case "burn":
      return [{ code: "RECIPIENT_BURNS" }];
    case "changed":
      return [{ code: "KNOWN_PARTY_CHANGED" }];
    case "vacant":
    case "known":
      return [
        { code: view.reading?.known?.keepsTransfers ? "RECIPIENT_KEEPS" : "RECIPIENT_IS_KNOWN_CONTRACT" },
      ];
    case "unread":
      return [{ code: "COUNTERPARTY_UNREAD", limitation: `The code of ${to} was not read.` }];
    case "claimed_account":
      // It only says that it is a wallet, so it is trusted no more than a stranger: with a small sum, or where it was paid before.
      return isKnownRecipient(one, context.group, to) || context.outgoing.isSmall
        ? judgeAccount(one, transfer, view, context)
        : [{ code: "RECIPIENT_IS_CONTRACT" }];
    case "contract":
      return [{ code: isKeeper(view) ? "RECIPIENT_KEEPS" : "RECIPIENT_IS_CONTRACT" }];
    case "delegated":
      return [{ code: isPassedOn(one, transfer) ? "RECIPIENT_PASSES_ON" : "RECIPIENT_DELEGATED" }];
    case "smart_account":
    case "account":
      return judgeAccount(one, transfer, view, context);
  }
}

function judgeAccount(
  one: IntentCase,
  transfer: TransferAct,
  view: PartyView,
  { group, outgoing }: Context,
): Notes {
  const { to, token } = transfer;
  if (isKnownRecipient(one, group, to)) return [{ code: "PAYS_KNOWN_RECIPIENT" }];
  // Nobody pays by an allowance that was given to a router.
  if (transfer.form === "permit2") return [{ code: "ENDS_WITH_ANOTHER" }];
  const notes: Notes = [
    ...(view.kind === "smart_account" ? [{ code: "PAYS_SMART_ACCOUNT" } as const] : []),
    wasPaid(one, to) === true ? { code: "PAYS_MORE_THAN_BEFORE" } : { code: "FIRST_PAYMENT", ...unseen(one) },
  ];
  const read = one.readings.tokens.find((entry) => entry.token === token);
  const role = token === null ? undefined : one.viewParty(token).reading?.known?.role;
  const isPosition = role === "vault" || role === "lending" || role === "pool";
  if ((read?.isReceipt?.status === "value" && read.isReceipt.value) || isPosition)
    notes.push({ code: "POSITION_TO_STRANGER" });
  if (transfer.id !== null || transfer.amount === "0" || isTiny(outgoing)) return notes;
  const isUnused = view.reading?.nonce?.status === "value" && view.reading.nonce.value === "0";
  if (!outgoing.isMeasured && !outgoing.isSmall) notes.push(balanceUnread);
  if (outgoing.isMost && (isUnused || (outgoing.value !== undefined && !outgoing.isSmall)))
    notes.push({ code: "MOST_TO_NEW_ACCOUNT" });
  return notes;
}

/** Micro-dollars: half of what is held may be a cent. */
const TINY = 1_000_000n;
const isTiny = ({ value }: Outgoing): boolean => value !== undefined && value <= TINY;

const balanceUnread: Note<PolicyCode> = {
  code: "BALANCE_UNREAD",
  limitation: "What the sender holds of the transferred asset was not measured.",
};

const isKeeper = ({ reading }: PartyView): boolean =>
  reading?.keeps?.status === "value" && reading.keeps.value;

const unseen = ({ readings: { history } }: IntentCase): { limitation?: string } =>
  history?.paid.status === "value"
    ? {}
    : {
        limitation:
          "Whether the sender paid the recipient before was not found out: no node searched its events.",
      };

/** An address that the recipient could be taken for. */
export function findLookAlike(one: IntentCase, to: Hex): Hex | undefined {
  const { history, parties } = one.readings;
  const paid = history?.paid.status === "value" ? history.paid.value : [];
  const payers = history?.payers.status === "value" ? history.payers.value : [];
  if (paid.includes(to) || isBurnAddress(to)) return undefined;
  const known = parties.flatMap(({ known: entry, address }) => (entry && address !== to ? [address] : []));
  // A sender of dust may be the imitation itself, so payers count only for a recipient that is not among them.
  const dealtWith = [one.input.from, ...paid, ...(payers.includes(to) ? [] : payers), ...known];
  return dealtWith.find((other) => looksLike(to, other));
}

function isPassedOn({ traced }: IntentCase, { to, token }: TransferAct): boolean {
  return (
    traced?.movements.some(
      ({ asset, from, to: next }) => asset.token === token && from === to && next !== to,
    ) === true
  );
}
