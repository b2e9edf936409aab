import type { Hex } from "@assay/protocol";
import type { PolicyCode } from "../effects/policy.js";
import type { Note } from "../verdict/note.js";
import type { TransferAct } from "./act.js";
import type { IntentCase } from "./intentCase.js";

type Notes = Note<PolicyCode>[];

/** Judges what happens to assets of accounts that are not the sender's. */
export function judgeOthers(one: IntentCase): Notes {
  const mine = new Set([...one.own, ...one.claimed, ...one.operated]);
  const transfers = one.listed.acts.filter(
    (act): act is TransferAct => act.kind === "transfer" && !mine.has(act.from),
  );
  const signed = new Set(
    one.listed.acts.flatMap((act) => (act.kind === "approval" && !mine.has(act.owner) ? [act.owner] : [])),
  );
  return [
    ...transfers.map((transfer) => judgeTransfer(one, mine, signed, transfer)),
    ...judgeSilentLosses(one, mine, new Set([...signed, ...transfers.map(({ from }) => from)])),
  ];
}

function judgeTransfer(
  one: IntentCase,
  mine: ReadonlySet<Hex>,
  signed: ReadonlySet<Hex>,
  { from, to, form }: TransferAct,
): Note<PolicyCode> {
  if (form === "eip3009" || signed.has(from)) return { code: "SIGNED_BY_OWNER" };
  const { kind } = one.viewParty(from);
  if (mine.has(to) && kind !== "delegated") return { code: "TAKES_ALLOWANCE" };
  // A router that pays out what a call left in it moves its own assets.
  if (kind === "known") return { code: "TAKES_ALLOWANCE" };
  return { code: "THIRD_PARTY_FUNDS" };
}

/** Accounts that lose something without any act that says so, by a function that is not a published contract's. */
function judgeSilentLosses(one: IntentCase, mine: ReadonlySet<Hex>, named: ReadonlySet<Hex>): Notes {
  const target = one.viewParty(one.input.to);
  if (target.kind === "known" || target.kind === "own") return [];
  const losers = (one.traced?.net ?? []).filter(
    ({ holder, change }) => change < 0n && !mine.has(holder) && !named.has(holder),
  );
  const isPerson = (holder: Hex) => {
    const { kind } = one.viewParty(holder);
    return kind === "account" || kind === "delegated";
  };
  return losers.some(({ holder }) => isPerson(holder)) ? [{ code: "TAKES_FROM_ANOTHER" }] : [];
}
