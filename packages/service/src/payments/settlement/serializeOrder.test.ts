import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { BASE_USDC, CHAIN_ID, type Hex } from "@assay/protocol";
import { encodeFunctionData, multicall3Abi, serializeTransaction } from "viem";
import { expect, test } from "vitest";
import { serializeOrder } from "./serializeOrder.js";
import { encodeBatch } from "./transferCall.js";

const choices = createSeededChoices(1559);
const hex = (bytes: number): Hex => (bytes === 0 ? "0x" : choices.hex(bytes));
/** With leading zeros now and then. */
const word = (): Hex => `0x${choices.hex(choices.integer(1, 32)).slice(2).padStart(64, "0")}`;

test("an order is the transaction that viem writes, signed or not", () => {
  for (let round = 0; round < 400; round++) {
    const order = {
      nonce: choices.pick([0, 1, 127, 128, 255, 256, choices.integer(0, 2 ** 40)]),
      to: hex(20),
      data: hex(choices.pick([0, 1, 55, 56, 255, 256, choices.integer(0, 3_000)])),
      gas: BigInt(choices.integer(0, 2 ** 30)),
      fees: {
        maxFeePerGas: BigInt(choices.integer(0, 2 ** 45)),
        maxPriorityFeePerGas: BigInt(choices.pick([0, 1, 1_000_000])),
      },
    };
    const { fees, ...rest } = order;
    const same = { ...rest, ...fees, type: "eip1559", chainId: CHAIN_ID, value: 0n } as const;
    // Of a fee below its tip viem makes nothing.
    if (fees.maxFeePerGas < fees.maxPriorityFeePerGas) continue;
    const signature = { r: word(), s: word(), yParity: choices.pick([0, 1] as const) };
    expect(serializeOrder(order)).toBe(serializeTransaction(same));
    expect(serializeOrder(order, signature)).toBe(serializeTransaction(same, signature));
  }
});

test("a batch is the call that viem writes", () => {
  for (const count of [0, 1, 2, 7, 60]) {
    const calls = Array.from({ length: count }, () => ({
      to: choices.pick([BASE_USDC, hex(20)]),
      call: hex(choices.integer(0, 400)),
    }));
    const args = calls.map(({ to, call }) => ({ target: to, allowFailure: true, callData: call }));
    expect(encodeBatch(calls)).toBe(
      encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] }),
    );
  }
});
