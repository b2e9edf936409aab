import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  artifactIdOf,
  type CapabilityResult,
  type ClaimFeed,
  evidenceTypedData,
  type Hex,
  NETWORK,
  openStateProofs,
  type PortableEvidence,
  type Receipt,
  resultHashOf,
  type ServiceDescription,
  type StateProofs,
} from "@assay/protocol";
import { createPublicClient, type GetProofReturnType, http, numberToHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkEvidence } from "./checkEvidence.js";
import { checkReceipt } from "./checkReceipt.js";
import { checkResult } from "./checkResult.js";
import { type Client, createClient } from "./createClient.js";
import { findReevaluation } from "./reevaluate.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { findClosedAddress } from "./testing/findClosedAddress.js";
import { getSharedService } from "./testing/getSharedService.js";
import { listMutations } from "./testing/listMutations.js";
import { type Run, runAssay } from "./testing/runAssay.js";
import { verifyResult } from "./verifyResult.js";

const bin = resolve(import.meta.dirname, "../bin/assay.js");

interface SavedFile {
  readonly answer: CapabilityResult;
  readonly receipt: Receipt;
}

/** Who pays; nothing earns it credit, which would be a part of the price. */
const PAYER = "judy";

let service: ConnectedService;
/** Where the commands find the service: nowhere, once everything was asked. */
let url: string;
let directory: string;
let file: string;
let saved: SavedFile;
let reference: PortableEvidence;
let keys: ServiceDescription;
let others: SavedFile[];
let nodeProofs: GetProofReturnType[];

/** Asks everything that needs the service: the tests below are offline. */
beforeAll(async () => {
  service = await getSharedService();
  url = service.url;
  directory = await mkdtemp(join(tmpdir(), "assay-verify-"));
  file = join(directory, "guard.json");
  const client = createClient({ baseUrl: url, account: service.wallet(PAYER) });
  others = await callOthers(client);
  const called = await assay(
    "call",
    "contract.guard",
    "--address",
    service.contract("upgradeableProxy"),
    "--wallet",
    PAYER,
    "--save",
    file,
  );
  expect(called).toMatchObject({ code: 10, err: "" });
  saved = JSON.parse(await readFile(file, "utf8"));
  reference = await client.evidence(saved.answer.evidenceReference.artifactId);
  keys = (await (await fetch(`${url}/.well-known/assay.json`)).json()) as ServiceDescription;
  nodeProofs = await proveByNode();
  url = await findClosedAddress();
}, 120_000);
afterAll(async () => {
  if (directory) await rm(directory, { recursive: true, force: true });
});

/** The embedded service publishes obligations when it starts. */
async function findObligation(): Promise<Hex> {
  for (;;) {
    const feed = await fetch(`${url}/api/v1/claims?limit=100`);
    const { claims } = (await feed.json()) as ClaimFeed;
    const claim = claims.find(({ kind }) => kind === "obligation");
    if (claim) return claim.claimId;
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

/** One of the pages that the embedded stack serves. */
const PAGE = "http://pages.assay.test/article";

/** One of the local chain's v4 pools, which differ by their hooks alone. */
function describePool(hook: string) {
  const tokens = [service.contract("plainToken"), service.contract("weth")];
  const [currency0, currency1] = tokens.map((token) => token.toLowerCase()).sort() as [Hex, Hex];
  const hooks = service.contract(hook);
  return {
    poolManager: service.contract("poolManager"),
    currency0,
    currency1,
    fee: 3000,
    tickSpacing: 60,
    hooks,
  };
}

/** Ten thousand dollars on alice's collateral. */
function describeBorrow() {
  const { id, loanToken, collateralToken } = service.lendingMarket;
  const userAddress = service.wallet("alice").address;
  return { marketId: id, loanToken, collateralToken, userAddress, borrowAmountWei: "10000000000" };
}

/** One answer of each other capability; so the log has more than one leaf, too. */
async function callOthers(client: Client): Promise<SavedFile[]> {
  const address = service.contract("plainToken");
  const snapshot = await client.call("chain.snapshot", {}, { useQuote: false });
  const { artifactId } = snapshot.answer.evidenceReference;
  const paid = [
    snapshot,
    await client.call("contract.guard", { address }),
    await client.call("contract.change", { address }),
    await client.call("contract.change", { address: service.contract("beaconProxy") }),
    await client.call("contract.interface", { address }),
    await client.call("token.metadata", { address }),
    await client.call("rwa.market.guard", { address: service.contract("permissionedToken"), symbol: "STF" }),
    await client.call("amm.v4.hook.guard", describePool("v4FeeHook")),
    await client.call("evidence.artifact", { artifactId }),
    await client.call("obligation.verdict", { obligationId: await findObligation() }),
    await client.call("prediction.evidence", {
      question: "Will the lamp of Skerry Point be dark on the night of 31 December 2026?",
      market: service.contract("predictionMarket"),
    }),
    await client.call("prediction.evidence", { question: "Will it rain?", market: PAGE }),
    await client.call("lending.collateral.guard", describeBorrow()),
    await client.call("trade.execution.notarize", { txHash: snapshot.settlement?.transaction as Hex }),
    await client.call("web.compile", { url: PAGE }),
    await client.call("web.compile", { url: PAGE, claim: "The keeper slept" }, { useQuote: false }),
  ];
  return Promise.all(
    paid.map(async ({ answer }) => ({ answer, receipt: await client.receipt(answer.invocationId) })),
  );
}

const withService = (args: readonly string[]) => [...args, "--url", url, "--data-dir", service.dataDir];
const assay = (...args: string[]): Promise<Run> => runAssay(withService(args));

/** Runs the command as a user would, in a process of its own. */
function spawnAssay(...args: string[]): Promise<Run> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [bin, ...withService(args)], (_error, out, err) =>
      done({ code: child.exitCode, out, err }),
    );
  });
}

const implementationSlot: Hex = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** Proofs straight from the node, at the answer's block: two contracts, a wallet, and an address nobody has used. */
function proveByNode(): Promise<GetProofReturnType[]> {
  const chain = createPublicClient({ transport: http(service.rpcUrl) });
  const addresses: Hex[] = [
    service.contract("upgradeableProxy"),
    service.contract("plainToken"),
    service.wallet("alice").address,
    `0x${"dead".repeat(10)}`,
  ];
  const blockNumber = BigInt(saved.answer.result.computedAtBlock);
  const storageKeys = [implementationSlot, ...[0, 1, 2, 3].map((slot) => numberToHex(slot, { size: 32 }))];
  return Promise.all(addresses.map((address) => chain.getProof({ address, storageKeys, blockNumber })));
}

const trusted = () => ({ signer: keys.signingAddress, logKey: keys.log.publicKey });
const failingSteps = async (value: unknown) =>
  (await checkResult(value, trusted())).steps.filter(({ ok }) => !ok).map(({ name }) => name);

describe("a paid answer, saved, with no service to ask", () => {
  it("verifies: every step is checked and passes", async () => {
    await expect(fetch(url)).rejects.toThrow();
    const { code, out } = await spawnAssay(
      ...["verify", file, "--signer", keys.signingAddress, "--log-key", keys.log.publicKey],
    );
    const { computedAtBlock, validUntilBlock } = saved.answer.result;
    const address = service.contract("upgradeableProxy").toLowerCase();
    expect(out.split("\n").slice(0, 2)).toEqual([
      `The file says: REVIEW  contract.guard  address=${address}`,
      `Read at block ${computedAtBlock}, valid until block ${validUntilBlock}. Whether it has expired depends on the chain's head, which verify does not ask.`,
    ]);
    expect(out.split("\n").map((line) => line.split(/\s+/, 2).join(" "))).toEqual([
      "The file",
      "Read at",
      "",
      ...["shape", "block", "inputHash", "resultHash", "artifactId", "signature", "rule", "stateProofs"].map(
        (name) => `ok ${name}`,
      ),
      "ok logInclusion",
      "",
      "Verified: every",
      "Covered by",
      "",
    ]);
    expect(out).toMatch(/stateProofs +[1-9][0-9]+ facts proven to the state root of block/);
    expect(code).toBe(0);
  });

  it("verifies whatever was bought", async () => {
    for (const other of others) {
      const { steps } = await checkResult(other, trusted());
      const failing = steps.filter(({ ok }) => !ok);
      expect(failing, other.answer.capabilityId).toEqual([]);
    }
  });

  it("says what was not tried when only the answer was kept", async () => {
    const bare = join(directory, "bare.json");
    await writeFile(bare, JSON.stringify(saved.answer));
    const { code, out } = await assay("verify", bare, "--signer", keys.signingAddress);
    expect(out).toMatch(/^-- {4}logInclusion +Not checked: the file has no receipt\.$/m);
    expect(out).toContain("every step that could be tried passed; not tried: logInclusion.");
    expect(code).toBe(0);
    const json = await runAssay(["--json", "verify", bare]);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      conclusion: "self_consistent",
      steps: { length: 9 },
    });
  });

  it("is refused without a place in the log when the log's key is given, and not otherwise", async () => {
    const unlogged = join(directory, "unlogged.json");
    await writeFile(
      unlogged,
      JSON.stringify({ answer: saved.answer, receipt: { ...saved.receipt, log: null } }),
    );
    const bare = join(directory, "alone.json");
    await writeFile(bare, JSON.stringify(saved.answer));
    for (const incomplete of [unlogged, bare]) {
      const signer = ["--signer", keys.signingAddress] as const;
      const asked = await assay("verify", incomplete, ...signer, "--log-key", keys.log.publicKey);
      expect(asked.out).toMatch(/^FAIL {2}logInclusion +A log key was given, but nothing shows a place/m);
      expect(asked.out).toContain("Not verified: logInclusion failed.");
      expect(asked.out).not.toContain("Covered by");
      expect(asked.code).toBe(1);
      expect(await assay("verify", incomplete, ...signer)).toMatchObject({
        code: 0,
        out: expect.stringContaining("not tried: logInclusion."),
      });
    }
    expect((await checkResult(saved.answer, trusted())).ok).toBe(false);
    expect((await runAssay(["verify", unlogged])).out).toMatch(/^Covered by .* pricing, receipt, /m);
  });

  it("is self-consistent and no more when nobody says who must have signed it, as is an invented one", async () => {
    const { code, out } = await runAssay(["verify", file]);
    expect(out).toMatch(/^-- {4}signature +Not checked: signed by 0x\w{40}, but no signer/m);
    expect(out).toContain("Self-consistent only");
    expect(code).toBe(6);
    expect((await verifyResult(saved)).conclusion).toBe("self_consistent");
    expect((await verifyResult(saved, { signer: keys.signingAddress })).conclusion).toBe("verified");
  });

  it("is refused under other keys than the known ones", async () => {
    const stranger = await assay(
      ...["verify", file, "--signer", `0x${"01".repeat(20)}`, "--log-key", `${"A".repeat(43)}=`],
    );
    expect(stranger.out).toContain("Not verified: signature, logInclusion failed.");
    expect(stranger.code).toBe(1);
  });

  it("is not read under a log key that is malformed", async () => {
    for (const key of ["!!", "AAAA", "A".repeat(43), `${"A".repeat(42)}B=`, ` ${keys.log.publicKey}`]) {
      const { code, out, err } = await assay("verify", file, "--log-key", key);
      expect(err).toContain(`argument '${key}' is invalid. Give an Ed25519 key: 32 bytes in base64.`);
      expect({ code, out }).toEqual({ code: 2, out: "" });
    }
  });

  it("names on one line every field that a change goes unnoticed in", async () => {
    const line = (await runAssay(["verify", file])).out
      .split("\n")
      .find((text) => text.startsWith("Covered by"));
    const named = line?.split(": ")[1]?.replace(/\.$/, "").split(", ") ?? [];
    for (const entry of UNPROTECTED) {
      const field = entry.replace(/^answer\./, "").replace(/: changed$/, "");
      expect(named.filter((part) => field === part || field.startsWith(`${part}.`))).toHaveLength(1);
    }
    // Changed in every place in the same way, these go unnoticed too.
    const elsewhere = JSON.parse(JSON.stringify(saved).replaceAll(service.url, "http://elsewhere.test"));
    expect(elsewhere).not.toEqual(saved);
    const { pricing } = saved.answer;
    const credited = { ...pricing, listPriceUsd: pricing.listPriceUsd + 0.01, creditAppliedUsd: 0.01 };
    const repriced = {
      answer: { ...saved.answer, pricing: credited },
      receipt: { ...saved.receipt, pricing: credited },
    };
    expect(await failingSteps(elsewhere)).toEqual([]);
    expect(await failingSteps(repriced)).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(["the hosts of the links", "pricing but for pricePaidUsd"]));
  });

  it("is refused after any change to any field, but for those no hash can cover", async () => {
    expect(await failingSteps(saved)).toEqual([]);
    const unprotected = new Set<string>();
    const misplaced: string[] = [];
    let tried = 0;
    for (const { without, isMeant } of listParts()) {
      const file = spoil(without);
      expect(await failingSteps(file)).toEqual(without);
      for (const { field, what, apply } of listMutations(file, EVERY_CHARACTER, BRIEFLY)) {
        if (!isMeant(field)) continue;
        tried += 1;
        const failing = await failingSteps(apply());
        if (`${failing}` === `${without}`)
          unprotected.add(`${field}: ${what === "left out" ? what : "changed"}`);
        else if (!failing.some((step) => fittingSteps(field).includes(step) && !without.includes(step)))
          misplaced.push(`${field}, ${what}: ${failing.join(", ")}`);
      }
    }
    expect(tried).toBe(listMutations(saved, EVERY_CHARACTER, BRIEFLY).length);
    expect([...unprotected].sort()).toEqual(UNPROTECTED);
    expect(misplaced).toEqual([]);
  }, 240_000);
});

describe("a receipt without its answer", () => {
  it("is checked to a head that the log's key signed, and to no other key's", async () => {
    const { receipt } = saved;
    expect(await checkReceipt(receipt, { logKey: keys.log.publicKey })).toMatchObject({ ok: true });
    const { ok, steps } = await checkReceipt(receipt, { logKey: Buffer.alloc(32).toString("base64") });
    expect(ok).toBe(false);
    expect(steps.filter((step) => !step.ok).map(({ name }) => name)).toEqual(["logInclusion"]);
    const unlogged = await checkReceipt({ ...receipt, log: null });
    expect(unlogged.steps.map(({ checked }) => checked)).toEqual([true, true, false, false]);
  });

  it("is refused after any change to any field, but for those no hash can cover", async () => {
    const unprotected: string[] = [];
    for (const { field, apply } of listMutations(saved.receipt, /^$/)) {
      const { ok } = await checkReceipt(apply(), { logKey: keys.log.publicKey });
      if (ok) unprotected.push(field);
    }
    // The log does not have the time, the quote and the payment identifier of the call.
    expect([...new Set(unprotected)].sort()).toEqual([...["createdAt", "paymentIdentifier", "quoteId"]]);
  });
});

it("takes no record of another call or artifact for the one asked for", async () => {
  const recorded = (record: object) =>
    createClient({ baseUrl: "http://service.test", fetch: async () => Response.json(record) });
  const { invocationId } = saved.receipt;
  expect(await recorded(saved.receipt).receipt(invocationId)).toEqual(saved.receipt);
  await expect(recorded(saved.receipt).receipt("inv_other")).rejects.toThrow("another invocationId");
  await expect(recorded(reference).evidence(`sha256:${"0".repeat(64)}`)).rejects.toThrow(
    "another artifactId",
  );
});

describe("a reference to an answer", () => {
  it("is signed, and names the hashes of the answer", async () => {
    expect(await checkEvidence(reference, { signer: keys.signingAddress })).toMatchObject({ ok: true });
    expect(reference).toMatchObject({
      resultHash: saved.answer.evidenceReference.resultHash,
      inputHash: saved.answer.evidenceReference.inputHash,
    });
    const stranger = privateKeyToAccount(generatePrivateKey()).address;
    const { steps } = await checkEvidence(reference, { signer: stranger });
    expect(steps.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["signature"]);
  });

  it("is refused after any change, except to how it is computed again and to the times by the clock", async () => {
    const unprotected = new Set<string>();
    for (const { field, apply } of listMutations(reference, /^$/)) {
      const { ok } = await checkEvidence(apply(), { signer: keys.signingAddress });
      if (ok) unprotected.add(field.replace(/^(fieldPaths|recompute).*/, "$1"));
    }
    expect([...unprotected].sort()).toEqual([
      ...["block.timestamp", "fieldPaths", "origin.service", "recompute"],
      ...["validity.isLive", "validity.ttlSeconds"],
    ]);
  });
});

/** Steps that are spoiled beforehand, and the fields whose changes others than these must refuse. */
interface Part {
  readonly without: readonly string[];
  readonly isMeant: (field: string) => boolean;
}

/**
 * Checking a signature takes many times as long as all other steps. Where a change has to be refused by another step, the
 * signature is therefore spoiled beforehand in a way that is seen without computing.
 */
function listParts(): Part[] {
  const isSignature = (field: string) => field === "answer.evidenceReference.signature";
  const isResult = (field: string) => field.startsWith("answer.result.");
  const isReceipt = (field: string) => field.startsWith("receipt.");
  return [
    { without: ["signature", "logInclusion"], isMeant: isResult },
    { without: ["signature"], isMeant: isReceipt },
    { without: ["logInclusion"], isMeant: isSignature },
    {
      without: [],
      isMeant: (field) => ![isResult, isReceipt, isSignature].some((isOther) => isOther(field)),
    },
  ];
}

/** The saved file with signatures of zeros, which are of no key, in these steps. */
function spoil(steps: readonly string[]): SavedFile {
  const { answer, receipt } = structuredClone(saved);
  if (steps.includes("signature"))
    Object.assign(answer.evidenceReference, { signature: `0x${"00".repeat(65)}` });
  if (steps.includes("logInclusion") && receipt.log) {
    const checkpoint = receipt.log.checkpoint.replace(/\S+\n$/, `${"A".repeat(91)}=\n`);
    Object.assign(receipt.log, { checkpoint });
  }
  return { answer, receipt };
}

/** Short strings that might have a second spelling of the same value. */
const EVERY_CHARACTER = /evidenceReference\.signature|log\.(publicKey|checkpoint)$/;

/** Many values under one hash, and long signatures; `npm run campaign:changes` makes every change of them. */
const BRIEFLY =
  process.env.ASSAY_EVERY_CHANGE === "1"
    ? undefined
    : /^answer\.result\.|signature$|log\.(publicKey|checkpoint)$/;

/**
 * Fields that nothing in the file confirms: how long the answer still held when it was sent, the price of the next call, a
 * sentence of advice, and the time, the quote and the payment identifier of the call.
 */
const UNPROTECTED = [
  "answer.nextCall.recheck.listPriceUsdCeiling: changed",
  "answer.nextCall.validForSeconds: changed",
  "answer.nextCall.watch.note: changed",
  "receipt.createdAt: changed",
  "receipt.paymentIdentifier: changed",
  "receipt.quoteId: changed",
];

/** The steps of which one must fail when a field changes; a broken form always fits. */
function fittingSteps(field: string): string[] {
  const [, steps] = fitting.find(([prefix]) => field.startsWith(prefix)) ?? ["", []];
  return ["shape", ...steps];
}
const fitting: readonly (readonly [prefix: string, steps: readonly string[]])[] = [
  ["answer.result.evidence.proofs", ["resultHash"]],
  ["answer.result.evidence.readings", ["artifactId"]],
  ["answer.result.evidence.input", ["inputHash"]],
  ["answer.result", ["resultHash"]],
  ["answer.verdict", ["resultHash"]],
  ["answer.evidenceReference.inputHash", ["inputHash"]],
  ["answer.evidenceReference.resultHash", ["resultHash"]],
  ["answer.evidenceReference.artifactId", ["artifactId"]],
  ["answer.evidenceReference.blockHash", ["block"]],
  ["answer.evidenceReference.sign", ["signature"]],
  ["answer.nextCall.validUntilBlock", ["block"]],
  ["answer.nextCall.recheck.notBeforeBlock", ["block"]],
  ["answer.pricing", ["logInclusion"]],
  ["answer.capability", ["signature"]],
  ["answer.invocationId", ["signature"]],
  ["receipt", ["logInclusion"]],
];

describe("a paid notarization", () => {
  interface Part {
    readonly proof: { readonly status: "value"; readonly value: readonly Hex[] };
  }
  interface Notarized {
    readonly header: { readonly status: "value"; readonly value: Hex };
    readonly transaction: Part;
    readonly receipt: Part;
  }
  const flipLast = (bytes: Hex) => `${bytes.slice(0, -1)}${bytes.endsWith("0") ? "1" : "0"}` as Hex;

  /** Changes of one part each: of the header, and of every node on the path to the transaction and to its receipt. */
  function listChanges({ header, transaction, receipt }: Notarized): Partial<Notarized>[] {
    const changeEach = (part: Part) =>
      part.proof.value.map((node, place) => ({
        proof: { ...part.proof, value: part.proof.value.with(place, flipLast(node)) },
      }));
    return [
      { header: { ...header, value: flipLast(header.value) } },
      ...changeEach(transaction).map((changed) => ({ transaction: changed })),
      ...changeEach(receipt).map((changed) => ({ receipt: changed })),
    ];
  }

  it("is refused by its rule, too, after a change to the header or to any node of its proofs", async () => {
    const notarized = others.find(({ answer }) => answer.capabilityId === "trade.execution.notarize");
    if (!notarized) throw new Error("none was bought");
    const { result } = notarized.answer;
    expect(result.reasonCodes).toContain("EXECUTION_PROVEN");
    const readings = result.evidence.readings as { execution: Notarized };
    const changes = listChanges(readings.execution);
    expect(changes.length).toBeGreaterThanOrEqual(3);
    for (const change of changes) {
      const changed = { ...readings, execution: { ...readings.execution, ...change } };
      const answer = {
        ...notarized.answer,
        result: { ...result, evidence: { ...result.evidence, readings: changed } },
      };
      expect(await failingSteps({ ...notarized, answer })).toEqual(expect.arrayContaining(["rule"]));
    }
  });
});

describe("state proofs of a paid answer", () => {
  const changeEvery = (nodes: readonly Hex[], change: (node: Hex) => Hex) =>
    nodes.map((_, place) => nodes.map((node, each) => (each === place ? change(node) : node)));

  it("need each of their nodes, unchanged", async () => {
    const { proofs } = saved.answer.result.evidence as { proofs: StateProofs };
    const changed = changeEvery(
      proofs.nodes as Hex[],
      (node) => `${node.slice(0, -1)}${node.endsWith("0") ? "1" : "0"}` as Hex,
    );
    const without = proofs.nodes.map((_, place) => proofs.nodes.filter((__, each) => each !== place));
    expect(proofs.nodes.length).toBeGreaterThan(3);
    for (const nodes of [...changed, ...without]) {
      const { result } = saved.answer;
      const evidence = { ...result.evidence, proofs: { ...proofs, nodes } };
      const answer = { ...saved.answer, result: { ...result, evidence } };
      expect(await failingSteps({ ...saved, answer })).toEqual(["resultHash", "stateProofs"]);
    }
  });

  it("say what the node says about contracts, wallets and addresses without an account", () => {
    const { proofs, block } = saved.answer.result.evidence as { proofs: StateProofs; block: { hash: Hex } };
    const nodes = nodeProofs.flatMap(({ accountProof, storageProof }) => [
      ...accountProof,
      ...storageProof.flatMap(({ proof }) => proof),
    ]);
    const state = openStateProofs({ header: proofs.header, nodes }, block.hash);
    const codes = nodeProofs.map(({ address }) => state.getCodeHash(address));
    expect(codes).toEqual([nodeProofs[0]?.codeHash, nodeProofs[1]?.codeHash, null, null]);
    const words = nodeProofs.flatMap(({ address, storageProof }) =>
      storageProof.map(({ key, value }) => [
        state.getSlot(address, key as Hex),
        numberToHex(value, { size: 32 }),
      ]),
    );
    for (const [proven, reported] of words) expect(proven).toBe(reported);
    expect(words.filter(([word]) => BigInt(word as Hex) !== 0n).length).toBeGreaterThan(2);
  });

  it("catch a service that signs a made-up slot with everything else in order", async () => {
    const forged = await forge((evidence) => {
      const slots = evidence.readings.slots as Record<string, unknown>;
      slots.eip1967Admin = { status: "value", value: `0x${"0".repeat(64)}` };
    });
    expect(forged.result.reasonCodes).not.toEqual(saved.answer.result.reasonCodes);
    const { ok, steps } = await checkResult(forged);
    expect(ok).toBe(false);
    expect(steps.filter((step) => !step.ok)).toMatchObject([
      {
        name: "stateProofs",
        detail: expect.stringMatching(/^Not proven: slot 0xb5312768.* holds 0x.*, not 0x0+\.$/),
      },
    ]);
  });

  it("may be absent, if the limitations say so", async () => {
    const without = await forge((evidence) => {
      evidence.proofs = null;
    });
    expect(without.result.limitations.at(-1)).toMatch(/^PROOF_UNAVAILABLE/);
    const { ok, steps } = await checkResult(without);
    expect(ok).toBe(true);
    expect(steps.find(({ name }) => name === "stateProofs")).toMatchObject({ checked: false });
    without.result.limitations.pop();
    expect((await checkResult(without)).steps.find(({ name }) => name === "rule")).toMatchObject({
      ok: false,
    });
  });
});

interface Evidence {
  readings: Record<string, unknown>;
  proofs: StateProofs | null;
}

/** The answer as another service would have given it: changed, then judged, hashed and signed again. */
async function forge(change: (evidence: Evidence) => void): Promise<CapabilityResult> {
  const answer = structuredClone(saved.answer);
  const { result, evidenceReference, invocationId } = answer;
  const evidence = result.evidence as unknown as Evidence & {
    rule: { id: string; version: string };
    input: Record<string, unknown>;
    block: { number: number; hash: Hex; timestamp: number };
  };
  change(evidence);
  const again = (await findReevaluation(evidence.rule))?.(evidence.input, evidence.readings);
  if (!again) throw new Error("the rule is known");
  const { verdict, findings, limitations, ...said } = again.evaluation;
  const note =
    "PROOF_UNAVAILABLE: no node proved the state that was read; code and slots are as a node reported them.";
  Object.assign(evidence, { findings });
  Object.assign(result, { ...said, limitations: [...limitations, ...(evidence.proofs ? [] : [note])] });
  answer.verdict = verdict;
  const names = { capabilityId: evidence.rule.id, capabilityVersion: answer.capabilityVersion };
  const { validUntilBlock, computedAtBlock } = result;
  const { input, readings, block } = evidence;
  const signer = privateKeyToAccount(generatePrivateKey());
  const hashes = {
    inputHash: evidenceReference.inputHash,
    resultHash: resultHashOf(verdict, result),
    artifactId: artifactIdOf({
      ...names,
      network: NETWORK,
      input,
      readings,
      verdict,
      block,
      validUntilBlock,
    }),
    blockHash: block.hash,
  };
  const statement = { ...names, ...hashes, invocationId, computedAtBlock, validUntilBlock };
  const signature = await signer.signTypedData(evidenceTypedData(statement));
  const url = evidenceReference.url.replace(evidenceReference.artifactId, hashes.artifactId);
  Object.assign(evidenceReference, { ...hashes, url, signer: signer.address, signature });
  return answer;
}
