import type { Hex } from "@assay/protocol";
import { WETH } from "../chain-facts/knownContracts.js";
import { isBurnAddress, looksLike, type PartyView } from "../effects/partyView.js";
import type { PolicyCode } from "../effects/policy.js";
import type { Note } from "../verdict/note.js";
import type { TransferAct } from "./act.js";
import type { GroupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { findValue, isSmallSum } from "./priceAssets.js";

type Notes = Note<PolicyCode>[];

/** Transfers that the calldata declares, of assets of this group. */
export const listOwnTransfers = ({ listed }: IntentCase, group: ReadonlySet<Hex>): TransferAct[] =>
  listed.acts.filter((act): act is TransferAct => act.kind === "transfer" && group.has(act.from));

/** Whether the sender's events show a payment to this account; null where they were not searched. */
export function wasPaid({ readings: { history } }: IntentCase, address: Hex): boolean | null {
  if (history === null || history.paid.status !== "value") return null;
  return history.paid.value.includes(address);
}

/** Judges each declared transfer by who receives it. */
export function judgeTransfers(one: IntentCase, flows: GroupFlows | null, group: ReadonlySet<Hex>): Notes {
  return listOwnTransfers(one, group).flatMap((transfer) => {
    // Wrapped ether is given for ether, which is no loss.
    if (transfer.token === null && transfer.to === WETH) return [];
    if (group.has(transfer.to)) return [];
    return judgeRecipient(one, transfer, flows);
  });
}

function judgeRecipient(one: IntentCase, transfer: TransferAct, flows: GroupFlows | null): Notes {
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
    case "known":
      return [
        { code: view.reading?.known?.keepsTransfers ? "RECIPIENT_KEEPS" : "RECIPIENT_IS_KNOWN_CONTRACT" },
      ];
    case "unread":
      return [{ code: "COUNTERPARTY_UNREAD", limitation: `The code of ${to} was not read.` }];
    case "smart_account":
      return [{ code: "PAYS_SMART_ACCOUNT" }];
    case "claimed_account":
      // It only says that it is a wallet, so it is trusted no more than a stranger: with a small sum, or where it was paid before.
      return wasPaid(one, to) === true || isSmall(one, transfer)
        ? judgeAccount(one, transfer, view, flows)
        : [{ code: "RECIPIENT_IS_CONTRACT" }];
    case "contract":
      return [{ code: isKeeper(view) ? "RECIPIENT_KEEPS" : "RECIPIENT_IS_CONTRACT" }];
    case "delegated":
      return [{ code: isPassedOn(one, transfer) ? "RECIPIENT_PASSES_ON" : "RECIPIENT_DELEGATED" }];
    case "account":
      return judgeAccount(one, transfer, view, flows);
  }
}

function judgeAccount(
  one: IntentCase,
  transfer: TransferAct,
  view: PartyView,
  flows: GroupFlows | null,
): Notes {
  const { to, token } = transfer;
  if (wasPaid(one, to) === true) return [{ code: "PAYS_KNOWN_RECIPIENT" }];
  // Nobody pays by an allowance that was given to a router.
  if (transfer.form === "permit2") return [{ code: "ENDS_WITH_ANOTHER" }];
  const notes: Notes = [{ code: "FIRST_PAYMENT", ...unseen(one) }];
  const read = one.readings.tokens.find((entry) => entry.token === token);
  const role = token === null ? undefined : one.viewParty(token).reading?.known?.role;
  const isPosition = role === "vault" || role === "lending" || role === "pool";
  if ((read?.isReceipt?.status === "value" && read.isReceipt.value) || isPosition)
    notes.push({ code: "POSITION_TO_STRANGER" });
  const leaving = flows?.leaves.find(({ asset }) => asset.token === token && asset.kind !== "erc721");
  const isMost = leaving?.held != null && leaving.held > 0n && leaving.amount * 2n >= leaving.held;
  const isUnused = view.reading?.nonce?.status === "value" && view.reading.nonce.value === "0";
  const value = findValue(one, { asset: assetOf(transfer), amount: BigInt(transfer.amount) });
  const isLarge = value !== undefined && !isSmall(one, transfer);
  const isUnmeasured = flows === null || (leaving !== undefined && leaving.held === null);
  if (isUnmeasured && transfer.amount !== "0" && !isSmall(one, transfer) && transfer.id === null)
    notes.push(balanceUnread);
  if (isMost && (isUnused || isLarge) && transfer.id === null) notes.push({ code: "MOST_TO_NEW_ACCOUNT" });
  return notes;
}

const balanceUnread: Note<PolicyCode> = {
  code: "BALANCE_UNREAD",
  limitation: "What the sender holds of the transferred asset was not measured.",
};

const assetOf = ({ token }: TransferAct) =>
  ({ kind: token === null ? "native" : "erc20", token, id: null }) as const;

const isSmall = (one: IntentCase, transfer: TransferAct): boolean =>
  isSmallSum(one, [{ asset: assetOf(transfer), amount: BigInt(transfer.amount) }]);

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
