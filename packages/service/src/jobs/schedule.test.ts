import { until } from "@assay/chain/testing/until";
import { capabilityResultSchema, type Quote } from "@assay/protocol";
import { expect, test, vi } from "vitest";
import { accountOf, balanceOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { getBalance, issueMove, moveCredits } from "../credits/ledger.js";
import type { VerifyOutcome } from "../payments/facilitator.js";
import { findQuote } from "../quotes/quotes.js";

const service = useTestService();

interface Row {
  state: string;
  invocation_id: string;
  credit_hold: string | null;
}
const readInvocation = async (quoteId: string) => {
  const [row] = await service.db.query<Row>({
    text: "SELECT state, invocation_id, credit_hold FROM invocations WHERE quote_id = $1",
    values: [quoteId],
  });
  return row;
};

test("a call left reserved by a process that went away is voided; quote and credit return, and the same payment works again", async () => {
  const name = "alice";
  const payer = accountOf(service, name);
  const wallet = payer.address.toLowerCase();
  await service.db.transaction((tx) => moveCredits(tx, [issueMove(wallet, "review", name, 40_000n)]));
  const address = service.chainOf.contracts.plainToken;
  const query = new URLSearchParams({ capability: "contract.guard", address, wallet });
  const quote = (await (await fetch(`${service.url}/api/v1/quotes?${query}`)).json()) as Quote;
  expect(quote.priceUsd).toBe(0.06);
  const payment = await signPayment(payer, await fetchChallenge(quote.invokeUrl));
  const before = await balanceOf(service, payer.address);

  // The process stands still while it holds the reservation.
  let goOn: (outcome: VerifyOutcome) => void = () => undefined;
  const hung = new Promise<VerifyOutcome>((resolve) => {
    goOn = resolve;
  });
  vi.spyOn(service.context.facilitator, "verify").mockImplementationOnce(() => hung);
  const abandoned = send(quote.invokeUrl, payment);
  const held = await until(() => readInvocation(quote.quoteId));
  expect(held.credit_hold).not.toBeNull();
  expect(await getBalance(service.db, `wallet:${wallet}`)).toBe(0n);
  expect((await findQuote(service.db, quote.quoteId))?.invocationId).toBe(held.invocation_id);

  // Control: while the lease runs, nobody takes the call away.
  await new Promise((resume) => setTimeout(resume, 1_500));
  expect((await readInvocation(quote.quoteId))?.state).toBe("reserved");

  await service.db.query({
    text: "UPDATE invocations SET lease_until = now() - interval '1 second' WHERE quote_id = $1",
    values: [quote.quoteId],
  });
  const voided = await until(async () => {
    const row = await readInvocation(quote.quoteId);
    return row?.state === "void" ? row : undefined;
  });
  expect(voided.credit_hold).toBeNull();
  expect(await getBalance(service.db, `wallet:${wallet}`)).toBe(40_000n);
  expect((await findQuote(service.db, quote.quoteId))?.invocationId).toBeNull();

  // The process comes back to life: its attempt is over, so it neither charges nor answers.
  goOn({ status: "valid" });
  expect((await abandoned).status).toBe(503);
  expect(await balanceOf(service, payer.address)).toBe(before);

  const response = await send(quote.invokeUrl, payment);
  expect(response.status).toBe(200);
  expect(capabilityResultSchema.parse(await response.json()).pricing).toMatchObject({
    creditAppliedUsd: 0.04,
    pricePaidUsd: 0.06,
  });
  expect(before - (await balanceOf(service, payer.address))).toBe(60_000n);
  expect(await getBalance(service.db, `wallet:${wallet}`)).toBe(0n);
  expect(await readInvocation(quote.quoteId)).toMatchObject({ state: "settled" });
});

test("a job that fails is tried again at its next turn", async () => {
  const query = vi.spyOn(service.context.database, "query");
  query.mockRejectedValueOnce(new Error("the database blinked"));
  await until(async () => (query.mock.calls.length > 2 ? true : undefined));
  query.mockRestore();
  expect((await fetch(`${service.url}/api/v1/health`)).status).toBe(200);
});
