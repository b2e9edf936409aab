import type { Hex } from "@assay/protocol";
import { WETH } from "../chain-facts/knownContracts.js";
import { isPerson } from "../effects/partyView.js";
import type { TransferAct } from "./act.js";
import { isCovered } from "./earlierPayments.js";
import { type Flow, groupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { findValue, isSmallSum, sumValues } from "./priceAssets.js";

/** What a transaction pays in all to accounts and unknown contracts that no earlier payment vouches for. */
export interface Outgoing {
  readonly recipients: readonly Hex[];
  /** Micro-dollars; undefined where something has no price. */
  readonly value: bigint | undefined;
  readonly isSmall: boolean;
  /** Whether it is at least half of what a payer held, of one asset or of all that are given up for it. */
  readonly isMost: boolean;
  readonly isMeasured: boolean;
}

type Payment = Pick<Flow, "asset" | "amount"> & { readonly from: Hex; readonly to: Hex };

/** Transfers that the calldata declares, of assets of this group. */
export const listOwnTransfers = ({ listed }: IntentCase, group: ReadonlySet<Hex>): TransferAct[] =>
  listed.acts.filter((act): act is TransferAct => act.kind === "transfer" && group.has(act.from));

/** Amounts that the calldata pays to others, ether that is wrapped and single items apart. */
export function listPayments(one: IntentCase, group: ReadonlySet<Hex>): Payment[] {
  return listOwnTransfers(one, group).flatMap(({ token, from, to, amount, id }) => {
    const isItem = id !== null || (token !== null && one.effects?.erc721Tokens.has(token) === true);
    if (isItem || group.has(to) || (token === null && to === WETH)) return [];
    const kind = token === null ? "native" : "erc20";
    return [{ asset: { kind, token, id: null }, amount: BigInt(amount), from, to } as const];
  });
}

/** Whether earlier payments vouch for all that this transaction pays to the account. */
export const isKnownRecipient = (one: IntentCase, group: ReadonlySet<Hex>, to: Hex): boolean =>
  isCovered(
    one,
    to,
    listPayments(one, group).filter((payment) => payment.to === to),
  );

/** A payment is judged as a whole: split over calls, recipients, or ether and wrapped ether, it stays what it is. */
export function measureOutgoing(one: IntentCase, group: ReadonlySet<Hex>): Outgoing {
  const payments = listPayments(one, group).filter(({ to, amount }) => {
    const view = one.viewParty(to);
    return amount > 0n && (isPerson(view) || view.kind === "contract") && !isKnownRecipient(one, group, to);
  });
  const payers = [...new Set(payments.map(({ from }) => from))].map((payer) => {
    const paid = payments.filter(({ from }) => from === payer);
    return { shares: listShares(one, payer, paid), isMostByValue: isMostByValue(one, payer, paid) };
  });
  const shares = payers.flatMap((payer) => payer.shares);
  return {
    recipients: [...new Set(payments.map(({ to }) => to))],
    value: sumValues(one, payments),
    isSmall: isSmallSum(one, payments),
    isMost:
      shares.some(({ paid, held }) => held !== null && held > 0n && paid * 2n >= held) ||
      payers.some((payer) => payer.isMostByValue),
    isMeasured: groupFlows(one, group) !== null && shares.every(({ held }) => held !== null),
  };
}

/** Wrapped ether is ether. */
const unitOf = (token: Hex | null): Hex | null => (token === WETH ? null : token);
const formsOf = (unit: Hex | null): (Hex | null)[] => (unit === null ? [null, WETH] : [unit]);

function listShares(one: IntentCase, payer: Hex, payments: readonly Payment[]) {
  const units = [...new Set(payments.map(({ asset }) => unitOf(asset.token)))];
  return units.map((unit) => ({
    paid: payments
      .filter(({ asset }) => unitOf(asset.token) === unit)
      .reduce((sum, { amount }) => sum + amount, 0n),
    held: sumHeld(one, payer, formsOf(unit), payments),
  }));
}

/** Null where what is paid was not measured. A form of it that is not paid may be missing. */
function sumHeld(
  one: IntentCase,
  payer: Hex,
  tokens: readonly (Hex | null)[],
  payments: readonly Payment[],
): bigint | null {
  let sum = 0n;
  for (const token of tokens) {
    const held = findHeld(one, payer, token);
    if (held === null && payments.some(({ asset }) => asset.token === token)) return null;
    sum += held ?? 0n;
  }
  return sum;
}

function findHeld({ effects, readings, input }: IntentCase, payer: Hex, token: Hex | null): bigint | null {
  const entry = effects?.balances.find(
    ({ holder, token: of, id }) => holder === payer && of === token && id === null,
  );
  if (entry) return entry.before;
  const { senderBalance } = readings;
  return token === null && payer === input.from && senderBalance.status === "value"
    ? BigInt(senderBalance.value)
    : null;
}

/** What is sold on the way to be paid out counts as held: of all that leaves or is paid, by price. */
function isMostByValue(one: IntentCase, payer: Hex, payments: readonly Payment[]): boolean {
  const flows = groupFlows(one, new Set([payer]));
  const value = sumValues(one, payments);
  if (flows === null || value === undefined || value === 0n) return false;
  const left = flows.leaves.filter(({ asset }) => asset.kind === "native" || asset.kind === "erc20");
  const tokens = new Set([...left, ...payments].map(({ asset }) => asset.token));
  let held = 0n;
  for (const token of tokens) {
    const amount = findHeld(one, payer, token);
    const kind = token === null ? "native" : "erc20";
    held += amount === null ? 0n : (findValue(one, { asset: { kind, token, id: null }, amount }) ?? 0n);
  }
  return held > 0n && value * 2n >= held;
}
