import type { Hex } from "@assay/protocol";
import { concatHex, pad, toEventSelector, toHex } from "viem";

const TRANSFER = toEventSelector("event Transfer(address,address,uint256)");
const push = (word: Hex) => concatHex(["0x7f", pad(word, { size: 32 })]);
/** Asked anything with arguments, it answers with `answer`; it emits only when it is called without any. */
const emitsWhenCalledBare = (emitting: Hex, answering: Hex): Hex => {
  const body = concatHex([emitting, "0x00"]);
  // CALLDATASIZE; PUSH2 to the answer; JUMPI
  const at = 5 + (body.length - 2) / 2;
  return concatHex(["0x3661", toHex(at, { size: 2 }), "0x57", body, "0x5b", answering]);
};
const emit = (from: Hex, to: Hex, amount: bigint): Hex =>
  concatHex([push(toHex(amount)), "0x600052", push(to), push(from), push(TRANSFER), "0x60206000a3"]);
const ANSWER_ZERO: Hex = "0x60206000f3";

/** Code of tokens that report a transfer and have no ledger. */
export const hostileTokens = {
  /** Says that it gave `amount`; balanceOf is zero all along. */
  forging: (to: Hex, amount: bigint): Hex =>
    emitsWhenCalledBare(emit(`0x${"99".repeat(20)}`, to, amount), ANSWER_ZERO),
  /** balanceOf reverts. */
  mute: (to: Hex): Hex => emitsWhenCalledBare(emit(`0x${"99".repeat(20)}`, to, 1n), "0x60006000fd"),
  /** balanceOf runs until its gas is gone. */
  burning: (to: Hex): Hex => emitsWhenCalledBare(emit(`0x${"99".repeat(20)}`, to, 1n), "0x5b600856"),
  /** balanceOf answers with 100 KB. */
  flooding: (to: Hex): Hex => emitsWhenCalledBare(emit(`0x${"99".repeat(20)}`, to, 1n), "0x620186a06000f3"),
  /** Emits nothing that is encoded as its topic says. */
  garbled: concatHex([push(TRANSFER), push("0x01"), push("0x02"), push(TRANSFER), "0x60016000a3", "0x00"]),
};

/** Calls each of these without arguments. */
export const callAll = (targets: readonly Hex[]): Hex =>
  concatHex([...targets.map((target) => concatHex(["0x5f5f5f5f5f73", target, "0x5af150"])), "0x00"]);

/** Takes what it is given. Called with arguments, it gives away that many wei without an event. */
export const payingWallet = (to: Hex, wei: bigint): Hex =>
  concatHex(["0x36600557005b5f5f5f5f", push(toHex(wei)), "0x73", to, "0x5af100"]);

/** Calls the target with one byte. */
export const poke = (target: Hex): Hex => concatHex(["0x5f5f60015f5f73", target, "0x5af100"]);
