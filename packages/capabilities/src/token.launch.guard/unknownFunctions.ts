import type { Hex } from "@assay/protocol";
import { toFunctionSelector } from "viem";
import { findOwnerPower, type TrialTargets } from "../shared/control/ownerPowers.js";

/** Functions whose meaning is known and which take nothing from a seller, no matter who calls them. */
const HARMLESS = new Set(
  [
    "name()",
    "symbol()",
    "decimals()",
    "totalSupply()",
    "balanceOf(address)",
    "allowance(address,address)",
    "approve(address,uint256)",
    "transfer(address,uint256)",
    "transferFrom(address,address,uint256)",
    "increaseAllowance(address,uint256)",
    "decreaseAllowance(address,uint256)",
    "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    "nonces(address)",
    "DOMAIN_SEPARATOR()",
    "eip712Domain()",
    "owner()",
    "getOwner()",
    "renounceOwnership()",
    "transferOwnership(address)",
    "pendingOwner()",
    "acceptOwnership()",
    "paused()",
    "unpause()",
    "burn(uint256)",
    "burnFrom(address,uint256)",
    "supportsInterface(bytes4)",
    "hasRole(bytes32,address)",
    "getRoleAdmin(bytes32)",
    "grantRole(bytes32,address)",
    "revokeRole(bytes32,address)",
    "renounceRole(bytes32,address)",
  ].map((signature) => toFunctionSelector(signature)),
);

/** Functions of unknown meaning. Each is tried with arguments that could harm a seller. */
export function listUnknownSelectors(selectors: readonly Hex[]): Hex[] {
  return selectors.filter((selector) => !HARMLESS.has(selector) && findOwnerPower(selector) === undefined);
}

/** The same words for every function of unknown meaning: a decoder ignores extra ones. */
export function encodeBlindCalls(selector: Hex, { trader, pool }: TrialTargets): Hex[] {
  const word = (value: Hex | bigint) => BigInt(value).toString(16).padStart(64, "0");
  return [
    [trader, 1n, 1n, 1n],
    [pool, 1n, 1n, 1n],
    [1n, 1n, 1n, 1n],
    [0n, 0n, 0n, 0n],
    [9_900n, 9_900n, 9_900n, 9_900n],
  ].map((words): Hex => `${selector}${words.map((value) => word(value as Hex | bigint)).join("")}`);
}
