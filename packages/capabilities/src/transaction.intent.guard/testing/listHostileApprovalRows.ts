import { maxUint160, maxUint256, parseEther } from "viem";
import { PERMIT2 } from "../../shared/chain-facts/knownContracts.js";
import {
  aggregate,
  approve,
  execTransaction,
  FAR,
  permit2Approve,
  SIGNATURE,
  STRANGER,
  setApprovalForAll,
  usd,
} from "./intentCalls.js";
import { encode, type IntentWorld } from "./intentFixture.js";
import type { Row } from "./intentRow.js";

/** Permissions that cost their giver. */
export function listHostileApprovalRows(world: IntentWorld): Row[] {
  return [...listHostileApprovals(world)];
}

function listHostileApprovals({ devnet, alice, bob, safe, drainer }: IntentWorld): Row[] {
  const { stablecoin, plainToken, erc721, erc1155, multicall3 } = devnet.contracts;
  const approval = { intent: "approve", verdict: "block" } as const;
  const review = { intent: "approve", verdict: "review" } as const;
  return [
    {
      ...review,
      name: "exactly what one holds to a contract nobody knows",
      reasons: ["SPENDER_UNKNOWN"],
      transaction: { to: stablecoin, data: approve(drainer, usd(1000)) },
    },
    {
      ...approval,
      name: "unlimited dollars to an account",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT"],
      transaction: { to: stablecoin, data: approve(STRANGER, maxUint256) },
    },
    {
      ...approval,
      name: "half of all numbers to an account",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT"],
      transaction: { to: stablecoin, data: approve(bob, 2n ** 255n) },
    },
    {
      ...approval,
      name: "more than there is to an account",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT"],
      transaction: { to: plainToken, data: approve(bob, parseEther("1000000001")) },
    },
    {
      ...approval,
      name: "everything of Permit2 to an account",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT"],
      transaction: { to: PERMIT2, data: permit2Approve(stablecoin, STRANGER, maxUint160, FAR) },
    },
    {
      ...approval,
      name: "an account made operator of collectibles",
      reasons: ["OPERATOR_IS_ACCOUNT"],
      transaction: { to: erc721, data: setApprovalForAll(STRANGER, true) },
    },
    {
      ...approval,
      name: "an account made operator of items",
      reasons: ["OPERATOR_IS_ACCOUNT"],
      transaction: { to: erc1155, data: setApprovalForAll(bob, true) },
    },
    {
      ...approval,
      name: "unlimited dollars to a drainer",
      reasons: ["UNLIMITED_APPROVAL_TO_UNKNOWN"],
      transaction: { to: stablecoin, data: approve(drainer, maxUint256) },
    },
    {
      ...approval,
      name: "a drainer made operator",
      reasons: ["OPERATOR_UNKNOWN"],
      transaction: { to: erc721, data: setApprovalForAll(drainer, true) },
    },
    {
      ...review,
      name: "a little to an account",
      reasons: ["APPROVAL_TO_ACCOUNT"],
      transaction: { to: stablecoin, data: approve(bob, usd(10)) },
    },
    {
      ...approval,
      name: "one collectible to an account",
      reasons: ["ITEM_APPROVAL_TO_ACCOUNT"],
      transaction: { to: erc721, data: approve(bob, 1n) },
    },
    {
      ...review,
      name: "more than is held, to a drainer",
      reasons: ["SPENDER_UNKNOWN"],
      transaction: { to: plainToken, data: approve(drainer, parseEther("20000")) },
    },
    {
      ...approval,
      name: "Permit2 for years to a drainer",
      reasons: ["SPENDER_UNKNOWN", "KNOWN_PARTY_CHANGED"],
      transaction: { to: PERMIT2, data: permit2Approve(stablecoin, drainer, usd(10), FAR) },
    },
    {
      ...approval,
      name: "a forged permit",
      reasons: ["TX_REVERTS"],
      transaction: {
        to: stablecoin,
        data: encode("permit(address o, address s, uint256 v, uint256 d, uint8 a, bytes32 b, bytes32 c)", [
          alice,
          bob,
          maxUint256,
          FAR,
          ...SIGNATURE,
        ]),
      },
    },
    {
      ...approval,
      name: "a Safe's unlimited approval to an account",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT"],
      transaction: { to: safe, data: execTransaction(stablecoin, approve(STRANGER, maxUint256)) },
    },
    {
      ...approval,
      name: "a little to Multicall3, which anybody may use",
      reasons: ["SPENDER_IS_ANYBODY"],
      transaction: { to: stablecoin, data: approve(multicall3, usd(5)) },
    },
    {
      intent: "approve",
      verdict: "block",
      name: "an unlimited approval hidden in a batch",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT"],
      transaction: {
        to: multicall3,
        data: aggregate([
          [stablecoin, approve(STRANGER, 0n)],
          [stablecoin, approve(STRANGER, maxUint256)],
        ]),
      },
    },
  ];
}
