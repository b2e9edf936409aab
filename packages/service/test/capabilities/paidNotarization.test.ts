import { until } from "@assay/chain/testing/until";
import type { Hex, Problem } from "@assay/protocol";
import { encodeFunctionData, erc20Abi } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { asPost, balanceOf, pay } from "../payer.js";
import { useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });
const { invokeUrl, priceNow, buy } = service;

const alice = () => service.account("alice");
const bob = () => service.account("bob");
const notarizeUrl = (txHash: string, guardInvocationId?: string) =>
  invokeUrl("trade.execution.notarize", { txHash, ...(guardInvocationId && { guardInvocationId }) });
const dollars = (to: string, amount: bigint) => ({
  to: service.chainOf.contracts.stablecoin.toLowerCase() as Hex,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to as Hex, amount] }),
});

async function sendSigned(from: PrivateKeyAccount, call: { to: Hex; data: Hex }): Promise<Hex> {
  const { request } = service.chainOf;
  const nonce = Number(await request<Hex>("eth_getTransactionCount", [from.address, "latest"]));
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
  const raw = await from.signTransaction({
    chainId: 8453,
    type: "eip1559",
    nonce,
    gas: 200_000n,
    ...fees,
    ...call,
  });
  const hash = await request<Hex>("eth_sendRawTransaction", [raw]);
  // The process learns of a new block a moment after the chain has it.
  const receipt = await request<{ blockNumber: Hex }>("eth_getTransactionReceipt", [hash]);
  await until(
    async () =>
      (await service.context.chain.latestBlock()).number >= Number(receipt.blockNumber) || undefined,
  );
  return hash;
}

/** The refusal of a payment. The chain must show that nothing was charged. */
async function refusal(url: string, account = alice()): Promise<{ status: number; problem: Problem }> {
  const before = await balanceOf(service, account.address);
  const { response } = await pay(url, account);
  expect(await balanceOf(service, account.address)).toBe(before);
  return { status: response.status, problem: (await response.json()) as Problem };
}

/** Asks a guard about a call by alice, who pays for it. */
const guardCall = (call: { to: Hex; data: Hex }) =>
  buy(invokeUrl("transaction.intent.guard"), "alice", asPost({ from: alice().address, ...call, value: "0" }));

describe("a paid notarization", () => {
  test("is sold once at the full price, then shared, and a stranger reaches the same verdict", async () => {
    const txHash = await sendSigned(alice(), dollars(bob().address, 5n));
    const url = notarizeUrl(txHash);
    expect(await priceNow(url)).toBe(50_000n);
    const before = await balanceOf(service, alice().address);
    const first = await buy(url);
    expect(before - (await balanceOf(service, alice().address))).toBe(50_000n);
    expect(first).toMatchObject({
      capabilityId: "trade.execution.notarize",
      verdict: "allow",
      pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.05 },
      result: {
        reasonCodes: ["EXECUTION_PROVEN", "TRANSACTION_SUCCEEDED", "FINALIZED", "REALISED_CONFIRMED"],
      },
    });
    await until(async () => (await priceNow(url)) === 10_000n || undefined);
    const bobs = await balanceOf(service, bob().address);
    const second = await buy(url, "bob");
    expect(bobs - (await balanceOf(service, bob().address))).toBe(10_000n);
    expect(second.evidenceReference.artifactId).toBe(first.evidenceReference.artifactId);

    await expectSameVerdict(first);
  }, 60_000);

  test("works through a quote", async () => {
    const txHash = await sendSigned(bob(), dollars(alice().address, 6n));
    const response = await fetch(service.quoteUrl("trade.execution.notarize", alice().address, { txHash }));
    expect(response.status).toBe(200);
    const quote = (await response.json()) as { invokeUrl: string; listPriceUsd: number };
    expect(quote.listPriceUsd).toBe(0.05);
    expect(await buy(quote.invokeUrl)).toMatchObject({ verdict: "allow" });
  }, 60_000);

  test("of a hash that nobody mined is an uncharged 404 that may be asked again", async () => {
    const { status, problem } = await refusal(notarizeUrl(`0x${"ab".repeat(32)}`));
    expect([status, problem.code]).toEqual([404, "transaction_not_mined"]);
  }, 60_000);

  test.each([
    ["txHash=0x12", "txHash"],
    [`txHash=0x${"a".repeat(64)}&guardInvocationId=inv_1`, "guardInvocationId"],
    [`guardInvocationId=inv_${"a".repeat(32)}`, "txHash"],
  ])("asked with %s is refused before anybody pays, naming %s", async (query, field) => {
    const response = await fetch(`${invokeUrl("trade.execution.notarize")}?${query}`);
    const problem = (await response.json()) as Problem;
    expect([response.status, problem.code]).toEqual([400, "invalid_input"]);
    expect(problem.errors?.map((error) => error.field)).toContain(field);
  });
});

describe("a cited guard", () => {
  test("that was asked about this very transaction is matched, and its answer stays private", async () => {
    const call = dollars(bob().address, 11n);
    const guarded = await guardCall(call);
    // Blocks are stamped in whole seconds, and a guard of the same second is not known to have come before.
    await service.chainOf.request("evm_setNextBlockTimestamp", [Math.floor(Date.now() / 1_000) + 1]);
    const txHash = await sendSigned(alice(), call);
    const answer = await buy(notarizeUrl(txHash, guarded.invocationId));
    expect(answer.verdict).toBe("allow");
    expect(answer.result.reasonCodes).toContain("GUARD_MATCHED");
    const { findings, readings } = answer.result.evidence as {
      findings: { guard: { receiptUrl: string } };
      readings: { guard: object };
    };
    expect(findings.guard).toMatchObject({
      invocationId: guarded.invocationId,
      capabilityId: "transaction.intent.guard",
      matches: true,
      isInTime: true,
      resultHash: guarded.evidenceReference.resultHash,
    });
    // The hash of the guarded input follows from the mined transaction; the answer shows nothing else of the guard's call.
    expect(readings.guard).toMatchObject({ inputHash: guarded.evidenceReference.inputHash });
    expect(JSON.stringify(answer)).not.toContain(guarded.result.summary);
    const receipt = await fetch(findings.guard.receiptUrl);
    expect(await receipt.json()).toMatchObject({
      state: "settled",
      resultHash: guarded.evidenceReference.resultHash,
    });
  }, 60_000);

  test("that was asked about another transaction is said to be, and no more", async () => {
    const guarded = await guardCall(dollars(bob().address, 12n));
    const txHash = await sendSigned(alice(), dollars(bob().address, 13n));
    const answer = await buy(notarizeUrl(txHash, guarded.invocationId));
    expect(answer.verdict).toBe("review");
    expect(answer.result.reasonCodes).toContain("GUARD_OTHER_TRANSACTION");
    expect(JSON.stringify(answer)).not.toContain(guarded.evidenceReference.inputHash);
  }, 60_000);

  test("whose answer had ended when the transaction was mined is outdated", async () => {
    const call = dollars(bob().address, 14n);
    const guarded = await guardCall(call);
    await service.db.query({
      text: "UPDATE invocations SET created_at = created_at - interval '1 minute' WHERE invocation_id = $1",
      values: [guarded.invocationId],
    });
    const txHash = await sendSigned(alice(), call);
    const answer = await buy(notarizeUrl(txHash, guarded.invocationId));
    expect(answer.verdict).toBe("review");
    expect(answer.result.reasonCodes).toEqual(expect.arrayContaining(["GUARD_MATCHED", "GUARD_OUTDATED"]));
  }, 60_000);

  test.each([
    ["later", "created_at"],
    ["in the same second", "to_timestamp($3::double precision) + interval '300 milliseconds'"],
  ])(
    "that was bought %s than the transaction was mined is not in time, however far the height known lagged",
    async (_, at) => {
      const call = dollars(bob().address, at === "created_at" ? 16n : 17n);
      const txHash = await sendSigned(alice(), call);
      const { request } = service.chainOf;
      const { blockNumber } = await request<{ blockNumber: Hex }>("eth_getTransactionReceipt", [txHash]);
      const { timestamp } = await request<{ timestamp: Hex }>("eth_getBlockByNumber", [blockNumber, false]);
      // Blocks mined in quick succession are stamped ahead of the clock.
      await until(async () => Date.now() > (Number(timestamp) + 1) * 1_000 || undefined);
      const guarded = await guardCall(call);
      await service.db.query({
        text: `UPDATE invocations SET reserved_at_block = $2, created_at = ${at}
             WHERE invocation_id = $1 AND $3::double precision > 0`,
        values: [guarded.invocationId, Number(blockNumber) - 1, Number(timestamp)],
      });
      const answer = await buy(notarizeUrl(txHash, guarded.invocationId));
      expect(answer.verdict).toBe("review");
      expect(answer.result.reasonCodes).toEqual(expect.arrayContaining(["GUARD_MATCHED", "GUARD_OUTDATED"]));
      expect(answer.result.evidence.findings).toMatchObject({ guard: { isInTime: false } });
    },
    60_000,
  );

  test("that is another wallet's, unknown, no guard or not settled is refused without a charge", async () => {
    const call = dollars(bob().address, 15n);
    const guarded = await guardCall(call);
    const txHash = await sendSigned(alice(), call);
    // Another wallet must not learn what the guard was asked about.
    const foreign = await refusal(notarizeUrl(txHash, guarded.invocationId), bob());
    expect([foreign.status, foreign.problem.code]).toEqual([403, "foreign_invocation"]);
    const unknown = await refusal(notarizeUrl(txHash, `inv_${"0".repeat(32)}`));
    expect([unknown.status, unknown.problem.code]).toEqual([404, "not_found"]);
    const snapshot = await buy(invokeUrl("chain.snapshot"));
    const noGuard = await refusal(notarizeUrl(txHash, snapshot.invocationId));
    expect([noGuard.status, noGuard.problem.code]).toEqual([400, "invalid_input"]);
    expect(noGuard.problem.errors).toMatchObject([{ field: "guardInvocationId" }]);
    await service.db.query({
      text: "UPDATE invocations SET state = 'void' WHERE invocation_id = $1",
      values: [guarded.invocationId],
    });
    const unsettled = await refusal(notarizeUrl(txHash, guarded.invocationId));
    expect([unsettled.status, unsettled.problem.code]).toEqual([409, "invocation_not_settled"]);
  }, 60_000);
});
