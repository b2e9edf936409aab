import type { Hex } from "@assay/protocol";
import { WETH } from "../chain-facts/knownContracts.js";
import { keyOfAsset, ZERO_ADDRESS } from "../effects/movements.js";
import { isPerson, isSendersWallet } from "../effects/partyView.js";
import type { PolicyCode } from "../effects/policy.js";
import type { Effect } from "../meanings/meaning.js";
import { type Note, unique } from "../verdict/note.js";
import type { SwapAct } from "./act.js";
import type { DecodedCall } from "./decodeCalls.js";
import { type Flow, type GroupFlows, groupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { buysUnknown, standsOnUnknown } from "./judgeBeneath.js";
import { judgeLeftBehind } from "./judgeLeftBehind.js";
import { judgeSold } from "./judgeOffers.js";
import { judgeOthers } from "./judgeOthers.js";
import { judgePositions } from "./judgePositions.js";
import { judgeTransfers, wasPaid } from "./judgeTransfers.js";
import { judgeValue } from "./judgeValue.js";
import { listOwnTransfers } from "./measureOutgoing.js";
import { isKnownAsset, isSmallSum, sumValues } from "./priceAssets.js";

export type FlowCode = PolicyCode | "MEASURED_DIFFERS" | "MEASURE_UNREAD" | "PRICE_UNREAD";

type Notes = Note<FlowCode>[];

/** Rounding of tokens whose balances are shares: one in a thousand. */
const ROUNDING = 1000n;
/** Micro-dollars. */
const DOLLAR = 1_000_000n;

/** Judges what leaves the sender's accounts, what comes back, and who has it at the end. */
export function judgeFlows(one: IntentCase): Notes {
  const groups = [one.own, ...one.claimed.map((address) => new Set([address]))];
  const notes = groups.flatMap((group) => [...judgeGroup(one, group), ...judgePositions(one, group)]);
  return [
    ...notes,
    ...judgeOthers(one),
    ...judgeProceeds(one),
    ...judgeLeftBehind(one),
    ...noteUnread(one),
    ...noteUnpriced(one),
  ];
}

function judgeGroup(one: IntentCase, group: ReadonlySet<Hex>): Notes {
  const flows = groupFlows(one, group);
  const notes: Notes = judgeTransfers(one, group);
  if (flows === null) return notes;
  const transfers = listOwnTransfers(one, group);
  if (one.intent === "transfer" && transfers.length > 0) {
    notes.push({ code: "PLAIN_TRANSFER" });
    if (transfers.some((transfer) => !group.has(transfer.to) && !isCarriedOut(flows, transfer)))
      notes.push({ code: "MEASURED_DIFFERS" });
  }
  const rest = subtractTransfers(flows, transfers, group);
  if (rest.length === 0) {
    if (one.intent !== "transfer") notes.push({ code: "NO_LOSS_MEASURED" });
    return notes;
  }
  return [...notes, ...judgeRest(one, { ...flows, leaves: rest })];
}

type Transfer = ReturnType<typeof listOwnTransfers>[number];

const matches = ({ asset }: Flow, { token, id, form }: Transfer): boolean =>
  asset.token === token && (asset.kind !== "erc1155" || asset.id === id || form !== "erc1155");

function isCarriedOut({ leaves, returns }: GroupFlows, transfer: Transfer): boolean {
  if (transfer.amount === "0") return true;
  const left = leaves.find((flow) => matches(flow, transfer));
  if (left !== undefined) return left.asset.kind === "erc721" || left.amount >= BigInt(transfer.amount);
  // Ether that is wrapped on arrival comes back as another asset.
  return returns.length > 0;
}

/** What leaves beyond the transfers that the calldata declares. */
function subtractTransfers(
  flows: GroupFlows,
  transfers: readonly Transfer[],
  group: ReadonlySet<Hex>,
): Flow[] {
  return flows.leaves.flatMap((flow) => {
    const declared = transfers
      .filter((transfer) => matches(flow, transfer) && !group.has(transfer.to) && !isWrapping(transfer))
      .reduce(
        (sum, { amount, form }) =>
          sum + (form === "erc721" || flow.asset.kind === "erc721" ? 1n : BigInt(amount)),
        0n,
      );
    const amount = flow.amount - declared;
    return amount > declared / ROUNDING ? [{ ...flow, amount }] : [];
  });
}

const isWrapping = ({ token, to }: Transfer): boolean => token === null && to === WETH;

/** The calls that do something with assets: not the wrappers around them, and not tokens that only approve or transfer. */
export function listDoings({ calls, listed, own, claimed }: IntentCase): readonly DecodedCall[] {
  const accounts = new Set([...own, ...claimed]);
  const isPlain = (call: DecodedCall) =>
    call.meaning?.effect === "approve" ||
    call.meaning?.effect === "transfer" ||
    call.meaning?.effect === "permit";
  return calls.filter((call) => {
    if (accounts.has(call.to)) return false;
    if (call.inner.length > 0 && call.inner.some(({ selector }) => selector !== null)) return false;
    return !isPlain(call) || listed.unknownCalls.includes(call);
  });
}

const deposits: ReadonlySet<Effect> = new Set([
  "deposit",
  "stake",
  "bridge",
  "mint",
  "wrap",
  "account",
  "order",
  "name",
  "attest",
  "vote",
  "delegate",
  "other",
  "swap",
  "batch",
]);
const payouts: ReadonlySet<Effect> = new Set(["withdraw", "burn", "claim", "borrow", "unwrap", "swap"]);

function judgeRest(one: IntentCase, flows: GroupFlows): Notes {
  const doings = listDoings(one);
  const views = doings.map(({ to }) => one.viewParty(to));
  if (views.some(({ kind }) => kind === "changed")) return [{ code: "KNOWN_PARTY_CHANGED" }];
  // The calldata only transfers and approves, and yet more leaves.
  if (doings.length === 0) return [{ code: "UNDECLARED_OUTFLOW" }];
  const isKnown = views.length > 0 && views.every(({ kind }) => kind === "known" || kind === "own");
  if (flows.returns.length === 0) return judgeLoss(one, flows, doings, isKnown);
  return isKnown ? judgeKnownReturn(one, flows, doings) : judgeUnknownReturn(one, flows, doings);
}

/** Something leaves and nothing arrives. */
function judgeLoss(
  one: IntentCase,
  flows: GroupFlows,
  doings: readonly DecodedCall[],
  isKnown: boolean,
): Notes {
  const beneficiaries = doings.flatMap((call) => listBeneficiaries(call));
  const others = unique([...beneficiaries, ...listReceiptHolders(one), ...listItemOwners(one)]).filter(
    (address) => !flows.group.has(address) && !isCreditable(one, flows, address),
  );
  if (others.length > 0)
    return others.map((address) => {
      const isNamed = isSendersWallet(one.viewParty(address).reading) || wasPaid(one, address) === true;
      return { code: isNamed ? "CREDITED_TO_ANOTHER" : "CREDITED_TO_STRANGER" };
    });
  if (isKnown) {
    const effects = doings.flatMap(({ meaning }) => (meaning ? [meaning.effect] : []));
    if (effects.includes("repay")) return [{ code: "DEBT_REPAID" }];
    if (endsWithAccount(one, flows)) return [{ code: "ENDS_WITH_ANOTHER" }];
    if (standsOnUnknown(one, flows, doings)) return [{ code: "POSITION_ON_UNKNOWN" }];
    const isDeposit = effects.some(
      (effect) => deposits.has(effect) && effect !== "swap" && effect !== "batch",
    );
    return [{ code: isDeposit ? "DEPOSIT_AT_KNOWN_PARTY" : "LEAVES_TO_KNOWN_PARTY" }];
  }
  if (endsWithAccount(one, flows)) return [{ code: "ENDS_WITH_ANOTHER" }];
  const isDeposit = doings.some(
    ({ meaning, to }) =>
      one.viewParty(to).kind === "contract" &&
      (meaning?.effect === "deposit" ||
        meaning?.effect === "stake" ||
        meaning?.effect === "repay" ||
        meaning?.effect === "bridge"),
  );
  const isPaid = flows.leaves.some(({ asset }) => asset.token === null);
  if (isDeposit && others.length === 0 && !isPaid && !drains(one, flows))
    return [{ code: "DEPOSIT_AT_UNKNOWN_PARTY" }];
  return [{ code: "LEAVES_WITHOUT_RETURN" }];
}

/** All of an asset that everybody knows leaves. */
const drains = (one: IntentCase, { leaves }: GroupFlows): boolean =>
  leaves.some(
    (flow) =>
      isKnownAsset(one, flow.asset) &&
      flow.held !== null &&
      flow.held > 0n &&
      flow.amount * 100n >= flow.held * 99n,
  );

/** Who is credited by this call, as its arguments say. */
function listBeneficiaries({ meaning, caller }: DecodedCall): Hex[] {
  if (meaning === null || !(deposits.has(meaning.effect) || meaning.effect === "repay")) return [];
  const { recipient, owner } = meaning.roles;
  return [recipient, meaning.effect === "repay" ? owner : undefined].filter(
    (address): address is Hex =>
      typeof address === "string" &&
      /^0x[0-9a-f]{40}$/.test(address) &&
      BigInt(address) > 0xffffn &&
      address !== caller,
  );
}

/** Accounts for which something is created, as a receipt for what the sender deposits. */
function listReceiptHolders(one: IntentCase): Hex[] {
  return (one.traced?.movements ?? [])
    .filter(({ from, to }) => from === ZERO_ADDRESS && to !== ZERO_ADDRESS)
    .map(({ to }) => to)
    .filter((to) => {
      return isPerson(one.viewParty(to));
    });
}

/** Owners of positions that the transaction adds to. */
const listItemOwners = ({ readings }: IntentCase): Hex[] =>
  readings.itemOwners.flatMap(({ owner }) =>
    owner.status === "value" && owner.value.length === 66 ? [`0x${owner.value.slice(-40)}` as Hex] : [],
  );

/** A wallet that names the sender as its owner. Any contract can say so; published code does not lie. */
function isCreditable(one: IntentCase, { leaves }: GroupFlows, address: Hex): boolean {
  const { kind, reading } = one.viewParty(address);
  return isSendersWallet(reading) && (kind === "smart_account" || isSmallSum(one, leaves));
}

function endsWithAccount(one: IntentCase, { leaves, group }: GroupFlows): boolean {
  const net = one.traced?.net ?? [];
  const touched = new Set(leaves.map(({ asset }) => keyOfAsset(asset)));
  touched.add(keyOfAsset({ token: WETH, id: null }));
  return net.some(({ holder, change, asset }) => {
    if (change <= 0n || group.has(holder) || !touched.has(keyOfAsset(asset))) return false;
    return isPerson(one.viewParty(holder));
  });
}

/** Whether a simulated call after the transaction took back what left. */
function hasLeft({ effects }: IntentCase, { leaves, group }: GroupFlows): boolean {
  const after = effects?.afterExit;
  if (!after || leaves.length !== 1) return false;
  const [left] = leaves as [Flow];
  const entry = after.find(({ token, holder }) => token === left.asset.token && group.has(holder));
  return entry !== undefined && (entry.before - entry.after) * 20n <= left.amount;
}

function judgeKnownReturn(one: IntentCase, flows: GroupFlows, doings: readonly DecodedCall[]): Notes {
  const sold = judgeSold(one, flows, doings);
  if (sold.length > 0) return sold;
  const swaps = one.listed.acts.filter((act): act is SwapAct => act.kind === "swap");
  const portion = findPortion(one, flows);
  if (portion) return [{ code: "PORTION_TO_ANOTHER" }];
  const undeclared =
    swaps.length > 0 && one.listed.unknownCalls.length === 0 ? findUndeclared(one, flows, swaps) : [];
  const value = judgeValue(one, flows, true);
  if (value !== null && value !== "BALANCED_RETURN") return [{ code: value }, ...undeclared];
  if (standsOnUnknown(one, flows, doings)) return [{ code: "POSITION_ON_UNKNOWN" }, ...undeclared];
  const isSwap = swaps.length > 0 || doings.some(({ meaning }) => meaning?.effect === "swap");
  if (value === null && isSwap && buysUnknown(one, flows))
    return [{ code: "BUYS_UNKNOWN_TOKEN" }, ...undeclared];
  return [{ code: swaps.length > 0 ? "SWAP_RETURNS" : "RETURN_AT_KNOWN_PARTY" }, ...undeclared];
}

/** Whether another account gets more than a twentieth of an asset that comes back. */
function findPortion(one: IntentCase, { returns, group }: GroupFlows): boolean {
  return returns.some((flow) =>
    (one.traced?.net ?? []).some(({ holder, change, asset }) => {
      if (change <= 0n || group.has(holder) || keyOfAsset(asset) !== keyOfAsset(flow.asset)) return false;
      return isPerson(one.viewParty(holder)) && change * 20n > change + flow.amount;
    }),
  );
}

/** A swap may take no other asset than it says, and no more of it. */
function findUndeclared(one: IntentCase, { leaves }: GroupFlows, swaps: readonly SwapAct[]): Notes {
  const doings = listDoings(one);
  if (doings.some(({ meaning, signature }) => meaning === null && signature === null)) return [];
  const isSwapOnly =
    one.listed.acts.every(({ kind }) => kind !== "control") && doings.length <= swaps.length + 4;
  if (!isSwapOnly) return [];
  const extra = leaves.some(({ asset, amount }) => {
    const declared = swaps
      .filter(({ tokenIn }) => tokenIn === asset.token || (asset.token === null && tokenIn === WETH))
      .reduce((sum, { amountIn }) => sum + BigInt(amountIn ?? "0"), 0n);
    const value = asset.token === null ? BigInt(one.input.value) : 0n;
    return amount > (declared > value ? declared : value) + declared / ROUNDING;
  });
  return extra ? [{ code: "UNDECLARED_OUTFLOW" }] : [];
}

function judgeUnknownReturn(one: IntentCase, flows: GroupFlows, doings: readonly DecodedCall[]): Notes {
  const sold = judgeSold(one, flows, doings);
  if (sold.length > 0) return sold;
  const value = judgeValue(one, flows, false);
  // What unknown code does in a simulation says nothing about later: its owner may change it before, or between.
  const isSmall = isSmallSum(one, flows.leaves);
  if (value === "BALANCED_RETURN" && !isSmall) return [{ code: "RETURN_UNASSURED" }];
  if (value !== null) return [{ code: value }];
  if (hasLeft(one, flows)) return [{ code: isSmall ? "EXIT_MEASURED" : "EXIT_UNASSURED" }];
  if (findPortion(one, flows)) return [{ code: "PORTION_TO_ANOTHER" }];
  const losesKnown = flows.leaves.some(({ asset }) => isKnownAsset(one, asset));
  const getsKnown = flows.returns.some(({ asset }) => isKnownAsset(one, asset));
  const price = sumValues(one, flows.returns);
  // The smallest unit of a dollar is no price.
  if (!losesKnown && getsKnown)
    return [{ code: price === undefined || price >= DOLLAR ? "UNPRICED_SOLD" : "RETURN_UNVALUED" }];
  if (drains(one, flows)) return [{ code: "DRAINS_BALANCE" }];
  const getsItem = flows.returns.some(({ asset }) => asset.kind === "erc721" || asset.kind === "erc1155");
  if (getsItem && isSmall && doings.length === 1) return [{ code: "ITEM_BOUGHT" }];
  return [{ code: "RETURN_UNVALUED" }];
}

/** Positions of the sender's that are paid out to somebody else: nothing of its balances leaves, and yet it loses. */
function judgeProceeds(one: IntentCase): Notes {
  const mine = new Set([...one.own, ...one.claimed]);
  return listDoings(one).flatMap((call): Notes => {
    const { meaning, to } = call;
    if (meaning === null || !payouts.has(meaning.effect) || one.operated.has(call.caller)) return [];
    const recipient = meaning.roles.recipient;
    if (typeof recipient !== "string" || !/^0x[0-9a-f]{40}$/.test(recipient) || BigInt(recipient) <= 0xffffn)
      return [];
    if (mine.has(recipient as Hex) || recipient === to) return [];
    const view = one.viewParty(recipient as Hex);
    // A router passes on what it is sent by the next call of the same transaction.
    if (view.kind === "known" && one.calls.some((other) => other.to === recipient)) return [];
    if (meaning.effect === "swap" && isSelfPaid(one)) return [];
    // A position's proceeds are its owner's, and nobody else may collect them.
    const isPosition = call.signature?.startsWith("collect(") === true;
    if (meaning.effect === "claim" && !isPosition) {
      // Anybody may claim on another account's behalf; the call does not say whose proceeds these are.
      return gains(one, view.address) ? [{ code: "PROCEEDS_TO_ANOTHER" }] : [];
    }
    return [{ code: wasPaid(one, view.address) === true ? "PROCEEDS_TO_ANOTHER" : "PROCEEDS_TO_STRANGER" }];
  });
}

const gains = (one: IntentCase, holder: Hex): boolean =>
  one.traced === null || one.traced.net.some((entry) => entry.holder === holder && entry.change > 0n);

/** Whether the sender gets something in the end, as where a swap pays a contract that is called next. */
const isSelfPaid = (one: IntentCase): boolean => (groupFlows(one, one.own)?.returns.length ?? 0) > 0;

/** Pools that no node could read might have shown that little comes for what leaves. */
function noteUnpriced(one: IntentCase): Notes {
  const flows = groupFlows(one, one.own);
  const moved = new Set(
    [...(flows?.leaves ?? []), ...(flows?.returns ?? [])].map(({ asset }) => asset.token),
  );
  const missed = one.readings.poolPrices.filter(
    ({ token, pools }) => pools.status === "unanswered" && moved.has(token),
  );
  return missed.map(({ token }) => ({
    code: "PRICE_UNREAD",
    limitation: `The pools that give ${token} a price were not read: no node answered.`,
  }));
}

/** Only balances that the acts name must be readable; the others were measured as a precaution. */
function noteUnread({ effects, listed, traced }: IntentCase): Notes {
  if (traced !== null || effects === null) return [];
  const named = new Set(
    listed.acts.flatMap((act) => (act.kind === "transfer" && act.form !== "erc1155" ? [act.token] : [])),
  );
  const isMissed = effects.unread.some(
    (measurement) =>
      measurement.kind === "itemBalance" || (measurement.kind === "balance" && named.has(measurement.token)),
  );
  if (!isMissed) return [];
  const limitation = "A balance or an allowance that the transaction concerns gave no answer when measured.";
  return [{ code: "MEASURE_UNREAD", limitation }];
}
