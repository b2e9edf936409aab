import { problemSchema } from "@assay/protocol";
import { expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { deletePrivateAnswers } from "./storedResponses.js";

const service = useTestService();

/** Buys evidence.artifact, which is private, about a guard that somebody bought. */
async function buyPrivate(payer: string, contract: "plainToken" | "taxedToken") {
  const address = service.chainOf.contracts[contract];
  const guard = await service.buy(service.invokeUrl("contract.guard", { address }), "carol");
  const { artifactId } = guard.evidenceReference;
  const url = service.invokeUrl("evidence.artifact", { artifactId });
  const payment = await signPayment(accountOf(service, payer), await fetchChallenge(url));
  const response = await send(url, payment);
  expect(response.status).toBe(200);
  const text = await response.text();
  return { url, payment, text, invocationId: (JSON.parse(text) as { invocationId: string }).invocationId };
}

async function readStored(invocationId: string) {
  const [row] = await service.db.query<{ body: Buffer | null; is_sealed: boolean }>({
    text: "SELECT body, is_sealed FROM responses WHERE invocation_id = $1",
    values: [invocationId],
  });
  return row;
}

test("a private answer is stored sealed, and the same payment gets it again byte for byte", async () => {
  const { url, payment, text, invocationId } = await buyPrivate("alice", "plainToken");
  const stored = await readStored(invocationId);
  expect(stored?.is_sealed).toBe(true);
  expect(stored?.body?.includes("verdict")).toBe(false);
  const again = await send(url, payment);
  expect(again.status).toBe(200);
  expect(await again.text()).toBe(text);
});

test("an hour after settlement it is gone: 410 with the receipt, and nothing is charged again", async () => {
  const { url, payment, invocationId } = await buyPrivate("bob", "taxedToken");
  await deletePrivateAnswers(service.db);
  expect((await readStored(invocationId))?.body).not.toBeNull();
  await service.db.query({
    text: "UPDATE invocations SET settled_at = now() - interval '61 minutes' WHERE invocation_id = $1",
    values: [invocationId],
  });
  await deletePrivateAnswers(service.db);
  expect((await readStored(invocationId))?.body).toBeNull();
  const before = await balanceOf(service, accountOf(service, "bob").address);
  const response = await send(url, payment);
  expect(response.status).toBe(410);
  const problem = problemSchema.parse(await response.json());
  expect(problem.code).toBe("answer_deleted");
  expect(problem.detail).toContain(`/api/v1/receipts/${invocationId}`);
  expect(await balanceOf(service, accountOf(service, "bob").address)).toBe(before);
});

test("a shared answer is stored as it is and is not deleted", async () => {
  const { invocationId } = await service.buy(service.invokeUrl("chain.snapshot"));
  await service.db.query({
    text: "UPDATE invocations SET settled_at = now() - interval '61 minutes' WHERE invocation_id = $1",
    values: [invocationId],
  });
  await deletePrivateAnswers(service.db);
  const stored = await readStored(invocationId);
  expect(stored?.is_sealed).toBe(false);
  expect(stored?.body?.includes("verdict")).toBe(true);
});
