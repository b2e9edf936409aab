import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  type CapabilityResult,
  canonicalJson,
  checkpointText,
  formatCheckpoint,
  leafHashOf,
  NETWORK,
  nodeHashOf,
  type Receipt,
} from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { checkLogInclusion } from "./checkLogInclusion.js";

const id = (byte: string) => `sha256:${byte.repeat(32)}`;
const pricing = {
  quotedCacheStatus: "miss",
  actualCacheStatus: "miss",
  listPriceUsd: 0.1,
  creditAppliedUsd: 0,
  pricePaidUsd: 0.1,
} as const;
const names = { invocationId: "inv_1", capabilityId: "contract.guard", capabilityVersion: "1.0.0" };
const answer = {
  ...names,
  pricing,
  evidenceReference: { resultHash: id("aa"), artifactId: id("bb") },
} as CapabilityResult;
const payment: Receipt["payment"] = {
  payer: `0x${"01".repeat(20)}`,
  payTo: `0x${"02".repeat(20)}`,
  asset: `0x${"03".repeat(20)}`,
  amount: "100000",
  authorizationNonce: `0x${"04".repeat(32)}`,
  transaction: `0x${"05".repeat(32)}`,
};
const settledAt = "2026-01-01T00:00:01.000Z";
const x402ReceiptHash = `0x${"cc".repeat(32)}` as const;
const origin = "assay/0x00000000000000000000000000000000000000ff";
const bytes = (text: string) => new TextEncoder().encode(text);

interface Key {
  readonly privateKey: KeyObject;
  readonly publicKey: Uint8Array;
}

function createKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return { privateKey, publicKey: Buffer.from(x, "base64url") };
}
const key = createKey();

const leafOf = (change: object = {}) =>
  canonicalJson({
    kind: "receipt",
    ...{ ...names, network: NETWORK, resultHash: id("aa"), artifactId: id("bb"), settledAt, x402ReceiptHash },
    ...payment,
    ...change,
  });

/** A receipt that is the middle one of three leaves. */
function receiptOf(leaf: string = leafOf(), signer: Key = key, signedOrigin = origin): Receipt {
  const [before, own, after] = [bytes("before"), bytes(leaf), bytes("after")].map(leafHashOf);
  if (!before || !own || !after) throw new Error("three leaves");
  const checkpoint = { origin: signedOrigin, size: 3, root: nodeHashOf(nodeHashOf(before, own), after) };
  const signature = sign(null, bytes(checkpointText(checkpoint)), signer.privateKey);
  return {
    ...names,
    network: NETWORK,
    state: "settled",
    charged: true,
    pricing,
    payment,
    resultHash: id("aa"),
    artifactId: id("bb"),
    quoteId: null,
    paymentIdentifier: null,
    x402ReceiptHash,
    failure: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    settledAt,
    log: {
      ...{ index: 1, leaf, leafHash: own, size: 3, path: [before, after] },
      checkpoint: formatCheckpoint(checkpoint, signer.publicKey, signature),
      publicKey: Buffer.from(signer.publicKey).toString("base64"),
      origin,
    },
  };
}

function withLog(change: Partial<NonNullable<Receipt["log"]>>): Receipt {
  const receipt = receiptOf();
  if (!receipt.log) throw new Error("the receipt has its log");
  return { ...receipt, log: { ...receipt.log, ...change } };
}

const check = (receipt: Receipt | undefined, expectedKey?: string) =>
  checkLogInclusion(answer, receipt, expectedKey);

describe("checkLogInclusion", () => {
  it("accepts the receipt where the log has it, and says which key to compare", () => {
    const publicKey = Buffer.from(key.publicKey).toString("base64");
    expect(check(receiptOf())).toMatchObject({ ok: true, checked: true });
    expect(check(receiptOf()).detail).toContain(
      `entry 1 of 3 in ${origin}, signed with ${publicKey}; compare it`,
    );
    expect(check(receiptOf(), publicKey).detail).toContain(`signed with ${publicKey}, as expected.`);
  });

  it("does not fail, and does not vouch, without a receipt or without a place in the log", () => {
    for (const receipt of [undefined, { ...receiptOf(), log: null }])
      expect(check(receipt)).toMatchObject({ ok: true, checked: false });
  });

  it("fails without a receipt or without a place in the log when the log's key is given", () => {
    const publicKey = Buffer.from(key.publicKey).toString("base64");
    const steps = [undefined, { ...receiptOf(), log: null }].map((receipt) => check(receipt, publicKey));
    const begin = "A log key was given, but nothing shows a place in that log: ";
    expect(steps).toMatchObject([
      { ok: false, detail: `${begin}the file has no receipt.` },
      { ok: false, detail: `${begin}the receipt names no place in the log; fetch it again later.` },
    ]);
  });

  it.each<[string, Receipt, string | RegExp]>([
    ["another call's receipt", { ...receiptOf(), invocationId: "inv_2" }, "differs in invocationId"],
    ["another result", { ...receiptOf(), resultHash: id("cc") }, "differs in resultHash"],
    ["another price", { ...receiptOf(), pricing: { ...pricing, pricePaidUsd: 0.2 } }, "differs in pricing"],
    [
      "another amount",
      { ...receiptOf(), payment: { ...payment, amount: "1e5" } },
      "it differs in payment.amount",
    ],
    ["an open payment", { ...receiptOf(), state: "unknown" }, "differs in state"],
    [
      "another payer",
      { ...receiptOf(), payment: { ...payment, payer: payment.payTo } },
      "The leaf is not of this receipt: it differs in payer.",
    ],
    ["another leaf text", withLog({ leaf: leafOf({ amount: "1" }) }), "The leaf hashes to"],
    ["another call's leaf", receiptOf(leafOf({ invocationId: "inv_2" })), "it differs in invocationId."],
    ["another kind of leaf", receiptOf(leafOf({ kind: "claim" })), "it differs in kind."],
    ["a leaf that is not JSON", receiptOf("{"), /The leaf is not of this receipt/],
    ["a leaf that is null", receiptOf("null"), /The leaf is not of this receipt/],
    ["another index", withLog({ index: 2 }), "The path does not lead to the checkpoint's root."],
    ["another size", withLog({ size: 4 }), "The checkpoint is of 3 entries, the path of 4."],
    ["a shorter path", withLog({ path: [] }), "The path does not lead to the checkpoint's root."],
    ["another origin", withLog({ origin: "assay/0x" }), /The checkpoint is of/],
    ["a checkpoint of another log", receiptOf(leafOf(), key, "other/log"), /The checkpoint is of other/],
    ["a checkpoint that is none", withLog({ checkpoint: "3\n" }), "A checkpoint is a text"],
    ["a key that is not base64", withLog({ publicKey: "%" }), "log.publicKey is not base64."],
    ["a key of another length", withLog({ publicKey: "AAAA" }), "The log's key is not 32 bytes long."],
    [
      "another key",
      withLog({ publicKey: Buffer.from(createKey().publicKey).toString("base64") }),
      "The checkpoint is not signed by the log's key.",
    ],
  ])("refuses %s", (_name, receipt, expected) => {
    const step = check(receipt);
    expect(step.ok).toBe(false);
    expect(step.detail).toMatch(expected);
  });

  it("refuses a log of another key when the key is known", () => {
    const forged = receiptOf(leafOf(), createKey());
    expect(check(forged).ok).toBe(true);
    expect(check(forged, Buffer.from(key.publicKey).toString("base64"))).toMatchObject({ ok: false });
  });
});
