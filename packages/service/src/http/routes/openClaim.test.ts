import { createHash } from "node:crypto";
import {
  type ClaimOpened,
  type ClaimRequest,
  canonicalJson,
  claimDetailSchema,
  claimOpenedSchema,
  claimReceiptSchema,
  inputHashOf,
  maxClaimWindowBlocks,
  type Problem,
  paymentRequiredSchema,
  receiptSchema,
} from "@assay/protocol";
import { keccak256, stringToBytes } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { accountOf, asPost, balanceOf, send, signPayment } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { CLAIM_OPENING } from "../../claims/openClaim.js";
import { claimsUrl, describeTrueClaim, hoursAhead, payForClaim } from "../../claims/testing/paidClaims.js";
import { buildChallenge } from "../../payments/challenge.js";
import { claimTerms } from "../../payments/claimSale.js";

const service = useTestService({ RATE_LIMITS: "off" });
let opener: PrivateKeyAccount;
let stranger: PrivateKeyAccount;
let right: ClaimRequest;

beforeAll(async () => {
  opener = accountOf(service, "alice");
  stranger = accountOf(service, "bob");
  await service.chainOf.mine(4);
});
beforeEach(async () => {
  right = await describeTrueClaim(service, opener);
});

const ask = (body: unknown) => fetch(claimsUrl(service.url), asPost(body));
const count = async (text: string, ...values: unknown[]) => {
  const [row] = await service.db.query<{ n: bigint }>({ text: `SELECT count(*) AS n FROM ${text}`, values });
  return Number(row?.n);
};
const countCharged = () => count("invocations WHERE state NOT IN ('void', 'failed')");
const listLeaves = async (kind: string) => {
  const rows = await service.db.query<{ leaf_index: bigint; leaf: Buffer }>({
    text: "SELECT leaf_index, leaf FROM log_leaves WHERE kind = $1",
    values: [kind],
  });
  return rows.map(({ leaf_index, leaf }) => ({ index: Number(leaf_index), ...JSON.parse(leaf.toString()) }));
};
const open = async (body: unknown = right, account = opener) => {
  const { response, payment } = await payForClaim(service.url, account, body);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([response.status, bytes.toString()]).toEqual([201, expect.any(String)]);
  return { response, payment, bytes, claim: claimOpenedSchema.parse(JSON.parse(bytes.toString())) };
};
/** The payment of a challenge for this claim that was given out while the claim was still good. */
const signLate = async (claim: ClaimRequest, account = opener) => {
  const lower = {
    ...claim,
    wallet: claim.wallet.toLowerCase(),
    address: claim.address.toLowerCase(),
    implementation: claim.implementation?.toLowerCase() ?? null,
  };
  const challenge = await buildChallenge(
    service.context,
    {
      sold: CLAIM_OPENING,
      inputHash: inputHashOf(CLAIM_OPENING.id, CLAIM_OPENING.version, lower),
      path: "/api/v1/claims",
      clientAddress: "test",
      terms: () => claimTerms(service.context),
    },
    "payment_required",
  );
  return signPayment(account, challenge);
};

describe("before anyone pays", () => {
  test("a bare probe is answered with the price", async () => {
    for (const init of [{ method: "POST" }, asPost({})]) {
      const response = await fetch(claimsUrl(service.url), init);
      expect(response.status).toBe(402);
      const { accepts } = paymentRequiredSchema.parse(await response.json());
      expect(accepts.map(({ amount }) => amount)).toEqual(["250000", "250000"]);
    }
  });

  test("a true claim is answered with the price, in any casing and time zone", async () => {
    const upper = `0x${right.address.slice(2).toUpperCase()}`;
    const deadline = `${new Date(Date.now() + 26 * 3_600_000).toISOString().slice(0, 19)}+02:00`;
    expect((await ask({ ...right, address: upper, deadline })).status).toBe(402);
  });

  const cases: [string, (body: ClaimRequest) => unknown, string][] = [
    [
      "a window that is reversed",
      (body) => ({ ...body, fromBlock: body.toBlock, toBlock: body.fromBlock }),
      "fromBlock",
    ],
    ["a window that ends above the head", (body) => ({ ...body, toBlock: body.toBlock + 1_000 }), "toBlock"],
    [
      "a window that is too long",
      (body) => ({ ...body, fromBlock: 0, toBlock: maxClaimWindowBlocks(100) }),
      "fromBlock",
    ],
    ["a negative block", (body) => ({ ...body, fromBlock: -1 }), "fromBlock"],
    ["half a block", (body) => ({ ...body, toBlock: body.toBlock - 0.5 }), "toBlock"],
    ["a block in quotes", (body) => ({ ...body, toBlock: String(body.toBlock) }), "toBlock"],
    ["a block beyond whole numbers", (body) => ({ ...body, toBlock: 2 ** 53 }), "toBlock"],
    ["no reward", (body) => ({ ...body, rewardUsd: 0 }), "rewardUsd"],
    ["a reward below the least", (body) => ({ ...body, rewardUsd: 0.009 }), "rewardUsd"],
    ["a reward above the most", (body) => ({ ...body, rewardUsd: 10_000.01 }), "rewardUsd"],
    ["a reward finer than a millionth", (body) => ({ ...body, rewardUsd: 1.000_000_1 }), "rewardUsd"],
    ["a reward in quotes", (body) => ({ ...body, rewardUsd: "5" }), "rewardUsd"],
    ["a deadline that is too near", (body) => ({ ...body, deadline: hoursAhead(0.99) }), "deadline"],
    ["a deadline that has passed", (body) => ({ ...body, deadline: hoursAhead(-1) }), "deadline"],
    ["a deadline that is too far", (body) => ({ ...body, deadline: hoursAhead(30 * 24 + 0.1) }), "deadline"],
    [
      "a deadline without a zone",
      (body) => ({ ...body, deadline: hoursAhead(24).replace("Z", "") }),
      "deadline",
    ],
    ["a deadline that is no date", (body) => ({ ...body, deadline: "2026-02-30T00:00:00Z" }), "deadline"],
    ["an unknown field", (body) => ({ ...body, note: "trust me" }), "note"],
    ["a missing field", ({ implementation: _, ...body }) => body, "implementation"],
    ["an address that is none", (body) => ({ ...body, address: "0x12" }), "address"],
  ];
  test.each(cases)("%s is 400 and names the field, unpaid and paid", async (_, change, field) => {
    const body = change(right) as ClaimRequest;
    const before = [await countCharged(), await balanceOf(service, opener.address)];
    const payment = await signLate({ ...right, ...body });
    for (const response of [await ask(body), await send(claimsUrl(service.url), payment, asPost(body))]) {
      const problem = (await response.json()) as Problem;
      expect([response.status, problem.code]).toEqual([400, "invalid_input"]);
      expect(problem.errors?.map((error) => error.field)).toContain(field);
    }
    expect([await countCharged(), await balanceOf(service, opener.address)]).toEqual(before);
  });

  test.each<[string, object]>([
    ["another implementation", { implementation: `0x${"0b".repeat(20)}` }],
    ["no implementation", { implementation: null }],
    ["an implementation where there is none", { address: `0x${"de".repeat(20)}` }],
  ])("a claim of %s is false at its last block: 400, unpaid and paid", async (_, change) => {
    const body = { ...right, ...change };
    const before = [await countCharged(), await balanceOf(service, opener.address)];
    for (const response of [
      await ask(body),
      await send(claimsUrl(service.url), await signLate(body), asPost(body)),
    ]) {
      const problem = (await response.json()) as Problem;
      expect([response.status, problem.code]).toEqual([400, "claim_already_false"]);
      expect(problem.errors).toMatchObject([
        { field: "implementation", rule: expect.stringContaining("toBlock") },
      ]);
    }
    expect([await countCharged(), await balanceOf(service, opener.address)]).toEqual(before);
  });

  test("what the chain does not answer is 503, unpaid and paid, and charges nothing", async () => {
    const before = [await countCharged(), await balanceOf(service, opener.address)];
    const payment = await signLate(right);
    const silent = vi
      .spyOn(service.context.chain, "readAgreed")
      .mockImplementation(
        async (_, reads) => reads.map(() => ({ status: "unanswered", reason: "no_answer" })) as never,
      );
    const responses = [await ask(right), await send(claimsUrl(service.url), payment, asPost(right))];
    silent.mockRestore();
    for (const response of responses)
      expect([response.status, ((await response.json()) as Problem).code]).toEqual([
        503,
        "chain_unavailable",
      ]);
    expect([await countCharged(), await balanceOf(service, opener.address)]).toEqual(before);
    // Once the chain answers, the same payment buys what it was made for.
    expect((await send(claimsUrl(service.url), payment, asPost(right))).status).toBe(201);
  });

  test("no wallet opens a claim in another's name", async () => {
    const before = await balanceOf(service, stranger.address);
    const payment = await signLate(right, stranger);
    const response = await send(claimsUrl(service.url), payment, asPost(right));
    const problem = (await response.json()) as Problem;
    expect([response.status, problem.errors?.[0]?.field]).toEqual([400, "wallet"]);
    expect(await balanceOf(service, stranger.address)).toBe(before);
    expect(await count("invocations WHERE payer = $1", stranger.address.toLowerCase())).toBe(0);
  });

  test("a payment for one claim opens no other", async () => {
    const payment = await signLate(right);
    const response = await send(claimsUrl(service.url), payment, asPost({ ...right, rewardUsd: 0.01 }));
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      402,
      "ticket_mismatch",
    ]);
  });

  test("fields belong in the body", async () => {
    const response = await fetch(`${claimsUrl(service.url)}?rewardUsd=1`, asPost(right));
    expect([response.status, ((await response.json()) as Problem).errors?.[0]?.field]).toEqual([
      400,
      "rewardUsd",
    ]);
    const put = await fetch(claimsUrl(service.url), { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});

describe("a paid opening", () => {
  const read = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const readDetail = async ({ claimId }: ClaimOpened) =>
    claimDetailSchema.parse(JSON.parse(String((await read(`/api/v1/claims/${claimId}`)).bytes)));

  test("publishes the claim for 250,000 millionths, and its receipt says so", async () => {
    const before = await balanceOf(service, opener.address);
    const { claim, bytes } = await open();
    expect(before - (await balanceOf(service, opener.address))).toBe(250_000n);
    const { wallet, address, implementation, fromBlock, toBlock, deadline } = right;
    expect(claim).toMatchObject({
      kind: "claim",
      status: "open",
      survived: false,
      opener: wallet.toLowerCase(),
      assertion: {
        type: "upgrade_window",
        address: address.toLowerCase(),
        implementation: implementation?.toLowerCase(),
        fromBlock,
        toBlock,
      },
      window: { fromBlock, toBlock, blocks: 3 },
      reward: { rewardUsd: 12.34, paidBy: "opener" },
      deadline,
      pricing: { pricePaidUsd: 0.25 },
      breadcrumb: null,
    });
    const receipt = receiptSchema.parse(
      JSON.parse(String((await read(`/api/v1/receipts/${claim.invocationId}`)).bytes)),
    );
    expect(receipt).toMatchObject({
      capabilityId: "claims.open",
      state: "settled",
      charged: true,
      artifactId: null,
      resultHash: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    });
  });

  test("can be read at once, and says the same but for its place in the log", async () => {
    const { claim } = await open();
    const { pricing: _, paymentReceiptUrl: __, ...record } = claim;
    const detail = await readDetail(claim);
    expect(detail).toEqual({
      ...record,
      logIndex: expect.any(Number),
      challenges: [],
      challengesTotal: 0,
      winner: null,
    });
    const [leaf, ...rest] = (await listLeaves("claim")).filter(({ claimId }) => claimId === claim.claimId);
    expect(rest).toEqual([]);
    expect(leaf).toMatchObject({
      index: detail.logIndex,
      claim: claim.claim,
      survivalHash: claim.survivalHash,
      openedAt: claim.openedAt,
    });
    const paid = (await listLeaves("receipt")).find((receipt) => receipt.invocationId === claim.invocationId);
    expect(paid?.index).toBeLessThan(leaf?.index as number);
  });

  test("is replayed byte for byte, without reading the chain or the clock", async () => {
    const { payment, bytes, response } = await open();
    const before = await balanceOf(service, opener.address);
    const unread = vi.spyOn(service.context.chain, "readAgreed").mockRejectedValue(new Error("asked"));
    const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 40 * 24 * 3_600_000);
    const again = await send(claimsUrl(service.url), payment, asPost(right));
    later.mockRestore();
    expect(unread).not.toHaveBeenCalled();
    unread.mockRestore();
    expect(again.status).toBe(201);
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
    expect(again.headers.get("payment-response")).toBe(response.headers.get("payment-response"));
    expect(await balanceOf(service, opener.address)).toBe(before);
  });

  test("of the same claim twice gives two claims, of which none is lost", async () => {
    const [first, second] = [await open(), await open()];
    expect(first.claim.claimId).not.toBe(second.claim.claimId);
    expect(await count("claims WHERE claim_id = ANY($1)", [first.claim.claimId, second.claim.claimId])).toBe(
      2,
    );
  });

  test("fixes a receipt whose bytes hash to the survival hash, and an id that anyone can recompute", async () => {
    const { claim } = await open();
    const { response, bytes } = await read(`/api/v1/claims/${claim.claimId}/receipt`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("etag")).toBe(`"${claim.survivalHash}"`);
    expect(keccak256(bytes)).toBe(claim.survivalHash);
    expect(keccak256(stringToBytes(canonicalJson(claim.claim)))).toBe(claim.claimId);
    const receipt = claimReceiptSchema.parse(JSON.parse(bytes.toString()));
    expect(receipt).toMatchObject({ claimId: claim.claimId, claim: claim.claim });
    const hashOf = async (number: number) =>
      (
        await service.chainOf.request<{ hash: string }>("eth_getBlockByNumber", [
          `0x${number.toString(16)}`,
          false,
        ])
      ).hash;
    expect([receipt.fromBlockHash, receipt.toBlockHash, receipt.implementationAtToBlock]).toEqual([
      await hashOf(right.fromBlock),
      await hashOf(right.toBlock),
      right.implementation?.toLowerCase(),
    ]);
    expect(claim.receiptUrl).toBe(response.url);
  });

  test("may claim that there is no implementation", async () => {
    const { claim } = await open({
      ...right,
      address: service.chainOf.contracts.plainToken,
      implementation: null,
    });
    expect(claim.assertion).toMatchObject({ implementation: null });
  });

  test("leaves nothing for others to reuse, and no seed", async () => {
    const { claim } = await open();
    expect(await count("artifacts WHERE invocation_id = $1", claim.invocationId)).toBe(0);
    expect(await count("seeds WHERE capability_id = 'claims.open'")).toBe(0);
  });
});
