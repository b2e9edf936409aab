import type { Hex } from "@assay/protocol";
import { knownDelegates } from "../chain-facts/knownContracts.js";
import type { PartyView } from "../effects/partyView.js";
import type { PolicyCode } from "../effects/policy.js";
import { callsForAnybody, isCommandingRole, type PartyRole } from "../parties/knownParty.js";
import type { Note } from "../verdict/note.js";
import type { ControlAct } from "./act.js";
import type { IntentCase } from "./intentCase.js";
import { findLookAlike, wasPaid } from "./judgeTransfers.js";

type Notes = Note<PolicyCode>[];

/** Judges changes of who commands a contract or an account, and of the code that runs there. */
export function judgeControl(one: IntentCase): Notes {
  const notes: Notes = one.listed.acts.flatMap((act): Notes => {
    if (act.kind === "delegatecall")
      return [{ code: isKnownDelegate(one, act.to) ? "KNOWN_DELEGATECALL" : "FOREIGN_DELEGATECALL" }];
    return act.kind === "control" ? [{ code: judgeChange(one, act) }] : [];
  });
  return [...notes, ...judgeHashes(one), ...judgeHandedOver(one), ...judgeOrders(one)];
}

/** Consent to a hash (Safe) is a signature of what it stands for, which nobody can see here. */
const judgeHashes = ({ calls }: IntentCase): Notes =>
  calls.some(({ signature }) => signature === "approveHash(bytes32)") ? [{ code: "HASH_APPROVED" }] : [];

/** Known by its address, which determines its code, or by the registry. */
function isKnownDelegate(one: IntentCase, to: Hex): boolean {
  const view = one.viewParty(to);
  if (view.kind === "changed") return false;
  return knownDelegates.has(to) || (view.kind === "known" && view.reading?.known?.role === "multicall");
}

const isUpgrade = ({ signature }: ControlAct) =>
  /^(upgrade|setImplementation|diamondCut|changeMasterCopy)/.test(signature);
/** What a Safe passes calls on to, or asks before each transaction. */
const isHandling = ({ signature }: ControlAct) => /^set(FallbackHandler|Guard|ModuleGuard)\(/.test(signature);

function judgeChange(one: IntentCase, act: ControlAct): PolicyCode {
  const { successor, change, target } = act;
  if (change === "reduce") return "CONTROL_REDUCED";
  if (successor === null) return "CONTROL_CALL";
  const view = one.viewParty(successor);
  const role = view.kind === "known" ? view.reading?.known?.role : undefined;
  if (view.kind === "changed") return "KNOWN_PARTY_CHANGED";
  if (role !== undefined && callsForAnybody(role)) return "CONTROL_TO_ANYBODY";
  if (isHandling(act)) return judgeHandler(act, role);
  if (view.kind === "own") return change === "add" ? "CONTROL_SHARED" : "CONTROL_CALL";
  if (isUpgrade(act)) return judgeUpgrade(one, target, view);
  if (findLookAlike(one, successor) !== undefined) return "CONTROL_TO_STRANGER";
  if (role !== undefined) {
    if (!isCommandingRole(role)) return "CONTROL_UNSUITABLE";
    return change === "add" ? "CONTROL_SHARED" : "CONTROL_CALL";
  }
  // Who was paid is no stranger, and yet a payment says nothing about command.
  if (view.kind === "smart_account" || wasPaid(one, successor) === true) return "CONTROL_CALL";
  const isUsed = view.reading?.nonce?.status === "value" && view.reading.nonce.value !== "0";
  return view.kind === "account" && isUsed ? "CONTROL_CALL" : "CONTROL_TO_STRANGER";
}

/** A handler answers, and calls, in the Safe's name; a guard can refuse every transaction of it for ever. */
function judgeHandler({ signature }: ControlAct, role: PartyRole | undefined): PolicyCode {
  const isHandler = signature.startsWith("setFallbackHandler") && (role === "handler" || role === "module");
  return isHandler ? "CONTROL_SHARED" : "HANDLER_UNKNOWN";
}

/** An account may run the published code of a wallet; what another contract may run is not known. */
function judgeUpgrade(one: IntentCase, target: Hex, view: PartyView): PolicyCode {
  const { kind } = one.viewParty(target);
  const isWallet = kind === "smart_account" || kind === "claimed_account";
  if (!one.own.has(target) && !one.claimed.includes(target) && !isWallet) return "CONTROL_CALL";
  const isPublishedWallet =
    view.reading?.account != null ||
    (view.kind === "known" && view.reading?.known?.role === "account_implementation");
  if (isPublishedWallet) return "CONTROL_SHARED";
  return view.kind === "known" ? "CONTROL_UNSUITABLE" : "CONTROL_TO_STRANGER";
}

/** Storage shows what no decoded function says: a word that named the sender names another. */
function judgeHandedOver(one: IntentCase): Notes {
  const { storage } = one.readings;
  if (storage.status !== "value") return [];
  const isExplained = one.listed.acts.some(({ kind }) => kind === "control");
  if (isExplained) return [];
  const effects = new Set(one.calls.flatMap(({ meaning }) => (meaning ? [meaning.effect] : [])));
  if (effects.has("delegate") || effects.has("vote")) return [];
  const isItem = (address: Hex) =>
    one.listed.acts.some((act) => act.kind === "transfer" && act.token === address) ||
    one.traced?.movements.some(({ asset }) => asset.token === address && asset.kind === "erc721") === true;
  const found = storage.value.handedOver.some(({ address, before, after }) => {
    if (isItem(address) || one.own.has(after) || !one.own.has(before)) return false;
    return one.viewParty(address).kind !== "known";
  });
  return found ? [{ code: "CONTROL_HANDED_OVER" }] : [];
}

interface OrderItem {
  readonly startAmount: string;
  readonly endAmount: string;
  readonly recipient?: string;
}
interface OrderParameters {
  readonly offerer: Hex;
  readonly offer: readonly unknown[];
  readonly consideration: readonly OrderItem[];
}

/** An order for less than this asks for nothing. In the smallest units of whatever is asked for. */
const NEGLIGIBLE = 1000n;

/** Orders of the sender's own that ask nothing for what they offer. */
function judgeOrders(one: IntentCase): Notes {
  return one.calls.flatMap(({ meaning, args }): Notes => {
    if (meaning?.effect !== "order" || args === null) return [];
    const orders = listOrders(args).filter(({ offerer }) => one.own.has(offerer));
    const isGift = ({ offer, offerer, consideration }: OrderParameters) =>
      offer.length > 0 &&
      !consideration.some(
        ({ recipient, endAmount, startAmount }) =>
          recipient === offerer && BigInt(endAmount) >= NEGLIGIBLE && BigInt(startAmount) >= NEGLIGIBLE,
      );
    return orders.some(isGift) ? [{ code: "ORDER_GIVES_AWAY" }] : [];
  });
}

/** Every value of this shape among the arguments, however deep. */
function listOrders(value: unknown): OrderParameters[] {
  if (typeof value !== "object" || value === null) return [];
  if ("offerer" in value && "offer" in value && "consideration" in value) return [value as OrderParameters];
  return Object.values(value).flatMap(listOrders);
}
