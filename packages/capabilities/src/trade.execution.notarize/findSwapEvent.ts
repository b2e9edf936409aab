import type { EventLog, Hex } from "@assay/protocol";
import { parseAbiParameters } from "viem";
import { topicOf } from "../shared/events/topicOf.js";
import { decodeEvent, holderIn } from "../shared/events/transferEvents.js";

/** A swap that an event reports. Amounts are from the pool's view: positive ones came in, negative ones went out. */
interface SwapEvent {
  /** By the form of the event. Any contract can emit one. */
  readonly kind: "uniswap_v2" | "aerodrome" | "concentrated" | "uniswap_v4";
  /** The contract that emitted it; for v4 the pool manager. */
  readonly emitter: Hex;
  /** The pool's id; only v4 has one. */
  readonly poolId: Hex | null;
  readonly sender: Hex | null;
  /** Null for v4, where the payout is not part of the swap. */
  readonly recipient: Hex | null;
  readonly amount0: bigint;
  readonly amount1: bigint;
}

const V2 = topicOf("Swap(address,uint256,uint256,uint256,uint256,address)");
const AERODROME = topicOf("Swap(address,address,uint256,uint256,uint256,uint256)");
/** Uniswap V3 and Slipstream. */
const CONCENTRATED = topicOf("Swap(address,address,int256,int256,uint160,uint128,int24)");
const V4 = topicOf("Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)");

const reserves = parseAbiParameters("uint256, uint256, uint256, uint256");
const concentrated = parseAbiParameters("int256, int256, uint160, uint128, int24");
const v4 = parseAbiParameters("int128, int128, uint160, uint128, int24, uint24");

/** The swap that a log reports, if it is such an event. */
export function findSwapEvent({ address, topics, data }: EventLog): SwapEvent | undefined {
  const [topic, first, second] = topics;
  if (topics.length !== 3) return undefined;
  const between = { emitter: address, sender: holderIn(first) ?? null, recipient: holderIn(second) ?? null };
  switch (topic) {
    case V2:
    case AERODROME: {
      const [in0, in1, out0, out1] = decodeEvent(reserves, data) ?? [];
      if (in0 === undefined || in1 === undefined || out0 === undefined || out1 === undefined)
        return undefined;
      const kind = topic === V2 ? "uniswap_v2" : "aerodrome";
      return { kind, ...between, poolId: null, amount0: in0 - out0, amount1: in1 - out1 };
    }
    case CONCENTRATED: {
      const [amount0, amount1] = decodeEvent(concentrated, data) ?? [];
      if (amount0 === undefined || amount1 === undefined) return undefined;
      return { kind: "concentrated", ...between, poolId: null, amount0, amount1 };
    }
    case V4: {
      const [amount0, amount1] = decodeEvent(v4, data) ?? [];
      if (amount0 === undefined || amount1 === undefined || first === undefined) return undefined;
      // v4 states amounts from the swapper's view: what it owes is negative.
      const sender = holderIn(second) ?? null;
      return {
        kind: "uniswap_v4",
        emitter: address,
        poolId: first,
        sender,
        recipient: null,
        amount0: -amount0,
        amount1: -amount1,
      };
    }
    default:
      return undefined;
  }
}
