import { formatUnits, maxUint160 } from "viem";
import { describeParties } from "../effects/partyView.js";
import type { ApprovalAct } from "./act.js";
import { type Flow, groupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { isItem } from "./judgeApprovals.js";
import { listStrangers } from "./judgeBeneath.js";
import type { ExecutionFindings } from "./judgeExecution.js";
import { listDoings } from "./judgeFlows.js";
import { tellLoss } from "./judgeValue.js";
import { listOwnTransfers } from "./measureOutgoing.js";
import { findTokenFacts, findValuation, findValue, type PricedCase, sumValues } from "./priceAssets.js";

const MAX_TOLD = 4;
const UNLIMITED = 2n ** 255n;

const groupOf = ({ own, claimed }: IntentCase) => new Set([...own, ...claimed]);

/** What leaves, what returns, who may take what afterwards, and who the others are. */
export function describeEffects(one: IntentCase, { status }: Pick<ExecutionFindings, "status">) {
  // Some nodes run what its sender could not pay for.
  const flows = status === "unpayable" ? null : groupFlows(one, groupOf(one));
  const describe = (flow: Flow) => {
    const { asset, amount, gainers } = flow;
    const facts = asset.token === null ? { symbol: "ETH", decimals: 18 } : findTokenFacts(one, asset.token);
    return {
      ...asset,
      amount: amount.toString(),
      text: tellAmount(one, asset, amount),
      symbol: facts?.symbol ?? null,
      usd: tellUsd(one, flow),
      pricedBy: findValuation(one, flow)?.source ?? null,
      to: gainers.slice(0, MAX_TOLD),
    };
  };
  return {
    source: one.traced !== null ? "trace" : one.effects !== null ? "measurement" : "calldata",
    accounts: [...groupOf(one)],
    leaves: (flows?.leaves ?? []).map(describe),
    returns: (flows?.returns ?? []).map(describe),
    permissions: listApprovals(one).map((approval) => ({
      keeper: approval.keeper,
      token: approval.token,
      owner: approval.owner,
      spender: approval.spender,
      name: one.viewParty(approval.spender).name,
      amount: approval.amount,
      isRevocation: approval.isRevocation,
    })),
    parties: describeParties(one.readings.parties, one.viewParty),
    registry: one.readings.registryVersion,
  };
}

const listApprovals = ({ listed }: IntentCase): ApprovalAct[] =>
  listed.acts.filter((act): act is ApprovalAct => act.kind === "approval").slice(0, MAX_TOLD * 2);

/** The effect in one sentence or two, from which a person can decide. */
export function leadSentence(one: IntentCase, { status, revert }: ExecutionFindings): string {
  if (status === "unpayable") return "Fails: the sender does not hold the value that it sends.";
  if (status === "reverts")
    return `Fails${revert?.reason ? ` ("${revert.reason.replaceAll('"', "'")}")` : ""}: nothing happens but the fee is paid.`;
  const sentences = [...tellTransfers(one), ...tellExchange(one), ...tellApprovals(one), ...tellControl(one)];
  return sentences.length > 0 ? sentences.join(" ") : tellNothing(one);
}

function tellTransfers(one: IntentCase): string[] {
  return listOwnTransfers(one, groupOf(one))
    .filter(({ to }) => !groupOf(one).has(to))
    .slice(0, MAX_TOLD)
    .map(({ token, amount, id, to, form }) => {
      const kind =
        token === null ? "native" : id !== null ? (form === "erc1155" ? "erc1155" : "erc721") : "erc20";
      const isCollection = kind === "erc20" && token !== null && one.effects?.erc721Tokens.has(token);
      const asset = isCollection
        ? ({ kind: "erc721", token, id: amount } as const)
        : ({ kind, token, id } as const);
      const value = tellUsd(one, { asset, amount: BigInt(amount) });
      const { name } = one.viewParty(to);
      return `Sends ${tellAmount(one, asset, BigInt(amount))}${value ? ` (${value})` : ""} to ${name}.`;
    });
}

const verbs: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  deposit: ["Deposits", "into"],
  stake: ["Stakes", "at"],
  repay: ["Repays", "to"],
  bridge: ["Bridges", "through"],
  wrap: ["Wraps", "at"],
  unwrap: ["Unwraps", "at"],
  withdraw: ["Gives up", "at"],
  burn: ["Gives up", "at"],
  swap: ["Swaps", "through"],
  mint: ["Pays", "to"],
  order: ["Pays", "to"],
  name: ["Pays", "to"],
};

/** What leaves beyond plain transfers, and what comes for it. */
function tellExchange(one: IntentCase): string[] {
  const flows = groupFlows(one, groupOf(one));
  if (flows === null) return [];
  const sent = new Set(listOwnTransfers(one, groupOf(one)).map(({ token }) => token));
  const isSwap = one.listed.acts.some(({ kind }) => kind === "swap");
  const leaves = flows.leaves.filter(
    ({ asset }) => isSwap || !sent.has(asset.token) || flows.returns.length > 0,
  );
  const gets = tellFlows(one, flows.returns);
  if (leaves.length === 0) return gets === "" ? [] : [`You receive ${gets}${tellPlace(one, " from ")}.`];
  const effects = listDoings(one).flatMap(({ meaning }) => (meaning ? [meaning.effect] : []));
  const effect = isSwap ? "swap" : effects.find((name) => name in verbs);
  const [verb, preposition] = (effect === undefined ? undefined : verbs[effect]) ?? ["Gives", "to"];
  const place = tellPlace(one, ` ${preposition} `);
  const gives = `${verb} ${tellFlows(one, leaves)}${place}`;
  if (gets === "") return [`${gives}; you receive nothing in return.`];
  const loss = tellLoss(sumValues(one, leaves), sumValues(one, flows.returns));
  return [`${gives}; you receive ${gets}${loss === "" ? "" : `, ${loss}`}.`];
}

function tellPlace(one: IntentCase, preposition: string): string {
  const places = listDoings(one).map(({ to }) => one.viewParty(to).name);
  const place = places.at(-1);
  return place === undefined ? "" : `${preposition}${place}`;
}

const tellFlows = (one: IntentCase, flows: readonly Flow[]): string =>
  flows
    .slice(0, MAX_TOLD)
    .map((flow) => {
      const value = tellUsd(one, flow);
      return `${tellAmount(one, flow.asset, flow.amount)}${value ? ` (${value})` : ""}`;
    })
    .join(" and ");

function tellApprovals(one: IntentCase): string[] {
  // What the transaction itself uses up is no permission afterwards.
  const isSpent = (approval: ApprovalAct) =>
    !approval.isRevocation &&
    one.effects?.permissions.some((effect) => effect.approval === approval && effect.after === 0n) === true &&
    !isItem(one, approval);
  return listApprovals(one)
    .filter((approval) => !isSpent(approval))
    .slice(0, MAX_TOLD)
    .map((approval) => {
      const { token, spender, amount, form, owner, isRevocation } = approval;
      const { name } = one.viewParty(spender);
      const symbol = findTokenFacts(one, token)?.symbol ?? token;
      const whose = groupOf(one).has(owner) ? "your" : `${owner}'s`;
      if (isItem(one, approval))
        return BigInt(spender) === 0n
          ? `Takes back the permission for item ${amount} of ${symbol}.`
          : `Lets ${name} take item ${amount} of ${symbol}.`;
      if (isRevocation) return `Takes back ${name}'s permission for ${whose} ${symbol}.`;
      if (form === "credit") return `Lets ${name} borrow in ${whose} name through ${symbol}.`;
      if (amount === null) return `Gives ${name} command over all of ${whose} ${symbol}.`;
      const isAll = BigInt(amount) >= UNLIMITED || (form === "permit2" && BigInt(amount) === maxUint160);
      if (isAll) return `Lets ${name} spend any amount of ${whose} ${symbol}.`;
      return `Lets ${name} spend up to ${tellAmount(one, { kind: "erc20", token, id: null }, BigInt(amount))}.`;
    });
}

function tellControl(one: IntentCase): string[] {
  return one.listed.acts.flatMap((act) => {
    if (act.kind === "delegatecall")
      return one.listed.acts.length === 1
        ? [`Runs the code of ${one.viewParty(act.to).name} as your account.`]
        : [];
    if (act.kind !== "control") return [];
    const name = act.signature.split("(")[0];
    const target = one.viewParty(act.target).name;
    const who = act.successor === null ? "" : `, naming ${one.viewParty(act.successor).name}`;
    return [`Changes who commands ${target} (${name}${who}).`];
  });
}

function tellNothing(one: IntentCase): string {
  const { name } = one.viewParty(one.input.to);
  const [doing] = listDoings(one);
  const said = doing?.meaning?.sentence;
  if (said) return `${said}. None of your balances change.`.replace("..", ".");
  const [stranger] = listStrangers(one);
  const named = stranger === undefined ? "" : `, naming ${one.viewParty(stranger).name}`;
  return `Calls ${name}${named}; none of the balances and permissions that were measured change.`;
}

/** Amounts in the token's own units, or in its smallest ones where it does not say how many there are. */
export function tellAmount(one: PricedCase, { kind, token, id }: Flow["asset"], amount: bigint): string {
  if (token === null) return `${trim(formatUnits(amount, 18))} ETH`;
  const facts = findTokenFacts(one, token);
  const name = facts?.symbol ?? token;
  if (kind === "erc721") return id === null ? `${amount} of ${name}` : `item ${id} of ${name}`;
  if (kind === "erc1155") return `${amount} of item ${id} of ${name}`;
  return facts
    ? `${trim(formatUnits(amount, facts.decimals))} ${facts.symbol}`
    : `${amount} units of ${token}`;
}

/** Six digits after the point are enough to decide, or six after the first that is not zero. */
const trim = (text: string): string => {
  const [whole = "0", fraction = ""] = text.split(".");
  const zeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const kept = fraction.slice(0, zeros + 6).replace(/0+$/, "");
  return kept === "" ? whole : `${whole}.${kept}`;
};

export function tellUsd(one: PricedCase, flow: { asset: Flow["asset"]; amount: bigint }): string | null {
  const value = findValue(one, flow);
  if (value === undefined) return null;
  const cents = (value + 5_000n) / 10_000n;
  return `$${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;
}
