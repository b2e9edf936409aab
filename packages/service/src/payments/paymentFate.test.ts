import { expect, test } from "vitest";
import type { BaseContext } from "../base/context.js";
import type { Invocation } from "./invocations.js";
import { readPaymentFate } from "./paymentFate.js";

const PAYER = `0x${"b1".repeat(20)}`;
const NONCE = `0x${"07".repeat(32)}`;
const invocation = {
  ...{
    asset: `0x${"c0".repeat(20)}`,
    payer: PAYER,
    authorizationNonce: NONCE,
    payTo: `0x${"aa".repeat(20)}`,
  },
  ...{ amount: 1000n, reservedAtBlock: 5, validBefore: 2n ** 40n },
} as Invocation;
const LOG = {
  ...{ address: invocation.asset, topics: ["0x01", "0x02", NONCE], data: "0x" },
  ...{ transactionHash: `0x${"ee".repeat(32)}`, blockNumber: "0x6" },
};

/** A node that counts the nonce as used, and answers one method in a form that the method does not have. */
const contextOf = (garbled: string, answer: unknown) =>
  ({
    chain: {
      latestBlock: async () => ({ number: 10 }),
      readAt: async () => [{ status: "value", value: `0x${"1".padStart(64, "0")}` }],
      request: async (method: string) =>
        method === garbled ? answer : method === "eth_getLogs" ? [LOG] : { status: "0x1" },
    },
  }) as unknown as BaseContext;

test.each<[string, unknown]>([
  ["eth_getLogs", "0x"],
  ["eth_getLogs", null],
  ["eth_getLogs", [{}]],
  ["eth_getTransactionReceipt", {}],
  ["eth_getTransactionReceipt", "0x"],
])("an answer to %s of another form, %j, is none: the caller may ask again", async (method, answer) => {
  await expect(readPaymentFate(contextOf(method, answer), invocation)).rejects.toMatchObject({
    code: "chain_unavailable",
  });
});
