import type { Hex } from "@assay/protocol";
import { WETH } from "../shared/chain-facts/knownContracts.js";
import { isReservedAddress } from "../shared/chain-facts/reservedAddresses.js";
import type { Note } from "../shared/verdict/note.js";
import type { TransferAct } from "./act.js";
import { declaredOutflow } from "./declaredOutflow.js";
import type { IntentCase } from "./intentCase.js";
import type { BalanceEffect } from "./readEffects.js";

export type FlowCode =
  | "PLAIN_TRANSFER"
  | "SWAP_RETURNS"
  | "NO_LOSS_MEASURED"
  | "SWAP_RETURNS_NOTHING"
  | "LEAVES_WITHOUT_RETURN"
  | "UNDECLARED_OUTFLOW"
  | "MEASURED_DIFFERS"
  | "MEASURE_UNREAD"
  | "RECIPIENT_CANNOT_USE"
  | "RECIPIENT_RESERVED"
  | "THIRD_PARTY_FUNDS";

type Notes = Note<FlowCode>[];
const ZERO = "0x0000000000000000000000000000000000000000";

/** Judges what leaves and what comes back, measured where there is a measurement. */
export function judgeFlows(one: IntentCase): Notes {
  const notes = [...judgeTransfers(one), ...notePermissions(one)];
  if (one.effects === null) return notes;
  notes.push(...noteUnread(one));
  // The target's own gains and losses are reported, but not judged.
  const { holders } = one.measurements;
  const balances = one.effects.balances.filter(({ holder }) => holders.includes(holder));
  const outflows = balances.filter((entry) => entry.after < entry.before);
  for (const entry of outflows) {
    if (entry.before - entry.after <= declaredOutflow(one, entry)) continue;
    notes.push({ code: "UNDECLARED_OUTFLOW" });
  }
  if (one.intent === "swap") notes.push(...noteReturns(one, balances, outflows));
  else if (one.intent !== "transfer") {
    const isLoss = outflows.some(({ holder }) => !balances.some((entry) => isInflow(entry, holder)));
    notes.push({ code: isLoss ? "LEAVES_WITHOUT_RETURN" : "NO_LOSS_MEASURED" });
  }
  return notes;
}

const isInflow = ({ holder, before, after }: BalanceEffect, of: Hex): boolean =>
  holder === of && after > before;

function judgeTransfers(one: IntentCase): Notes {
  const transfers = one.listed.acts.filter((act): act is TransferAct => act.kind === "transfer");
  const actors = new Set([one.input.from, ...one.calls.map(({ caller }) => caller)]);
  const notes: Notes = [];
  for (const transfer of transfers) {
    const { from, to, token } = transfer;
    if (to === ZERO || to === token) notes.push({ code: "RECIPIENT_CANNOT_USE" });
    else if (isReservedAddress(to)) notes.push({ code: "RECIPIENT_RESERVED" });
    if (!actors.has(from)) notes.push({ code: "THIRD_PARTY_FUNDS" });
  }
  if (one.intent !== "transfer") return notes;
  notes.push({ code: "PLAIN_TRANSFER" });
  if (one.effects && transfers.some((transfer) => !isCarriedOut(one, transfer)))
    notes.push({ code: "MEASURED_DIFFERS" });
  return notes;
}

/** Whether a transaction that only transfers moves as much as its calldata says. */
function isCarriedOut(one: IntentCase, { from, to, token, id, form }: TransferAct): boolean {
  const itemId = form === "erc1155" ? id : null;
  const entry = one.effects?.balances.find(
    (effect) => effect.holder === from && effect.token === token && effect.id === itemId,
  );
  if (entry === undefined || to === from) return true;
  return entry.before - entry.after >= declaredOutflow(one, entry);
}

function noteReturns(
  { listed }: IntentCase,
  balances: readonly BalanceEffect[],
  outflows: readonly BalanceEffect[],
): Notes {
  const wanted = new Set(
    listed.acts.flatMap((act) => {
      const token = act.kind === "swap" ? act.tokenOut : act.kind === "payout" ? act.token : undefined;
      if (token === undefined) return [];
      return token === WETH || token === null ? [WETH, null] : [token];
    }),
  );
  const returns = balances.some((entry) => entry.after > entry.before && wanted.has(entry.token));
  if (returns) return [{ code: "SWAP_RETURNS" }];
  return [{ code: outflows.length > 0 ? "SWAP_RETURNS_NOTHING" : "MEASURED_DIFFERS" }];
}

/** Whether a transaction that only gives one permission gives the one that its calldata says. */
function notePermissions({ intent, listed, effects }: IntentCase): Notes {
  const [effect] = effects?.permissions ?? [];
  if (intent !== "approve" || listed.acts.length !== 1 || effect === undefined) return [];
  const { form, amount, isRevocation, token } = effect.approval;
  if (effects?.erc721Tokens.has(token)) return [];
  const isAsDeclared =
    amount === null
      ? effect.after === (isRevocation ? 0n : 1n)
      : form === "increase"
        ? effect.after > effect.before || effect.after - effect.before === BigInt(amount)
        : form === "decrease"
          ? effect.after <= effect.before
          : effect.after === BigInt(amount);
  return isAsDeclared ? [] : [{ code: "MEASURED_DIFFERS" }];
}

/** Only balances that the acts name must be readable; the others were measured as a precaution. */
function noteUnread({ effects, listed }: IntentCase): Notes {
  const items = new Set(
    listed.acts.flatMap((act) => (act.kind === "transfer" && act.form === "erc1155" ? [act.token] : [])),
  );
  const named = new Set(
    listed.acts.flatMap((act) => {
      if (act.kind === "transfer") return act.token === null ? [] : [act.token];
      if (act.kind === "swap") return [act.tokenIn, act.tokenOut].filter((token) => token !== null);
      return act.kind === "approval" && act.form !== "operator" && act.form !== "authorization"
        ? [act.token]
        : [];
    }),
  );
  const isMissed = (effects?.unread ?? []).some((measurement) => {
    if (measurement.kind === "itemBalance") return true;
    if (measurement.kind === "permission")
      return !(
        measurement.approval.form === "erc20" && effects?.erc721Tokens.has(measurement.approval.token)
      );
    return measurement.kind === "balance" && named.has(measurement.token) && !items.has(measurement.token);
  });
  if (!isMissed) return [];
  const limitation = "A balance or an allowance that the transaction concerns gave no answer when measured.";
  return [{ code: "MEASURE_UNREAD", limitation }];
}
