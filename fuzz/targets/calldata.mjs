import assert from "node:assert/strict";
import { encodeAbiParameters } from "viem";
import { knownFunctions } from "../../packages/capabilities/src/shared/calls/knownFunctions.ts";
import { decodeCalls } from "../../packages/capabilities/src/shared/intents/decodeCalls.ts";
import { listActs } from "../../packages/capabilities/src/shared/intents/listActs.ts";
import { decodeSwap } from "../../packages/capabilities/src/shared/swaps/decodeSwap.ts";
import { baseSwapRouters } from "../../packages/capabilities/src/shared/swaps/swapRouters.ts";

const FROM = `0x${"a1".repeat(20)}`;
const targets = [
  ...baseSwapRouters.map(({ address }) => address),
  "0x000000000022d473030f116ddee9f6b43ac78ba3",
  `0x${"70".repeat(20)}`,
];
const routers = new Set(baseSwapRouters.map(({ address }) => address));

/** A value of an ABI type that is neither empty nor zero. */
function exampleOf({ type, components }) {
  const array = /^(.*)\[(\d*)\]$/.exec(type);
  if (array)
    return Array.from({ length: Number(array[2] || 1) }, () => exampleOf({ type: array[1], components }));
  if (type === "tuple") return components.map((one) => exampleOf(one));
  if (type === "address") return FROM;
  if (type === "bool") return true;
  if (type === "string") return "one";
  if (type === "bytes") return "0xa9059cbb";
  if (type.startsWith("bytes")) return `0x${"5a".repeat(Number(type.slice(5)))}`;
  const value = 77n;
  return /^u?int(8|16|24|32|40|48)$/.test(type) ? Number(value) : value;
}
const named = (inputs) =>
  inputs.map((one) => ({
    ...one,
    name: undefined,
    ...(one.components && { components: named(one.components) }),
  }));

/** Transactions: the first byte chooses whom they are sent to, the others are calldata. */
export const target = {
  maxBytes: 4_096,
  cpuMs: 500,
  form: "bytes",
  seeds: () =>
    [...knownFunctions].map(([selector, { abi }], index) => {
      const data = `${selector}${encodeAbiParameters(named(abi.inputs), abi.inputs.map(exampleOf)).slice(2)}`;
      return Buffer.concat([Buffer.of(index), Buffer.from(data.slice(2), "hex")]);
    }),
  run(bytes) {
    const to = targets[(bytes[0] ?? 0) % targets.length];
    const data = `0x${Buffer.from(bytes.subarray(1)).toString("hex")}`;
    const value = bytes.length % 2 === 0 ? "0" : "1000";
    const decoded = decodeCalls({ from: FROM, to, value, data });
    assert.ok(decoded.undecodedBytes >= 0 && decoded.undecodedBytes <= Math.max(0, bytes.length - 1));
    assert.deepEqual(decodeCalls({ from: FROM, to, value, data }), decoded);
    assert.ok(countCalls(decoded.call) <= 2_000);
    const acts = listActs(decoded.call, routers);
    JSON.stringify([decoded, acts]);
    const swap = decodeSwap({ from: FROM, to, value, data }, baseSwapRouters);
    assert.ok("swap" in swap || typeof swap.unsupported.rule === "string");
  },
};

const countCalls = ({ inner }) => 1 + inner.reduce((sum, one) => sum + countCalls(one), 0);
