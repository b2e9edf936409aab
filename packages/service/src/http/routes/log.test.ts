import {
  catalogSchema,
  isConsistent,
  isIncluded,
  leafHashOf,
  logConsistencySchema,
  logProofSchema,
  problemSchema,
  receiptSchema,
  serviceDescriptionSchema,
  verifyCheckpoint,
} from "@assay/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { useTestService } from "../../../test/useTestService.js";
import { auditLog } from "../../log/auditLog.js";

const service = useTestService();

const get = (path: string) => fetch(`${service.url}${path}`);
const getJson = async (path: string): Promise<unknown> => {
  const response = await get(path);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
};
const describeService = async () => serviceDescriptionSchema.parse(await getJson("/.well-known/assay.json"));

/** The newest checkpoint, verified with the key that the service is known by. */
async function fetchCheckpoint() {
  const { log } = await describeService();
  const response = await fetch(log.checkpoint);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const note = await response.text();
  const publicKey = Buffer.from(log.publicKey, "base64");
  return { note, ...verifyCheckpoint(note, { origin: log.origin, publicKey }) };
}

/** Always the same wallet: reuse by another would add a leaf for the credit it causes. */
const buy = () => service.buy(service.invokeUrl("chain.snapshot"));
const fetchReceipt = async (invocationId: string) =>
  receiptSchema.parse(await getJson(`/api/v1/receipts/${invocationId}`));

async function expectProblem(path: string, status: number, code: string, errors?: unknown): Promise<void> {
  const response = await get(path);
  const problem = problemSchema.parse(await response.json());
  expect({ status: response.status, code: problem.code, errors: problem.errors }, path).toEqual({
    status,
    code,
    errors,
  });
  if (status === 503) expect(response.headers.get("retry-after")).toBe("60");
}

test("the service says by which keys it is known, as the catalog does", async () => {
  const description = await describeService();
  const catalog = catalogSchema.parse(await getJson("/api/v1/capabilities"));
  expect(description.signingAddress).toBe(catalog.signingAddress);
  expect(description).toMatchObject({
    product: "Assay",
    network: "eip155:8453",
    audience: service.url,
    log: {
      origin: expect.stringMatching(
        new RegExp(`^assay/${catalog.signingAddress.toLowerCase()}/[0-9a-f]{16}$`),
      ),
      checkpoint: `${service.url}/api/v1/log/checkpoint`,
    },
    limits: { bodyBytes: 307_200, headerBytes: 16_384, paymentValiditySeconds: 3600 },
  });
});

describe("a log with settled calls", () => {
  const ids: string[] = [];
  let before: Awaited<ReturnType<typeof fetchCheckpoint>>;
  beforeAll(async () => {
    before = await fetchCheckpoint();
    for (let call = 0; call < 3; call += 1) ids.push((await buy()).invocationId);
  });

  test("each receipt is the leaf that the log holds, proven to a checkpoint of the service's key", async () => {
    const { log: key } = await describeService();
    for (const [index, id] of ids.entries()) {
      const { log, payment, ...receipt } = await fetchReceipt(id);
      if (!log) throw new Error("the receipt has no proof");
      const { amount, asset, authorizationNonce, payTo, payer, transaction } = payment;
      expect(JSON.parse(log.leaf)).toEqual({
        kind: "receipt",
        invocationId: id,
        capabilityId: "chain.snapshot",
        capabilityVersion: receipt.capabilityVersion,
        network: "eip155:8453",
        resultHash: receipt.resultHash,
        artifactId: receipt.artifactId,
        ...{ amount, asset, authorizationNonce, payTo, payer, transaction },
        settledAt: receipt.settledAt,
        x402ReceiptHash: receipt.x402ReceiptHash,
      });
      expect(log).toMatchObject({ index, origin: key.origin, publicKey: key.publicKey });
      expect(leafHashOf(Buffer.from(log.leaf))).toBe(log.leafHash);
      const head = verifyCheckpoint(log.checkpoint, {
        origin: key.origin,
        publicKey: Buffer.from(key.publicKey, "base64"),
      });
      expect(head.size).toBe(log.size);
      expect(isIncluded(log, head.root)).toBe(true);
    }
  });

  test("calls that settle together have one leaf each, and no leaf is without its call", async () => {
    const bought = await Promise.all([buy(), buy(), buy(), buy()]);
    ids.push(...bought.map(({ invocationId }) => invocationId));
    const [row] = await service.db.query({
      text: `SELECT count(*)::int AS leaves, count(DISTINCT invocation_id)::int AS calls
             FROM log_leaves FULL JOIN invocations ON log_index = leaf_index AND state = 'settled'
               AND invocation_id = convert_from(leaf, 'UTF8')::json->>'invocationId'`,
    });
    expect(row).toEqual({ leaves: 7, calls: 7 });
  });

  test("a leaf is proven in the newest head, or in any other size", async () => {
    const head = await fetchCheckpoint();
    expect(head.size).toBe(7);
    const newest = logProofSchema.parse(await getJson("/api/v1/log/proof/1"));
    expect(newest).toMatchObject({ index: 1, size: 7, checkpoint: head.note });
    expect(isIncluded(newest, head.root)).toBe(true);
    const { leafHash } = logProofSchema.parse(await getJson("/api/v1/log/proof/0?size=1"));
    const second = logProofSchema.parse(await getJson("/api/v1/log/proof/1?size=2"));
    expect(second.path).toEqual([leafHash]);
    expect(second.leafHash).toBe(newest.leafHash);
  });

  test("any two sizes are proven consistent", async () => {
    const after = await fetchCheckpoint();
    for (const [first, root] of [
      [before.size, before.root],
      [after.size, after.root],
    ] as const) {
      const proof = await getJson(`/api/v1/log/consistency?first=${first}&second=${after.size}`);
      expect(isConsistent(logConsistencySchema.parse(proof), root, after.root)).toBe(true);
    }
    expect(await getJson("/api/v1/log/consistency?first=1&second=2")).toMatchObject({ first: 1, second: 2 });
  });

  test("bad numbers are refused by name, and what is beyond the tree is not found", async () => {
    const rule = "must be a whole number of at most 15 digits";
    for (const bad of ["-1", "01", "1.5", "x", "1e3", "9999999999999999", "%20"])
      await expectProblem(`/api/v1/log/proof/${bad}`, 400, "invalid_input", [{ field: "index", rule }]);
    await expectProblem("/api/v1/log/proof/0?size=", 400, "invalid_input", [{ field: "size", rule }]);
    await expectProblem("/api/v1/log/proof/0?size=1&size=2", 400, "invalid_input", [
      { field: "size", rule: "must be given once" },
    ]);
    await expectProblem("/api/v1/log/proof/2?size=2", 400, "invalid_input", [
      { field: "index", rule: "must be below size" },
    ]);
    await expectProblem("/api/v1/log/consistency", 400, "invalid_input", [
      { field: "first", rule: "is required" },
      { field: "second", rule: "is required" },
    ]);
    await expectProblem("/api/v1/log/consistency?first=2&second=1", 400, "invalid_input", [
      { field: "first", rule: "must be at most second" },
    ]);
    await expectProblem("/api/v1/log/proof/7", 404, "not_found");
    await expectProblem("/api/v1/log/proof/0?size=8", 404, "not_found");
    await expectProblem("/api/v1/log/consistency?first=1&second=8", 404, "not_found");
    const posted = await fetch(`${service.url}/api/v1/log/checkpoint`, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("once a row was edited: no checkpoint, receipts without proof, sales go on; once it is restored, all is back", async () => {
    const [first = ""] = ids;
    const edit = (text: string) => service.db.query({ text });
    await edit("UPDATE log_leaves SET leaf = leaf || ' ' WHERE leaf_index = 0");
    // The receipt's own leaf is seen to be wrong at once, the other rows by the audit.
    expect((await fetchReceipt(first)).log).toBeNull();
    await auditLog(service.context);
    await expectProblem("/api/v1/log/checkpoint", 503, "log_inconsistent");
    await expectProblem("/api/v1/log/proof/1", 503, "log_inconsistent");
    for (const id of ids) expect(await fetchReceipt(id)).toMatchObject({ state: "settled", log: null });
    const { invocationId } = await buy();
    expect(await fetchReceipt(invocationId)).toMatchObject({ state: "settled", charged: true, log: null });
    await edit("UPDATE log_leaves SET leaf = substr(leaf, 1, length(leaf) - 1) WHERE leaf_index = 0");
    await auditLog(service.context);
    expect((await fetchCheckpoint()).size).toBe(8);
    expect((await fetchReceipt(invocationId)).log).toMatchObject({ index: 7, size: 8 });
  });

  test("a proof whose rows do not fit together is not given out", async () => {
    const flip =
      "UPDATE log_nodes SET hash = set_byte(hash, 0, get_byte(hash, 0) # 255) WHERE level = 0 AND position = 1";
    await service.db.query({ text: flip });
    await expectProblem("/api/v1/log/proof/0?size=4", 503, "log_inconsistent");
    await service.db.query({ text: flip });
    expect((await get("/api/v1/log/proof/0?size=4")).status).toBe(200);
  });
});
