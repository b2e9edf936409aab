import type { Hex } from "@assay/protocol";
import { knownDelegates } from "../chain-facts/knownContracts.js";
import type { PartyView } from "../effects/partyView.js";
import type { PolicyCode } from "../effects/policy.js";
import { callsForAnybody, isCommandingRole, type PartyRole } from "../parties/knownParty.js";
import type { Note } from "../verdict/note.js";
import type { ControlAct } from "./act.js";
import type { DecodedCall } from "./decodeCalls.js";
import type { IntentCase } from "./intentCase.js";
import { isForeign } from "./judgeBeneath.js";
import { judgeOffers } from "./judgeOffers.js";
import { findLookAlike, wasPaid } from "./judgeTransfers.js";

type Notes = Note<PolicyCode>[];

/** Judges changes of who commands a contract or an account, and of the code that runs there. */
export function judgeControl(one: IntentCase): Notes {
  const notes: Notes = one.listed.acts.flatMap((act): Notes => {
    if (act.kind === "delegatecall")
      return [{ code: isKnownDelegate(one, act.to) ? "KNOWN_DELEGATECALL" : "FOREIGN_DELEGATECALL" }];
    return act.kind === "control" ? [{ code: judgeChange(one, act) }] : [];
  });
  return [...notes, ...judgeHashes(one), ...judgeNames(one), ...judgeHandedOver(one), ...judgeOffers(one)];
}

/** Consent to a hash (of a Safe's transaction, a message or an order of CoW) is a signature of what nobody can see here. */
const judgeHashes = ({ calls }: IntentCase): Notes =>
  calls.some(isConsent) ? [{ code: "HASH_APPROVED" }] : [];

function isConsent({ signature, args }: DecodedCall): boolean {
  if (signature === "setPreSignature(bytes,bool)") return args?.signed !== false;
  return signature === "approveHash(bytes32)" || signature === "signMessage(bytes)";
}

/** Payments to a name go where it leads: a name that leads to another, or that another commands, is worth a question. */
const judgeNames = (one: IntentCase): Notes =>
  one.calls.some(({ meaning, signature }) => {
    if (meaning?.effect !== "name" || !/^(set|reclaim|claim)/.test(signature ?? "")) return false;
    const { recipient, spender } = meaning.roles;
    return [recipient, spender].some(
      (address) => typeof address === "string" && isAddress(address) && isForeign(one, address as Hex),
    );
  })
    ? [{ code: "CONTROL_CALL" }]
    : [];

const isAddress = (value: string): boolean => /^0x[0-9a-f]{40}$/.test(value) && BigInt(value) !== 0n;

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
  const { successor, change, target, removed } = act;
  // Who removes himself leaves the account to the others.
  if (change === "reduce") return removed && one.own.has(removed) ? "CONTROL_CALL" : "CONTROL_REDUCED";
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
