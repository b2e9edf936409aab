import type { Receipt } from "@assay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { confirmSettlements } from "../../src/payments/confirmSettlements.js";
import { changePayTo, verifyPayTo } from "../../src/start/verifyChainIdentity.js";
import { accountOf, pay } from "../payer.js";
import { useTestService } from "../useTestService.js";

// A reorganisation takes back what was paid, after the answer was given out.
const service = useTestService();

/** Pays for an answer in a block that is then undone, and mines other blocks in its place. */
async function buyAndUndo() {
  const { chainOf } = service;
  const snapshot = await chainOf.snapshot();
  const { invocationId } = await service.buy(service.invokeUrl("chain.snapshot", {}), "bob");
  await chainOf.revert(snapshot);
  await chainOf.mine(5);
  return invocationId;
}
const getReceipt = async (id: string) =>
  (await (await fetch(`${service.url}/api/v1/receipts/${id}`)).json()) as Receipt;
/** As long after the settlement as its block needs to be final. */
async function confirmWhenFinal() {
  const head = await service.context.chain.latestBlock();
  const later = { ...head, timestamp: Math.ceil(Date.now() / 1000) + 60 };
  const spy = vi.spyOn(service.context.chain, "findFinalizedBlock").mockResolvedValue(later);
  onTestFinished(() => spy.mockRestore());
  await service.db.query({ text: "UPDATE unfinal_settlements SET next_check = now()" });
  await confirmSettlements(service.context, 10);
}
const reorgLeaves = async () =>
  (
    await service.db.query<{ leaf: Buffer }>({
      text: "SELECT leaf FROM log_leaves WHERE kind = 'reorg' ORDER BY leaf_index",
    })
  ).map(({ leaf }) => JSON.parse(leaf.toString()));
const countUnfinal = async () =>
  (await service.db.query({ text: "SELECT 1 FROM unfinal_settlements" })).length;

test("a settlement that stands when its block is final is forgotten", async () => {
  const { response } = await pay(service.invokeUrl("chain.snapshot", {}), accountOf(service, "bob"));
  const { invocationId } = (await response.json()) as { invocationId: string };
  await confirmWhenFinal();
  expect(await countUnfinal()).toBe(0);
  expect(await getReceipt(invocationId)).toMatchObject({ state: "settled", charged: true });
});

test("one that a reorganisation undid is delivered again while it is valid, and the log says so", async () => {
  const invocationId = await buyAndUndo();
  const { payment } = await getReceipt(invocationId);
  await confirmWhenFinal();
  const receipt = await getReceipt(invocationId);
  expect(receipt).toMatchObject({ state: "settled", charged: true });
  expect(receipt.payment.redeliveredBy).toMatch(/^0x[0-9a-f]{64}$/);
  const { transaction } = payment;
  const replacement = receipt.payment.redeliveredBy;
  expect(await reorgLeaves()).toEqual([{ kind: "reorg", invocationId, transaction, replacement }]);
  await confirmWhenFinal();
  expect(await countUnfinal()).toBe(0);
});

test("one that is undone and can no longer be delivered is reorged in receipt, log and metrics", async () => {
  const invocationId = await buyAndUndo();
  await service.db.query({
    text: "UPDATE invocations SET valid_before = 1 WHERE invocation_id = $1",
    values: [invocationId],
  });
  await confirmWhenFinal();
  expect(await getReceipt(invocationId)).toMatchObject({ state: "reorged", charged: false });
  expect((await reorgLeaves()).at(-1)).toMatchObject({ invocationId, replacement: null });
  expect(await service.context.metrics.registry.metrics()).toContain(
    'assay_undone_settlements_total{outcome="reorged"} 1',
  );
  expect(await countUnfinal()).toBe(0);
});

test("one whose batch was mined once more without it is reorged too, although the transaction is there", async () => {
  const invocationId = await buyAndUndo();
  const { payment } = await getReceipt(invocationId);
  const { chain } = service.context;
  const request = chain.request.bind(chain);
  const spy = vi
    .spyOn(chain, "request")
    .mockImplementation(((method: string, params: readonly unknown[]) =>
      method === "eth_getTransactionReceipt" && params[0] === payment.transaction
        ? Promise.resolve({ status: "0x1", blockNumber: "0x1", logs: [] })
        : request(method, params)) as typeof request);
  onTestFinished(() => spy.mockRestore());
  await service.db.query({
    text: "UPDATE invocations SET valid_before = 1 WHERE invocation_id = $1",
    values: [invocationId],
  });
  await confirmWhenFinal();
  expect(await getReceipt(invocationId)).toMatchObject({ state: "reorged", charged: false });
});

test("one account takes the payments of a database; it changes only when nothing is open", async () => {
  const { payTo } = service.context.settings;
  const other = `0x${"11".repeat(20)}` as const;
  await verifyPayTo(service.db, payTo);
  await expect(verifyPayTo(service.db, other)).rejects.toThrow(/^PAY_TO is 0x1111.* go to 0x/);
  await changePayTo(service.db, other);
  await verifyPayTo(service.db, other);
});
