import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { until } from "@assay/chain/testing/until";
import type { Hex } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { encodeTicket, findTicket } from "../src/quotes/ticket.js";
import { balanceOf, fetchChallenge } from "../test/payer.js";
import { type HostileWorld, openHostileWorld } from "./hostileWorld.js";
import { attempt, createPayer, fetchQuote, guardPath, type PaidCall, signCall } from "./paidCalls.js";

// A remote facilitator has the payment as soon as it is asked to verify it. Its answer is lost, and the offer ends meanwhile.
let world: HostileWorld;
beforeAll(async () => {
  world = await openHostileWorld({ postgresUrl: inject("postgresUrl"), through: "facilitator" });
});
afterAll(() => world?.close());

const payer = (name: string) =>
  createPayer(world.devnet.accounts.find((account) => account.name === name)?.privateKey as Hex);
const sightOf = async (call: PaidCall) => {
  const { status, code } = await attempt(world.url, call);
  return `${status} ${code}`.trim();
};

/** Signed under a ticket, and how that ticket ends. */
async function signUnderTicket(address: string) {
  const path = guardPath(address);
  const challenge = await fetchChallenge(world.url + path);
  const [offer] = challenge.accepts;
  const { ticketSecret } = world.context.settings;
  const ticket = findTicket(ticketSecret, String(offer?.extra.ticket));
  if (!offer || !ticket) throw new Error("nothing is offered");
  const expiresAtMs = Date.now() + 2_000;
  const extra = { ...offer.extra, ticket: encodeTicket(ticketSecret, { ...ticket, expiresAtMs }) };
  const call = await signCall(payer("alice"), path, { ...challenge, accepts: [{ ...offer, extra }] });
  return { call, end: () => until(async () => Date.now() > expiresAtMs || undefined) };
}

async function signUnderQuote(address: string) {
  const wallet = payer("bob");
  const { quote, path } = await fetchQuote(
    world.url,
    { capability: "contract.guard", address },
    wallet.address,
  );
  const call = await signCall(wallet, path, await fetchChallenge(world.url + path));
  const end = () =>
    world.db.query({
      text: "UPDATE quotes SET expires_at = now() - interval '1 second' WHERE quote_id = $1",
      values: [quote.quoteId],
    });
  return { call, end };
}

/** The payment as the service leaves it after a facilitator that does not answer. */
async function loseVerification(
  { call, end }: Awaited<ReturnType<typeof signUnderQuote | typeof signUnderTicket>>,
  moves: "before" | "never",
): Promise<void> {
  const choose = createSeededChoices(1);
  world.facilitator.script(call.payment, { behaviour: "reset", at: "verify", moves, times: 1, choose });
  expect(await sightOf(call)).toBe("503 facilitator_unavailable");
  await end();
}

describe.each([
  { offer: "ticket", sign: signUnderTicket },
  { offer: "quote", sign: signUnderQuote },
])("a payment whose verification was lost, and whose $offer has ended since", ({ offer, sign }) => {
  test("is answered once the facilitator has delivered it, and charged once", async () => {
    const signed = await sign(world.devnet.contracts.plainToken);
    const from = signed.call.payer.address;
    const before = await balanceOf({ chainOf: world.devnet }, from);
    await loseVerification(signed, "before");
    expect(await sightOf(signed.call)).toBe("200");
    const { amount } = signed.call.payment.accepted;
    expect(await balanceOf({ chainOf: world.devnet }, from)).toBe(before - BigInt(amount));
  });

  test("is not refused while the facilitator may still deliver it, and refused once it has expired", async () => {
    const signed = await sign(world.devnet.contracts.upgradeableProxy);
    await loseVerification(signed, "never");
    // A 402 would make its client sign another payment.
    expect(await sightOf(signed.call)).toBe("503 payment_outcome_unknown");
    await world.db.query({
      text: "UPDATE invocations SET valid_before = 1 WHERE authorization_nonce = $1",
      values: [signed.call.payment.payload.authorization.nonce],
    });
    expect(await sightOf(signed.call)).toBe(`402 ${offer}_expired`);
  });
});
