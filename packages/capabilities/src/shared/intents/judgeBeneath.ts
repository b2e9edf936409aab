import type { Hex } from "@assay/protocol";
import { findCanonicalToken } from "../chain-facts/canonicalTokens.js";
import { unique } from "../verdict/note.js";
import type { DecodedCall } from "./decodeCalls.js";
import type { Flow, GroupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { listBeneath, listNamed, listNamedInside } from "./namedAddresses.js";
import { isKnownAsset, isSmallSum } from "./priceAssets.js";

/** Neither the sender's nor published, whatever it is. */
export function isForeign(one: IntentCase, address: Hex): boolean {
  if (findCanonicalToken(address) !== undefined || one.claimed.includes(address)) return false;
  const { kind } = one.viewParty(address);
  return kind !== "own" && kind !== "known" && kind !== "vacant";
}

const isUnknownToken = (one: IntentCase, { asset }: Flow): boolean =>
  asset.kind === "erc20" && !isKnownAsset(one, asset);

/** Tokens that nobody published are worth nothing that is known, so only the rest can be lost. */
const isSmallRisk = (one: IntentCase, { leaves }: GroupFlows): boolean =>
  isSmallSum(
    one,
    leaves.filter((flow) => !isUnknownToken(one, flow)),
  );

/**
 * In a market or a pool that anybody may open, a published contract keeps what its other parts decide: who made the oracle
 * or the other token can take what is deposited.
 */
export function standsOnUnknown(one: IntentCase, flows: GroupFlows, doings: readonly DecodedCall[]): boolean {
  if (isSmallRisk(one, flows)) return false;
  const isPosition = ({ meaning }: DecodedCall) =>
    meaning?.effect === "deposit" || meaning?.effect === "stake";
  return (
    addsToUnknown(one) ||
    doings.flatMap(listBeneath).some((address) => isForeign(one, address)) ||
    (doings.some(isPosition) && flows.leaves.some((flow) => isUnknownToken(one, flow)))
  );
}

/**
 * The call that adds to a position names its number alone. Anybody may have given the position to the sender, in a pool of a
 * token that the giver can make without end.
 */
const addsToUnknown = (one: IntentCase): boolean =>
  one.readings.itemOwners.some(({ position }) => {
    const words = position.status === "value" ? (position.value.slice(2).match(/.{64}/g) ?? []) : [];
    const tokens = words.slice(2, 4).map((word): Hex => `0x${word.slice(24)}`);
    return tokens.length < 2 || tokens.some((token) => isForeign(one, token) && !isListedToken(one, token));
  });

const isListedToken = (one: IntentCase, token: Hex): boolean =>
  isKnownAsset(one, { kind: "erc20", token, id: null });

/** Whether more than a small sum buys a token that nobody published. */
export const buysUnknown = (one: IntentCase, flows: GroupFlows): boolean =>
  !isSmallRisk(one, flows) && flows.returns.some((flow) => isUnknownToken(one, flow));

/**
 * Addresses that calls of unknown functions name, or calls inside others that were not opened, and that are neither the sender's nor published, where something is
 * written. Tokens that the sender gets or gives are explained by that.
 */
export function listStrangers(one: IntentCase): Hex[] {
  const { storage } = one.readings;
  if (storage.status !== "value" || storage.value.changed.length === 0) return [];
  const moved = new Set(
    (one.traced?.net ?? []).flatMap(({ holder, asset }) => (one.own.has(holder) ? [asset.token] : [])),
  );
  const named = one.calls.flatMap((call) => {
    const found = one.listed.unknownCalls.includes(call) ? listNamed(call) : listNamedInside(call);
    return found.filter((address) => address !== call.to && address !== call.caller);
  });
  return unique(named).filter((address) => !moved.has(address) && isForeign(one, address));
}
