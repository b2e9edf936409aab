import {
  type EvidenceArtifactReadings,
  evidenceArtifactReadingsSchema,
} from "@assay/capabilities/evidence.artifact/readings";
import { until } from "@assay/chain/testing/until";
import {
  artifactIdOf,
  type CapabilityResult,
  canonicalJson,
  NETWORK,
  paymentRequiredSchema,
  problemSchema,
  quoteSchema,
  resultHashOf,
} from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { balanceOf, fetchChallenge, send, signPayment } from "../payer.js";
import { type Query, useTestService } from "../useTestService.js";

let aheadMs = 0;
beforeAll(() => {
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + aheadMs);
});
afterAll(() => vi.restoreAllMocks());
const service = useTestService({ RATE_LIMITS: "off" });
const { invokeUrl, priceNow, buy } = service;

const artifactUrl = (artifactId: string) => invokeUrl("evidence.artifact", { artifactId });
const unknownId = `sha256:${"0".repeat(64)}`;

/** A shared artifact of this capability, bought by somebody. */
async function seed(capability: string, query: Query = {}): Promise<CapabilityResult> {
  const result = await buy(invokeUrl(capability, query), "carol");
  expect(result.evidenceReference.shareable).toBe(true);
  return result;
}
const seedGuard = () => seed("contract.guard", { address: service.chainOf.contracts.plainToken });

async function setWindow(artifactId: string, change: string): Promise<void> {
  await service.db.query({
    text: `UPDATE artifacts SET ${change} WHERE artifact_id = $1`,
    values: [artifactId],
  });
}
const keepLive = (artifactId: string) =>
  setWindow(artifactId, "fresh_until = now() + interval '1 hour', valid_until_block = 1000000000");

/** Buys it, and says what left the buyer's wallet, in micro-USD. */
async function buyCounted(url: string): Promise<{ result: CapabilityResult; paid: bigint }> {
  const { address } = service.account("bob");
  const before = await balanceOf(service, address);
  const result = await buy(url, "bob");
  return { result, paid: before - (await balanceOf(service, address)) };
}

const quote = (artifactId: string) =>
  fetch(service.quoteUrl("evidence.artifact", service.account("bob").address, { artifactId }));

async function countRows(table: string): Promise<number> {
  const [row] = await service.db.query<{ n: bigint }>({ text: `SELECT count(*) n FROM ${table}` });
  return Number(row?.n);
}

describe("a live artifact", () => {
  test("costs the floor price and gives its provenance, without what was sold", async () => {
    const sold = await seedGuard();
    const { artifactId, inputHash, resultHash } = sold.evidenceReference;
    await keepLive(artifactId);
    expect(quoteSchema.parse(await (await quote(artifactId)).json())).toMatchObject({
      cacheStatus: "hit",
      priceUsd: 0.01,
    });
    const { result, paid } = await buyCounted(artifactUrl(artifactId));
    expect(paid).toBe(10_000n);
    expect(result.pricing).toMatchObject({
      quotedCacheStatus: "hit",
      actualCacheStatus: "hit",
      pricePaidUsd: 0.01,
    });
    expect(result).toMatchObject({
      verdict: "allow",
      result: {
        reasonCodes: ["ARTIFACT_LIVE"],
        evidence: {
          readings: { source: { artifactId, inputHash, resultHash, capabilityId: "contract.guard" } },
          findings: {
            state: "live",
            source: { capabilityId: "contract.guard", capabilityVersion: "1.0.0" },
            input: { address: service.chainOf.contracts.plainToken.toLowerCase() },
          },
        },
      },
      evidenceReference: { shareable: false },
    });
    expect(result.result).not.toHaveProperty("refreshed");
    const text = JSON.stringify(result);
    expect(text).toContain("result.evidence.readings.code");
    const { readings } = sold.result.evidence as { readings: { code: { value: { codeHash: string } } } };
    for (const secret of [readings.code.value.codeHash, sold.invocationId, "CODE_PRESENT"])
      expect(text).not.toContain(secret);
    for (const payer of ["carol", "bob"])
      expect(text.toLowerCase()).not.toContain(service.account(payer).address.toLowerCase());
  });

  test("a sold envelope is private and becomes no shared artifact", async () => {
    const { artifactId } = (await seedGuard()).evidenceReference;
    await keepLive(artifactId);
    const shared = await countRows("artifacts");
    const envelope = await buy(artifactUrl(artifactId));
    expect(await countRows("artifacts")).toBe(shared);
    const rows = await service.db.query({
      text: "SELECT FROM artifacts WHERE artifact_id = $1",
      values: [envelope.evidenceReference.artifactId],
    });
    expect(rows).toEqual([]);
  });
});

describe("an expired artifact", () => {
  test("costs no more than its source does now: partial while the code is known, hit while another answer is fresh", async () => {
    const query = { address: service.chainOf.contracts.taxedToken };
    const { artifactId } = (await seed("token.metadata", query)).evidenceReference;
    await setWindow(artifactId, "fresh_until = now()");
    const quotedNow = async () => quoteSchema.parse(await (await quote(artifactId)).json()).priceUsd;
    expect(await quotedNow()).toBe(0.02);
    const newer = await seed("token.metadata", query);
    expect(newer.evidenceReference.artifactId).not.toBe(artifactId);
    await keepLive(newer.evidenceReference.artifactId);
    expect(await quotedNow()).toBe(0.01);
  });

  test.each([
    ["by the clock", "fresh_until = now()"],
    ["by block", "valid_until_block = block_number"],
  ])("%s is answered anew, and costs the refresh price", async (_name, change) => {
    const sold = await seedGuard();
    const { artifactId } = sold.evidenceReference;
    await keepLive(artifactId);
    await setWindow(artifactId, change);
    const headBlock = () => service.context.chain.findHead()?.header.number ?? 0;
    await until(async () => headBlock() > sold.result.computedAtBlock || undefined);
    expect(quoteSchema.parse(await (await quote(artifactId)).json())).toMatchObject({
      cacheStatus: "miss",
      priceUsd: 0.03,
    });
    const { result, paid } = await buyCounted(artifactUrl(artifactId));
    expect(paid).toBe(30_000n);
    expect(result.pricing).toMatchObject({
      quotedCacheStatus: "miss",
      actualCacheStatus: "miss",
      pricePaidUsd: 0.03,
    });
    expect(result.result.refreshed).toMatchObject({
      capabilityId: "contract.guard",
      capabilityVersion: "1.0.0",
      verdict: sold.verdict,
      result: {
        computedAtBlock: result.result.computedAtBlock,
        reasonCodes: sold.result.reasonCodes,
        evidence: { input: sold.result.evidence.input },
      },
    });
    expect(result.verdict).toBe(sold.verdict);
    expect(result.result.reasonCodes).toEqual(["ARTIFACT_REFRESHED", ...sold.result.reasonCodes]);
    expect(result.result.computedAtBlock).toBeGreaterThan(sold.result.computedAtBlock);
  });

  test("its new answer ends by its own window and is tied to the readings by its hashes", async () => {
    const { artifactId } = (await seedGuard()).evidenceReference;
    await setWindow(artifactId, "fresh_until = now()");
    const result = await buy(artifactUrl(artifactId));
    const readings = evidenceArtifactReadingsSchema.parse(result.result.evidence.readings);
    const refreshed = result.result.refreshed as unknown as {
      capabilityId: string;
      capabilityVersion: string;
      artifactId: string;
      verdict: "allow";
      result: CapabilityResult["result"];
      validUntil: { block: number; time: string };
    };
    expect(refreshed.validUntil.block).toBe(refreshed.result.validUntilBlock);
    expect(refreshed.validUntil.block).toBeLessThan(result.result.validUntilBlock);
    const lifeMs = Date.parse(refreshed.validUntil.time) - Date.now();
    expect(lifeMs).toBeGreaterThan(0);
    expect(lifeMs).toBeLessThan(10_001);
    expect(readings.refreshed?.resultHash).toBe(resultHashOf(refreshed.verdict, refreshed.result));
    const { block, input, readings: again } = refreshed.result.evidence;
    expect(refreshed.artifactId).toBe(
      artifactIdOf({
        capabilityId: refreshed.capabilityId,
        capabilityVersion: refreshed.capabilityVersion,
        network: NETWORK,
        input: input as never,
        readings: again as never,
        verdict: refreshed.verdict,
        block: block as never,
        validUntilBlock: refreshed.validUntil.block,
      }),
    );
    await expectSameVerdict(result);
  });

  test.each([
    ["chain.snapshot", () => ({}), 5_000n],
    ["contract.change", () => ({ address: service.chainOf.contracts.plainToken }), 20_000n],
  ])("never costs more than %s itself does", async (capability, query, price) => {
    const { artifactId } = (await seed(capability, query())).evidenceReference;
    await setWindow(artifactId, "fresh_until = now()");
    const { result, paid } = await buyCounted(artifactUrl(artifactId));
    expect(paid).toBe(price);
    expect(result.pricing).toMatchObject({ actualCacheStatus: "miss", listPriceUsd: Number(price) / 1e6 });
    expect(result.result.refreshed).toMatchObject({ capabilityId: capability });
  });

  test("the new answer is for its buyer: nothing is shared by it", async () => {
    const { artifactId } = (await seed("chain.snapshot")).evidenceReference;
    await setWindow(artifactId, "fresh_until = now()");
    const shared = await countRows("artifacts");
    await buy(artifactUrl(artifactId));
    expect(await countRows("artifacts")).toBe(shared);
  });

  test("of a capability no longer sold costs the floor and is for review", async () => {
    const { artifactId } = (await seed("chain.snapshot")).evidenceReference;
    await setWindow(artifactId, "fresh_until = now(), capability_id = 'chain.weather'");
    const { result, paid } = await buyCounted(artifactUrl(artifactId));
    expect(paid).toBe(10_000n);
    expect(result).toMatchObject({
      verdict: "review",
      result: { reasonCodes: ["ARTIFACT_EXPIRED"] },
      pricing: { quotedCacheStatus: "hit", actualCacheStatus: "hit" },
    });
  });
});

describe("the price follows the artifact", () => {
  test("an unpaid call names the price of the moment, not one made earlier", async () => {
    const { artifactId } = (await seedGuard()).evidenceReference;
    const url = artifactUrl(artifactId);
    await keepLive(artifactId);
    expect(await priceNow(url)).toBe(10_000n);
    expect(await priceNow(url)).toBe(10_000n);
    await setWindow(artifactId, "fresh_until = now()");
    expect(await priceNow(url)).toBe(30_000n);
  });

  test.each([
    ["by the clock", "fresh_until = now()"],
    ["by block", "valid_until_block = block_number - 1, block_number = block_number - 2"],
  ])("the price of a live artifact ends with it, %s, and nothing is charged", async (_name, change) => {
    const { artifactId } = (await seedGuard()).evidenceReference;
    const url = artifactUrl(artifactId);
    await keepLive(artifactId);
    const alice = service.account("alice");
    const payment = await signPayment(alice, await fetchChallenge(url));
    await setWindow(artifactId, change);
    const before = await balanceOf(service, alice.address);
    const refused = await send(url, payment);
    expect([refused.status, paymentRequiredSchema.parse(await refused.json())]).toMatchObject([
      402,
      { error: "ticket_expired", accepts: [{ amount: "30000" }, { amount: "30000" }] },
    ]);
    expect(await balanceOf(service, alice.address)).toBe(before);
  });

  test("a bare probe gets the ceiling", async () => {
    expect(await priceNow(invokeUrl("evidence.artifact"))).toBe(30_000n);
  });
});

describe("what may not be sold", () => {
  /** Refused on every path to a payment, and to a payment that was signed for something else. */
  async function expectRefused(artifactId: string, status: number, code: string): Promise<void> {
    const invocations = await countRows("invocations");
    const dave = service.account("dave");
    const before = await balanceOf(service, dave.address);
    const probe = await fetchChallenge(invokeUrl("evidence.artifact"));
    const payment = await signPayment(dave, probe);
    for (const response of [
      await fetch(artifactUrl(artifactId)),
      await fetch(`${artifactUrl(artifactId)}&quote=quo_${"0".repeat(32)}`),
      await quote(artifactId),
      await send(artifactUrl(artifactId), payment),
    ]) {
      expect(response.status).toBe(status);
      expect(response.headers.get("payment-required")).toBeNull();
      expect(problemSchema.parse(await response.json()).code).toBe(code);
    }
    expect(await countRows("invocations")).toBe(invocations);
    expect(await balanceOf(service, dave.address)).toBe(before);
  }

  test("an unknown id is 404 and asks for no payment", () => expectRefused(unknownId, 404, "not_found"));

  test("a private answer is 403 and asks for no payment", async () => {
    const { artifactId } = (await seedGuard()).evidenceReference;
    const envelope = await buy(artifactUrl(artifactId));
    await expectRefused(envelope.evidenceReference.artifactId, 403, "private_artifact");
  });

  test("a shared answer whose payment never settled is nobody's: 404", async () => {
    const { artifactId } = (await seed("chain.snapshot")).evidenceReference;
    await service.db.query({ text: "DELETE FROM artifacts WHERE artifact_id = $1", values: [artifactId] });
    await expectRefused(artifactId, 404, "not_found");
  });

  test("an artifact deleted after it was priced is refused at computing, and not charged", async () => {
    const { artifactId } = (await seed("chain.snapshot")).evidenceReference;
    await keepLive(artifactId);
    const bob = service.account("bob");
    const payment = await signPayment(bob, await fetchChallenge(artifactUrl(artifactId)));
    const before = await balanceOf(service, bob.address);
    // A trigger on the reservation deletes the row, so it is gone before the answer is computed.
    await service.db.query({
      text: `CREATE FUNCTION take_away() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN DELETE FROM artifacts WHERE artifact_id = '${artifactId}'; RETURN NEW; END $$;
             CREATE TRIGGER take_away AFTER INSERT ON invocations FOR EACH ROW EXECUTE FUNCTION take_away()`,
    });
    const response = await send(artifactUrl(artifactId), payment);
    await service.db.query({ text: "DROP TRIGGER take_away ON invocations" });
    expect(response.status).toBe(404);
    expect(await balanceOf(service, bob.address)).toBe(before);
    const [row] = await service.db.query<{ state: string }>({
      text: "SELECT state FROM invocations WHERE authorization_nonce = $1",
      values: [payment.payload.authorization.nonce.toLowerCase()],
    });
    expect(row?.state).toBe("void");
  });

  test("an id of another form is 400 and names the field", async () => {
    const response = await fetch(artifactUrl("sha256:abc"));
    expect(response.status).toBe(400);
    expect(problemSchema.parse(await response.json()).errors).toEqual([
      { field: "artifactId", rule: "must be sha256: followed by 64 lowercase hex digits" },
    ]);
  });
});

test("the same payment is answered again with the same bytes after the artifact has expired", async () => {
  const { artifactId } = (await seedGuard()).evidenceReference;
  const url = artifactUrl(artifactId);
  await keepLive(artifactId);
  const payment = await signPayment(service.account("alice"), await fetchChallenge(url));
  const first = await (await send(url, payment)).text();
  await setWindow(artifactId, "fresh_until = now()");
  expect(await (await send(url, payment)).text()).toBe(first);
  // Even when the newest block is too old to sell anything by.
  await service.chainOf.request("evm_setIntervalMining", [0]);
  aheadMs = 31_000;
  const stale = await fetch(url);
  const again = await send(url, payment);
  aheadMs = 0;
  expect(stale.status).toBe(503);
  expect(await again.text()).toBe(first);
  const { result } = JSON.parse(first) as { result: { evidence: { readings: EvidenceArtifactReadings } } };
  expect(canonicalJson(evidenceArtifactReadingsSchema.parse(result.evidence.readings))).toBe(
    canonicalJson(result.evidence.readings),
  );
});
