import { until } from "@assay/chain/testing/until";
import type { Hex } from "@assay/protocol";
import { expect, test, vi } from "vitest";
import { getBalance, issueMove, moveCredits } from "../src/credits/ledger.js";
import type { VerifyOutcome } from "../src/payments/facilitator.js";
import { fetchChallenge, pay, toHeader } from "../test/payer.js";
import { useTestService } from "../test/useTestService.js";
import { auditBooks } from "./auditBooks.js";
import { attempt, attemptUntilFinal, createPayer, fetchQuote, guardPath, signCall } from "./paidCalls.js";

const service = useTestService();
const keyOf = (name: string): Hex =>
  service.chainOf.accounts.find((account) => account.name === name)?.privateKey ?? "0x";

/**
 * A quote with credit and a ticket may ask the same amount for the same input, so one signed
 * authorization fits both. A call left by a dead process under one of them and retried under the other
 * stays under the one whose quote and credit it holds.
 */
test.each([
  ["quote first", "alice", "bob", "plainToken"],
  ["ticket first", "carol", "dave", "erc721"],
] as const)(
  "a retry under another offer, %s, keeps the books",
  async (order, payerName, otherName, contract) => {
    const payer = createPayer(keyOf(payerName));
    const other = createPayer(keyOf(otherName));
    const wallet = payer.address.toLowerCase();
    const address = service.chainOf.contracts[contract];
    await service.db.transaction((tx) => moveCredits(tx, [issueMove(wallet, "review", order, 80_000n)]));

    // 0.10 minus 0.08 of credit on the quote; 0.02 on the ticket once somebody else has paid for the answer.
    const { path } = await fetchQuote(service.url, { capability: "contract.guard", address }, wallet);
    const quoted = await signCall(payer, path, await fetchChallenge(service.url + path));
    expect((await pay(service.url + guardPath(address), other)).response.status).toBe(200);
    const ticket = await until(async () => {
      const [offer] = (await fetchChallenge(service.url + guardPath(address))).accepts;
      return offer?.amount === quoted.payment.accepted.amount ? offer : undefined;
    });
    const ticketed = {
      ...quoted,
      header: toHeader({ ...quoted.payment, accepted: ticket }),
    };
    const [first, second] = order === "quote first" ? [quoted, ticketed] : [ticketed, quoted];

    let goOn: (outcome: VerifyOutcome) => void = () => undefined;
    vi.spyOn(service.context.facilitator, "verify").mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          goOn = resolve;
        }),
    );
    const abandoned = attempt(service.url, first);
    await until(async () => {
      const rows = await service.db.query({ text: "SELECT 1 FROM invocations WHERE state = 'reserved'" });
      return rows[0];
    });
    await service.db.query({
      text: "UPDATE invocations SET lease_until = now() - interval '1 second' WHERE state = 'reserved'",
    });
    const codes: string[] = [];
    const sight = await attemptUntilFinal(service.url, second, ({ code }) => codes.push(code), 10_000, 100);
    goOn({ status: "valid" });
    await abandoned;
    expect(codes).not.toContain("internal_error");
    expect(sight.status).toBe(200);
    const { violations } = await auditBooks(service.db, service.chainOf);
    expect(violations).toEqual([]);
    expect(await getBalance(service.db, `wallet:${wallet}`)).toBe(order === "quote first" ? 0n : 80_000n);
  },
);
