import { until } from "@assay/chain/testing/until";
import { CHAIN_ID, type Hex } from "@assay/protocol";
import { keccak256, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLocalSigner } from "../../base/signers/digestSigner.js";
import type { Fees } from "./serializeOrder.js";
import { createSettlerAccount, type SettlerAccount } from "./settlerAccount.js";
import { openSettlement, type SettlementFixture } from "./testing/settlementFixture.js";

let world: SettlementFixture;
let account: SettlerAccount;
beforeAll(async () => {
  world = await openSettlement();
  account = createSettlerAccount(world.chain, createLocalSigner(world.devnet.settler.privateKey));
});
afterEach(() => {
  world.intercept = undefined;
});
afterAll(async () => {
  await world.close();
});

const numbers = Array.from({ length: 20 }, (_, i) => i);

test.each(numbers)("transaction %i is signed and hashed exactly as viem does it", async (i) => {
  const key = keccak256(toHex(`key ${i}`));
  const settler = createSettlerAccount(world.chain, createLocalSigner(key));
  const transaction = {
    nonce: i * 37,
    to: `0x${keccak256(toHex(i)).slice(-40)}` as Hex,
    data: (i === 0 ? "0x" : keccak256(toHex(`data ${i}`)).repeat(1)) as Hex,
    gas: 100_000n + BigInt(i),
    fees: { maxFeePerGas: 3n ** BigInt(i), maxPriorityFeePerGas: BigInt(i) },
  };
  const { raw, hash } = await settler.sign(transaction);
  const { fees, ...fields } = transaction;
  const expected = await privateKeyToAccount(key).signTransaction({
    type: "eip1559",
    chainId: CHAIN_ID,
    ...fields,
    ...fees,
  });
  expect(raw).toBe(expected);
  expect(hash).toBe(keccak256(expected));
  expect(settler.address).toBe(privateKeyToAccount(key).address);
});

describe("fees", () => {
  test("cover twice the base fee and the tip the node suggests, up to the operator's limit", async () => {
    // The local chain suggests 1,000,000,000.
    const generous = createSettlerAccount(
      world.chain,
      createLocalSigner(world.devnet.settler.privateKey),
      5_000_000_000n,
    );
    await until(async () => (account.currentFees().maxPriorityFeePerGas === 2_000_000n ? true : undefined));
    await until(async () =>
      generous.currentFees().maxPriorityFeePerGas === 1_000_000_000n ? true : undefined,
    );
    const baseFee = world.chain.findHead()?.header.baseFeePerGas as bigint;
    const { maxFeePerGas, maxPriorityFeePerGas } = account.currentFees();
    expect(maxFeePerGas).toBe(2n * baseFee + maxPriorityFeePerGas);
  });

  test("are asked for while there is something to settle, and not otherwise", async () => {
    let asked = 0;
    world.intercept = (method) => {
      if (method === "eth_maxPriorityFeePerGas") asked++;
      return undefined;
    };
    const settler = createSettlerAccount(world.chain, createLocalSigner(world.devnet.settler.privateKey));
    for (let i = 0; i < 10; i++) settler.currentFees();
    await until(async () => (asked > 0 ? true : undefined));
    expect(asked).toBe(1);
  });

  test("rise by more than the tenth that nodes ask of a replacement, at every step", () => {
    let fees: Fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 1n };
    for (let step = 0; step < 8; step++) {
      const raised = account.raiseFees(fees);
      expect(10n * raised.maxFeePerGas).toBeGreaterThan(11n * fees.maxFeePerGas);
      expect(10n * raised.maxPriorityFeePerGas).toBeGreaterThan(11n * fees.maxPriorityFeePerGas);
      fees = raised;
    }
  });

  test("jump to what the chain asks now, each of the two by itself", () => {
    const current = account.currentFees();
    expect(
      account.raiseFees({ maxFeePerGas: 5n, maxPriorityFeePerGas: 2n * current.maxPriorityFeePerGas }),
    ).toEqual({
      maxFeePerGas: current.maxFeePerGas,
      maxPriorityFeePerGas: (2n * current.maxPriorityFeePerGas * 125n) / 100n + 1n,
    });
  });

  test("stop rising at ten times what the chain asks: a chain that stands still must not cost a fortune", () => {
    const current = account.currentFees();
    let fees = current;
    for (let step = 0; step < 1_000; step++) fees = account.raiseFees(fees);
    expect(fees.maxFeePerGas).toBeLessThanOrEqual(10n * current.maxFeePerGas);
    expect(fees.maxFeePerGas).toBeGreaterThan(5n * current.maxFeePerGas);
    expect(account.raiseFees(fees)).toBe(fees);
  });
});

describe("the nonce", () => {
  test("is asked of the chain once, however many ask at the same time", async () => {
    const settler = createSettlerAccount(world.chain, createLocalSigner(world.devnet.settler.privateKey));
    let asked = 0;
    world.intercept = (method) => {
      if (method === "eth_getTransactionCount") asked++;
      return undefined;
    };
    const taken = await Promise.all(Array.from({ length: 10 }, () => settler.takeNonce()));
    expect(taken).toEqual(Array.from({ length: 10 }, (_, i) => (taken[0] as number) + i));
    expect(asked).toBe(1);
    settler.forgetNonce();
    expect(await settler.takeNonce()).toBe(taken[0]);
    expect(asked).toBe(2);
  });

  test("a node that does not answer is an error, and the next question is a new one", async () => {
    const settler = createSettlerAccount(world.chain, createLocalSigner(world.devnet.settler.privateKey));
    world.intercept = (method) =>
      method === "eth_getTransactionCount" ? { result: "not a number" } : undefined;
    await expect(settler.takeNonce()).rejects.toThrow();
    world.intercept = undefined;
    expect(await settler.takeNonce()).toBe(await settler.countMined());
  });
});
