import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { upgradeTopics } from "@assay/capabilities";
import {
  type Assertion,
  type ClaimDetail,
  type ClaimRecord,
  type Hex,
  survivalHashOf,
} from "@assay/protocol";
import { createTestClient, getAddress, http, pad, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkClaimRecord } from "./checkClaimRecord.js";
import { type ClaimTerms, createClient, PaymentOutcomeUnknownError, SpendLimitError } from "./index.js";
import { recomputeClaim } from "./recomputeClaim.js";
import { scanClaim } from "./scanClaim.js";
import { actAsOwner } from "./testing/actAsOwner.js";
import { type Run, runAssay } from "./testing/runAssay.js";
import { startOwnService } from "./testing/startOwnService.js";
import type { RunningService } from "./testing/startService.js";
import { startUnreliableProxy } from "./testing/startUnreliableProxy.js";
import { verifyClaimRecord } from "./verifyClaimRecord.js";

/** Base's WETH, which the local chain has at the same address. */
const WETH: Hex = "0x4200000000000000000000000000000000000006";
const HOUR_MS = 3_600_000;
/** Long enough to be seen open, and over before the tests are. */
const SHORT_HOURS = 8_000 / HOUR_MS;

let service: RunningService;
let directory: string;
/** Proxies that ran A, then B for a while, then A again. */
let history: Record<"uups" | "beacon", { proxy: Hex; a: Hex; b: Hex; upgraded: number; back: number }>;
/** Of the service, the one about code and the one about an upgrade. */
let published: Record<Assertion["type"], ClaimRecord>;
let fromBlock: number;
let toBlock: number;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-claims-"));
  const list = join(directory, "obligations.json");
  const obligations = [
    { type: "bytecode", address: WETH, windowBlocks: 1, challengeHours: 24 },
    { type: "upgrade_window", address: WETH, windowBlocks: 2, challengeHours: SHORT_HOURS },
  ];
  await writeFile(list, JSON.stringify(obligations));
  service = await startOwnService({ OBLIGATIONS_FILE: list });
  published = await waitForObligations(obligations.length);
  await recordHistory();
});
afterAll(async () => {
  await service?.stop();
  if (directory) await rm(directory, { recursive: true, force: true });
});

async function waitForObligations(count: number): Promise<typeof published> {
  for (;;) {
    const { claims } = await createClient({ baseUrl: service.url }).claims();
    const found = claims.map((claim) => [claim.assertion.type, claim] as const);
    if (found.length === count) return Object.fromEntries(found) as typeof published;
    await new Promise((tick) => setTimeout(tick, 100));
  }
}

async function recordHistory(): Promise<void> {
  const chain = createTestClient({ mode: "hardhat", transport: http(service.rpcUrl) });
  const mine = async (count: number) => {
    for (let mined = 0; mined < count; mined++) await chain.request({ method: "evm_mine" } as never);
  };
  const [uups, beacon] = [service.contract("uupsProxy"), service.contract("beacon")];
  const [a1, b1] = [service.contract("uupsBoxV1"), service.contract("uupsBoxV2")];
  const [a2, b2] = [service.contract("boxV1"), service.contract("boxV2")];
  const upgradeUups = (to: Hex) =>
    actAsOwner(service.rpcUrl, uups, { functionName: "upgradeToAndCall", args: [to, "0x"] });
  const upgradeBeacon = (to: Hex) =>
    actAsOwner(service.rpcUrl, beacon, { functionName: "upgradeTo", args: [to] });
  await mine(8);
  const upgraded = [await upgradeUups(b1), await upgradeBeacon(b2)] as const;
  await mine(4);
  const back = [await upgradeUups(a1), await upgradeBeacon(a2)] as const;
  await mine(9);
  history = {
    uups: { proxy: uups, a: a1, b: b1, upgraded: upgraded[0], back: back[0] },
    beacon: { proxy: service.contract("beaconProxy"), a: a2, b: b2, upgraded: upgraded[1], back: back[1] },
  };
  fromBlock = upgraded[0] - 7;
  toBlock = back[1] + 8;
}

const clientOf = (name: string, url = service.url) =>
  createClient({ baseUrl: url, account: service.wallet(name) });
/** True at both ends of the window, and false between them. */
const falseTerms = (kind: "uups" | "beacon" = "uups"): ClaimTerms => ({
  address: history[kind].proxy,
  implementation: history[kind].a,
  fromBlock,
  toBlock,
  rewardUsd: 5,
  deadline: new Date(Date.now() + 2 * HOUR_MS),
});
const trueTerms = (): ClaimTerms => ({ ...falseTerms(), fromBlock: history.uups.back });
const cli = (...args: string[]): Promise<Run> =>
  runAssay([...args, "--url", service.url, "--data-dir", service.dataDir]);

/** A node whose answers `spoil` may replace. */
function spoiledNode(spoil: (method: string, params: readonly unknown[]) => unknown) {
  return {
    request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      const spoiled = spoil(method, params);
      if (spoiled instanceof Error) throw spoiled;
      if (spoiled !== undefined) return spoiled;
      const response = await fetch(service.rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
  };
}

describe("opening a claim", () => {
  it("is refused before anything is paid, and not signed above the limit", async () => {
    const carol = clientOf("carol");
    const before = await service.balanceOf(service.wallet("carol").address);
    await expect(carol.openClaim({ ...trueTerms(), implementation: history.uups.b })).rejects.toMatchObject({
      name: "ProblemError",
      status: 400,
      fields: [{ field: "implementation" }],
    });
    await expect(carol.openClaim({ ...trueTerms(), fromBlock: toBlock + 1 })).rejects.toMatchObject({
      fields: [{ field: "fromBlock" }],
    });
    await expect(carol.openClaim(trueTerms(), { maxPriceUsd: 0.1 })).rejects.toThrow(SpendLimitError);
    expect(await service.balanceOf(service.wallet("carol").address)).toBe(before);
  });

  it("pays once however often the payment is sent, and gets the same claim", async () => {
    const proxy = await startUnreliableProxy(service.url);
    try {
      const dave = clientOf("dave", proxy.url);
      const before = await service.balanceOf(service.wallet("dave").address);
      proxy.faults = ["drop", "unavailable"];
      const { record, settlement, rawBody } = await dave.openClaim(trueTerms());
      expect(new Set(proxy.payments).size).toBe(1);
      expect(proxy.payments).toHaveLength(3);
      expect(record).toMatchObject({ status: "open", pricing: { pricePaidUsd: 0.25 } });
      expect(JSON.parse(new TextDecoder().decode(rawBody))).toEqual(record);
      expect(await service.wasMined(settlement?.transaction as Hex)).toBe(true);

      proxy.faults = Array.from({ length: 100 }, () => "unavailable" as const);
      const prepared = await dave.prepareClaim(trueTerms());
      const lost = await dave.sendClaim(prepared, { deadlineMs: 300 }).catch((error) => error);
      expect(lost).toBeInstanceOf(PaymentOutcomeUnknownError);
      proxy.faults = [];
      // As assay resume does with the payment that was kept.
      await writeFile(join(directory, "kept.json"), JSON.stringify(lost.prepared));
      const resumed = await cli("resume", join(directory, "kept.json"));
      expect(resumed).toMatchObject({ code: 0, err: "" });
      expect(resumed.out).toMatch(/^OPEN {2}claim 0x[0-9a-f]{64}\n/);
      expect(before - (await service.balanceOf(service.wallet("dave").address))).toBe(500_000n);
    } finally {
      await proxy.stop();
    }
  });
});

describe("a scan", () => {
  const scan = (kind: "uups" | "beacon", source: Parameters<typeof scanClaim>[1], samples?: number) => {
    const { proxy: address, a: implementation } = history[kind];
    const type = "upgrade_window" as const;
    return scanClaim({ type, address, implementation, fromBlock, toBlock }, source, { samples });
  };
  const withoutLogs = () =>
    spoiledNode((method) => (method === "eth_getLogs" ? new Error("not here") : undefined));

  it.each(["uups", "beacon"] as const)("finds the upgrade of the %s proxy by its logs", async (kind) => {
    const { upgraded, b } = history[kind];
    const found = await scan(kind, service.rpcUrl, 0);
    expect(found.counterexample).toEqual({ block: upgraded, implementation: getAddress(b) });
    expect(found).toMatchObject({ isComplete: false, limitations: [] });
  });

  it("finds it without logs by reading blocks and halving the way to the change", async () => {
    const { upgraded, b } = history.uups;
    const found = await scan("uups", withoutLogs(), 8);
    expect(found.counterexample).toEqual({ block: upgraded, implementation: getAddress(b) });
    expect(found.limitations[0]).toContain("no logs");
    expect(found.blocksRead).toBeLessThan(12);
    const missed = await scan("uups", withoutLogs(), 0);
    expect(missed).toMatchObject({ counterexample: null, isComplete: false, blocksRead: 2 });
  });

  it("says whether finding nothing proves anything", async () => {
    const { proxy: address, a: implementation, back } = history.uups;
    const assertion = { type: "upgrade_window", address, implementation, fromBlock: back, toBlock } as const;
    const all = await scanClaim(assertion, service.rpcUrl);
    expect(all).toMatchObject({ counterexample: null, isComplete: true, blocksRead: toBlock - back + 1 });
    const some = await scanClaim(assertion, service.rpcUrl, { samples: 2 });
    expect(some).toMatchObject({ counterexample: null, isComplete: false });
    const unread = spoiledNode((method, [, , at]) =>
      method === "eth_getStorageAt" && Number(at) === back + 1 ? new Error("pruned") : undefined,
    );
    const gap = await scanClaim(assertion, unread);
    expect(gap).toMatchObject({ counterexample: null, isComplete: false });
    expect(gap.limitations.join()).toContain("1 blocks could not be read");
  });
});

describe("a challenge and its recomputation", () => {
  it("falsifies a false claim, and anyone reaches the same verdict from the claim and a node", async () => {
    const { record } = await clientOf("alice").openClaim(falseTerms());
    const { claimId } = record;
    const bob = clientOf("bob");
    expect(await bob.claims({ limit: 100 })).toMatchObject({
      listFeed: "enabled",
      claims: expect.arrayContaining([expect.objectContaining({ claimId })]),
    });
    const bytes = await bob.claimReceipt(claimId);
    expect(survivalHashOf(new TextDecoder().decode(bytes))).toBe(record.survivalHash);
    // True at both ends, and recorded as open: the events lead to where it is false.
    const unchallenged = await bob.claim(claimId);
    const led = await recomputeClaim(unchallenged, service.rpcUrl);
    expect(led).toMatchObject({ verdict: "falsified" });
    expect(led.steps.filter(({ ok }) => ok === false)).toMatchObject([{ name: "events" }]);
    const deaf = spoiledNode((method) => (method === "eth_getLogs" ? new Error("not here") : undefined));
    expect(await recomputeClaim(unchallenged, deaf)).toMatchObject({ verdict: "undecided" });

    const { a, b, upgraded } = history.uups;
    const correct = await bob.challengeClaim(claimId, { block: toBlock, implementation: a });
    expect(correct).toMatchObject({ resolution: "claim_correct", claimStatus: "open" });
    const untrue = await bob.challengeClaim(claimId, { block: upgraded, implementation: null });
    expect(untrue).toMatchObject({ resolution: "invalid_evidence", reward: null });
    const outside = await bob.challengeClaim(claimId, { block: toBlock + 1, implementation: b });
    expect(outside.resolution).toBe("invalid_evidence");
    // Any casing will do: it is signed and sent with its checksum.
    const evidence = { block: upgraded, implementation: b.toLowerCase() };
    expect(await bob.challengeClaim(claimId, evidence)).toMatchObject({
      resolution: "counterexample_valid",
      claimStatus: "falsified",
      reward: { rewardUsd: 5 },
    });

    const claim = await bob.claim(claimId);
    const recomputed = await recomputeClaim(claim, service.rpcUrl);
    expect(recomputed.verdict).toBe("falsified");
    expect(recomputed.steps.map(({ ok }) => ok)).toEqual([true, true, true, false, true, true, true]);
    await expectContradictions(claim);
    await expectRecordChecked(claim);
  });

  /** What needs no node: the id, the receipt's bytes and the status. */
  async function expectRecordChecked(claim: ClaimDetail): Promise<void> {
    const bytes = await clientOf("bob").claimReceipt(claim.claimId);
    const outcome = async (record: ClaimDetail, receipt: Uint8Array | undefined) =>
      (await checkClaimRecord(record, { receipt })).steps.map(({ ok, checked }) => (checked ? ok : null));
    expect(await outcome(claim, bytes)).toEqual([true, true, true]);
    expect(await outcome(claim, undefined)).toEqual([true, null, true]);
    expect(await outcome(claim, new Uint8Array([...bytes, 0x20]))).toEqual([true, false, true]);
    expect(await outcome({ ...claim, survivalHash: claim.claimId }, bytes)).toEqual([true, false, true]);
    // Bytes that hash as recorded, and are of another claim.
    const other = new TextEncoder().encode(
      new TextDecoder().decode(bytes).replace(claim.claimId, claim.claimId.replace("0x", "0X")),
    );
    const survivalHash = survivalHashOf(new TextDecoder().decode(other));
    expect(await outcome({ ...claim, survivalHash }, other)).toEqual([true, false, true]);
    expect(await outcome({ ...claim, winner: claim.opener }, bytes)).toEqual([true, true, false]);
    const elsewhere = { ...claim, claim: { ...claim.claim, origin: "elsewhere" } };
    expect(await outcome(elsewhere, bytes)).toEqual([false, false, true]);
    await expect(verifyClaimRecord(elsewhere, { receipt: bytes })).rejects.toThrow(
      "The claim record does not verify: id, receipt failed.",
    );
    expect((await verifyClaimRecord(claim, { receipt: bytes })).steps).toHaveLength(3);
  }

  /** Each change alone makes the record one that the chain contradicts. */
  async function expectContradictions(claim: ClaimDetail): Promise<void> {
    const [won, ...others] = claim.challenges;
    if (!won) throw new Error("nobody won");
    const changes: Record<string, Partial<ClaimDetail>> = {
      "another claim under the id": { claim: { ...claim.claim, rewardMicroUsd: "1" } },
      "another claim in all but its id": {
        claim: { ...claim.claim, origin: "elsewhere" },
        survivalHash: null,
      },
      "another reward beside it": { reward: { ...claim.reward, rewardUsd: 1 } },
      "another receipt": { survivalHash: claim.claimId },
      "survived, beside a counterexample": { status: "survived", resolvedAt: claim.deadline },
      "falsified without a counterexample": { challenges: others },
      "falsified too late": {
        challenges: [{ ...won, submittedAt: new Date(Date.parse(claim.deadline)).toISOString() }],
      },
      "another winner": { winner: claim.opener },
      "a counterexample called invalid": {
        status: "open",
        challenges: [{ ...won, resolution: "invalid_evidence" }, ...others],
      },
      "a reading that called a true claim false": {
        challenges: [{ ...won, evidence: { block: toBlock, implementation: history.uups.a } }, ...others],
      },
      "a block that is not on the chain": {
        challenges: [{ ...won, observed: { block: 1, blockHash: claim.claimId } }, ...others],
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const { verdict } = await recomputeClaim({ ...claim, ...change }, service.rpcUrl);
      expect.soft(verdict, name).toBe("contradicted");
    }
  }

  it("holds by the events and the state they point to, or is left open", async () => {
    const { record } = await clientOf("alice").openClaim(trueTerms());
    const claim = await clientOf("alice").claim(record.claimId);
    const recomputed = await recomputeClaim(claim, service.rpcUrl);
    // The upgrade back is in the first block of the window.
    expect(recomputed).toMatchObject({ verdict: "holds", blocksRead: 2 });
    expect(recomputed.steps.find(({ name }) => name === "events")).toMatchObject({
      ok: true,
      detail: expect.stringContaining("1 upgrade events"),
    });
    const log = (block: number, names: Hex) => ({
      address: claim.assertion.address,
      topics: [upgradeTopics.Upgraded, pad(names)],
      data: "0x",
      blockNumber: toHex(block),
    });
    const nodeWithLogs = (...logs: object[]) =>
      spoiledNode((method) => (method === "eth_getLogs" ? logs : undefined));
    const middle = claim.window.fromBlock + 2;
    const { a, b } = history.uups;
    expect(await recomputeClaim(claim, nodeWithLogs(log(middle, a)))).toMatchObject({
      verdict: "holds",
      blocksRead: 4,
    });
    // An event that the state does not confirm; a log that cannot be parsed; more blocks than are read.
    expect(await recomputeClaim(claim, nodeWithLogs(log(middle, b)))).toMatchObject({ verdict: "undecided" });
    expect(await recomputeClaim(claim, nodeWithLogs({ topics: [] }))).toMatchObject({ verdict: "undecided" });
    const many = Array.from({ length: 300 }, (_, at) => log(claim.window.toBlock + at, a));
    expect(await recomputeClaim(claim, nodeWithLogs(...many))).toMatchObject({ verdict: "undecided" });
    const word = pad(b.toLowerCase() as Hex);
    const changed = spoiledNode((method, [, , at]) => {
      if (method === "eth_getLogs") return [log(middle, a)];
      return method === "eth_getStorageAt" && Number(at) === middle ? word : undefined;
    });
    expect(await recomputeClaim(claim, changed)).toMatchObject({ verdict: "falsified" });
  });

  it("asks a beacon as its proxy does", async () => {
    const { proxy: address, a } = history.beacon;
    const asked: unknown[] = [];
    const node = spoiledNode((method, [call]) => {
      if (method === "eth_call") asked.push((call as { from?: Hex }).from?.toLowerCase());
      return undefined;
    });
    const assertion = {
      type: "upgrade_window",
      address,
      implementation: a,
      fromBlock: toBlock,
      toBlock,
    } as const;
    expect(await scanClaim(assertion, node)).toMatchObject({ counterexample: null, isComplete: true });
    // masterCopy() of the proxy without a sender, then the beacon in the name of the proxy.
    expect(asked).toEqual([undefined, address.toLowerCase()]);
  });

  it("is undecided where the node is silent, and false where the chain says so at an end", async () => {
    const { record } = await clientOf("erin").openClaim(trueTerms());
    const claim = await clientOf("erin").claim(record.claimId);
    const silent = spoiledNode((method) =>
      method === "eth_getStorageAt" ? new Error("missing trie node") : undefined,
    );
    expect(await recomputeClaim(claim, silent)).toMatchObject({ verdict: "undecided" });
    const reverting = spoiledNode((method) =>
      method === "eth_getCode" ? Object.assign(new Error("execution reverted"), { code: 3 }) : undefined,
    );
    expect(await recomputeClaim(claim, reverting)).toMatchObject({ verdict: "undecided" });
    const replaced = spoiledNode((method, params) =>
      method === "eth_getBlockByNumber" ? { hash: claim.claimId, number: params[0] } : undefined,
    );
    expect(await recomputeClaim(claim, replaced)).toMatchObject({ verdict: "contradicted" });
    const word = `0x${"00".repeat(12)}${history.uups.b.slice(2).toLowerCase()}`;
    const upgradedAtFrom = spoiledNode((method, [, , at]) =>
      method === "eth_getStorageAt" && Number(at) === claim.window.fromBlock ? word : undefined,
    );
    expect(await recomputeClaim(claim, upgradedAtFrom)).toMatchObject({ verdict: "falsified" });
    const survived: ClaimDetail = {
      ...claim,
      status: "survived",
      survived: true,
      resolvedAt: claim.deadline,
    };
    expect(await recomputeClaim(survived, service.rpcUrl)).toMatchObject({ verdict: "holds" });
    const tooEarly = { ...survived, resolvedAt: claim.openedAt };
    expect(await recomputeClaim(tooEarly, service.rpcUrl)).toMatchObject({ verdict: "contradicted" });
  });
});

describe("assay", () => {
  const openingFlags = (terms: ClaimTerms) => [
    ...["--address", terms.address, "--implementation", terms.implementation ?? "none"],
    ...["--from-block", String(terms.fromBlock), "--to-block", String(terms.toBlock)],
    ...["--reward", String(terms.rewardUsd), "--deadline", "2h"],
  ];

  it("opens a claim, finds where it is false, challenges it, and watches it fall", async () => {
    const opened = await cli("claims", "open", ...openingFlags(falseTerms("beacon")), "--json");
    expect(opened).toMatchObject({ code: 0, err: "" });
    const { claimId, survivalHash } = JSON.parse(opened.out);
    const listed = await cli("claims", "list", "--limit", "100");
    expect(listed.out).toContain(`OPEN  claim ${claimId}`);

    const saved = join(directory, "receipt.json");
    expect(await cli("claims", "receipt", claimId, "--save", saved)).toMatchObject({ code: 0, out: "" });
    expect(survivalHashOf(await readFile(saved, "utf8"))).toBe(survivalHash);
    expect((await cli("claims", "receipt", claimId)).out).toBe(await readFile(saved, "utf8"));

    const unchallenged = await cli("recompute", claimId, "--rpc", service.rpcUrl);
    expect(unchallenged).toMatchObject({ code: 20, err: "" });
    expect(unchallenged.out).toMatch(/^FALSIFIED/);
    expect(unchallenged.out).toMatch(/^FAIL {2}events +An event led to block/m);
    const watching = cli("claims", "watch", claimId, "--every", "1");

    const challenge = (...flags: string[]) =>
      cli("challenge", claimId, "--rpc", service.rpcUrl, "--wallet", "bob", ...flags);
    const correct = await challenge("--block", String(toBlock));
    expect(correct).toMatchObject({ code: 0, err: "" });
    expect(correct.out).toMatch(/^CLAIM_CORRECT/);
    expect((await challenge("--block", String(toBlock), "--implementation", "none")).code).toBe(10);

    const { upgraded, b } = history.beacon;
    const won = await challenge("--scan");
    expect(won.code).toBe(20);
    expect(won.err).toContain("scan: reading the logs of upgrades");
    expect(won.err).toContain(`Counterexample: at block ${upgraded} the implementation is ${getAddress(b)}`);
    expect(won.out).toMatch(/^COUNTEREXAMPLE_VALID/);
    expect(won.out).toContain("$5.00, owed by");
    const watched = await watching;
    expect(watched.code).toBe(20);
    expect(watched.out).toMatch(/^FALSIFIED/);

    const late = await challenge("--block", String(upgraded));
    expect(late).toMatchObject({ code: 20 });
    expect(late.out).toMatch(/^ALREADY_RESOLVED/);
    const recomputed = await cli("recompute", claimId, "--rpc", service.rpcUrl, "--json");
    expect(recomputed.code).toBe(20);
    expect(JSON.parse(recomputed.out)).toMatchObject({ claimId, verdict: "falsified" });
    expect((await cli("claims", "show", claimId)).out).toContain("counterexample_valid");
  });

  it("does not challenge when it finds nothing, and says what that is worth", async () => {
    const opened = await cli("claims", "open", ...openingFlags(trueTerms()), "--json");
    const { claimId } = JSON.parse(opened.out);
    const scan = (...flags: string[]) =>
      cli("challenge", claimId, "--scan", "--rpc", service.rpcUrl, ...flags);
    const all = await scan();
    expect(all).toMatchObject({ code: 0 });
    expect(all.out).toContain("Every block of the window was read.");
    const some = await scan("--samples", "1", "--json");
    expect(some.code).toBe(10);
    expect(JSON.parse(some.out)).toMatchObject({ counterexample: null, isComplete: false });
    expect((await scan("--samples", "1")).out).toContain("sampling is no proof of absence");
    expect((await clientOf("bob").claim(claimId)).challengesTotal).toBe(0);
  });

  it("recomputes obligations, and records what was done with a verdict on one", async () => {
    const obligation = published.bytecode;
    expect(obligation.kind).toBe("obligation");
    expect(await cli("recompute", obligation.claimId, "--rpc", service.rpcUrl)).toMatchObject({ code: 0 });
    const seen = await cli("challenge", obligation.claimId, "--rpc", service.rpcUrl);
    expect(seen.out).toMatch(/^CLAIM_CORRECT/);

    const verdict = await cli("--json", "call", "obligation.verdict", "--obligation-id", obligation.claimId);
    const { invocationId } = JSON.parse(verdict.out);
    const decided = await cli("decide", invocationId, "accepted");
    expect(decided).toMatchObject({ code: 0, err: "" });
    expect(decided.out).toContain("Recorded: accepted");
    const again = await cli("decide", invocationId, "rejected");
    expect(again.code).toBe(1);
    expect(again.out).toContain("Already decided otherwise, and that stands: accepted");
    const foreign = await cli("decide", invocationId, "accepted", "--wallet", "bob");
    expect(foreign.err).toContain("The invocation belongs to another wallet");
  });

  it("waits until a deadline has passed, and finds the same survival from the chain", async () => {
    const { claimId } = published.upgrade_window;
    const watched = await cli("claims", "watch", claimId, "--every", "1");
    expect(watched).toMatchObject({ code: 0 });
    expect(watched.out).toMatch(/^SURVIVED {2}obligation/);
    const recomputed = await cli("recompute", claimId, "--rpc", service.rpcUrl);
    expect(recomputed).toMatchObject({ code: 0, err: "" });
    expect(recomputed.out).toMatch(/^ok {4}receipt/m);
    expect(recomputed.out).toMatch(/^ok {4}events +All blocks of the window were read: 2\./m);
    expect(recomputed.out).toContain("Every block of the window was read.");
    expect(recomputed.out).toMatch(/^ok {4}status +Not challenged with success/m);
  });

  it("says what to do next when something is wrong", async () => {
    const id = `0x${"00".repeat(32)}`;
    const expected: [string[], string, code?: number][] = [
      [["claims", "show", "0x12"], "Give an id: 0x and 64 hex digits."],
      [["claims", "show", id], "No claim has that id.", 1],
      [["recompute", id], "required option '--rpc <url>' not specified"],
      [["recompute", id, "--rpc", "node"], "Give the http(s) address of a JSON-RPC node."],
      [
        ["claims", "open", ...openingFlags({ ...trueTerms(), toBlock: toBlock + 1000 })],
        "--to-block must be at most",
      ],
      [["claims", "open", "--deadline", "soon"], "Give a time such as"],
      [["claims", "open", ...openingFlags(trueTerms()), "--max-price", "0.1"], "Pass --max-price 0.25", 4],
      [["outcome", "inv_1", "fine"], "Allowed choices are success, failure, avoided, unknown."],
    ];
    for (const [args, message, wanted = 2] of expected) {
      const { code, out, err } = await cli(...args);
      expect(err).toContain(message);
      expect({ code, out }).toEqual({ code: wanted, out: "" });
    }
    const { record } = await clientOf("alice").openClaim(trueTerms());
    expect((await cli("challenge", record.claimId)).err).toContain("Give --block");
    expect((await cli("challenge", record.claimId, "--block", "5")).err).toContain("Give --rpc");
    expect((await cli("challenge", record.claimId, "--scan", "--block", "5")).err).toContain("not both");
  });
});
