import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import {
  type Hex,
  type KeyEndorsement,
  keyEndorsementTypedData,
  type ServiceDescription,
} from "@assay/protocol";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { checkDeployment } from "./checkDeployment.js";
import { checkLogHead } from "./checkLogHead.js";
import { checkResult } from "./checkResult.js";
import { createClient } from "./createClient.js";
import { followKeys } from "./followKeys.js";
import { copyDatabase } from "./testing/copyDatabase.js";
import { type RunningService, startService } from "./testing/startService.js";

// The drill: a service changes its key, and callers who keep the former one notice nothing but its name.

const bundle = resolve(import.meta.dirname, "../../service/dist/bundle");
const former = generatePrivateKey();
const next = generatePrivateKey();
const addressOf = (key: Hex) => privateKeyToAccount(key).address;
const keysAfter = `${next},${former}`;
const question = { address: "" as Hex };
let databaseUrl: string;
let before: RunningService;
let afterUrl: string;
const undo: (() => Promise<unknown>)[] = [];

/** A second process over the same chain and database, with the settings of the time after. */
async function startAfter(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "assay-rotated-"));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const probe = await fetch(`${before.url}/api/v1/capabilities/chain.snapshot/invoke`);
  const [{ payTo, asset: token }] = ((await probe.json()) as { accepts: [{ payTo: string; asset: string }] })
    .accepts;
  const child = spawn(process.execPath, [join(bundle, "main.js")], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", LOG_LEVEL: "warn", DATA_DIR: dataDir },
      ...{ DATABASE_URL: databaseUrl, RPC_URL: before.rpcUrl, PAY_TO: payTo },
      ...{ STABLECOIN_ADDRESS: token, SERVICE_SIGNING_KEY: keysAfter },
      SETTLER_PRIVATE_KEY: settlerKey,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  undo.push(async () => {
    const exited = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await exited;
  });
  let output = "";
  return new Promise((ready, fail) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const found = /^\s*service\s+(http:\S+)/m.exec(output)?.[1];
      if (found) ready(found);
    });
    child.once("exit", () => fail(new Error(`the service did not start:\n${output}`)));
  });
}
let settlerKey: Hex;

beforeAll(async () => {
  databaseUrl = await copyDatabase(inject("postgresUrl"));
  before = await startService({ DATABASE_URL: databaseUrl, SERVICE_SIGNING_KEY: former });
  undo.push(() => before.stop());
  question.address = before.contract("plainToken");
  const { accounts } = JSON.parse(await readFile(join(before.dataDir, "devnet.json"), "utf8"));
  settlerKey = accounts.at(-1).privateKey;
});
afterAll(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
});

const clientOf = (baseUrl: string, signer: Hex, fetch = globalThis.fetch) =>
  createClient({
    ...{ baseUrl, signer, fetch, audience: baseUrl, account: before.wallet("alice") },
    assets: [asset],
  });
let asset: Hex;

test("a caller who keeps the former key buys, verifies and follows the log through a rotation", async () => {
  asset = JSON.parse(await readFile(join(before.dataDir, "devnet.json"), "utf8")).stablecoin.address;
  const caller = clientOf(before.url, addressOf(former));
  const old = await caller.call("token.metadata", question);
  const { head } = await checkLogHead(caller);
  const { log: logBefore } = await caller.describe();

  const admin = await promisify(execFile)(process.execPath, [join(bundle, "admin.js"), "rotate"], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, SERVICE_SIGNING_KEY: keysAfter },
  });
  expect(admin.stdout).toContain(`${addressOf(former)} has named ${addressOf(next)} as its successor.`);
  afterUrl = await startAfter();

  const pinned = clientOf(afterUrl, addressOf(former));
  const bought = await pinned.call("chain.snapshot", {});
  expect(bought.answer.evidenceReference.signer).toBe(addressOf(next));
  expect(bought.verification.conclusion).toBe("verified");

  // A price that one process named is one that the other takes, in both directions.
  for (const [asked, paid] of [
    [afterUrl, before.url],
    [before.url, afterUrl],
  ] as const) {
    // Its price holds for longer than that of an answer about to end.
    const address = question.address;
    const prepared = await clientOf(asked, addressOf(former)).prepareUnquoted("contract.interface", {
      address,
    });
    const moved = {
      ...prepared,
      request: { ...prepared.request, url: prepared.request.url.replace(asked, paid) },
    };
    expect((await clientOf(paid, addressOf(former)).send(moved)).answer.capabilityId).toBe(
      "contract.interface",
    );
  }

  // The log goes on under its name, and its heads are signed by both keys.
  const { log, endorsements } = await pinned.describe();
  expect(log.origin).toBe(logBefore.origin);
  expect(log.publicKey).not.toBe(logBefore.publicKey);
  expect((await pinned.logCheckpoint()).split("\n— ")).toHaveLength(3);
  expect(await checkLogHead(pinned, head)).toMatchObject({ ok: true });
  const deployment = await checkDeployment({ baseUrl: afterUrl, signer: addressOf(former) });
  expect(deployment.steps.find(({ name }) => name === "audience")).toMatchObject({
    ok: true,
    detail: expect.stringContaining("has named as its successor"),
  });

  // Once the former key is gone, the statement leads to the log's new key.
  const followed = await followKeys(addressOf(former), endorsements);
  expect(followed.hasLogKey(log.publicKey, log.origin)).toBe(true);
  expect(followed.hasLogKey(log.publicKey, "assay/another")).toBe(false);
  // What the former key signed is good for those who keep either.
  expect((await checkResult(old.answer, { signer: addressOf(former) })).conclusion).toBe("verified");
  expect(await pinned.followSigner(addressOf(next), addressOf(former))).toBe(addressOf(former));
}, 60_000);

test("a statement that the former key has not signed leads nowhere", async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const real = (await (await fetch(`${afterUrl}/.well-known/assay.json`)).json()) as ServiceDescription;
  const [genuine] = real.endorsements as [KeyEndorsement];
  const sign = async (by: typeof stranger, succession: KeyEndorsement) =>
    by.signTypedData(keyEndorsementTypedData(succession));
  // As a service would show it that somebody else runs: its own key at the end, and a signature of its own in place of the former key's.
  const forged = { ...genuine, signer: stranger.address };
  const forgeries: KeyEndorsement[][] = [
    [],
    [genuine],
    [
      {
        ...forged,
        previousSignature: await sign(stranger, forged),
        signature: await sign(stranger, forged),
      },
    ],
    [{ ...forged, previousSignature: genuine.previousSignature, signature: await sign(stranger, forged) }],
    // Of the genuine statement the former key's word, without the successor's.
    [{ ...genuine, signature: await sign(stranger, genuine) }],
  ];
  for (const [i, endorsements] of forgeries.entries()) {
    const shown: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input instanceof Request ? input.url : input).endsWith("/.well-known/assay.json"))
        return response;
      return Response.json({ ...real, endorsements });
    };
    const client = clientOf(afterUrl, addressOf(former), shown);
    const isGenuine = i === 1;
    expect(await client.followSigner(addressOf(former), addressOf(next))).toBe(
      addressOf(isGenuine ? next : former),
    );
    expect(await client.followSigner(addressOf(former), stranger.address)).toBe(addressOf(former));
    if (!isGenuine)
      await expect(client.call("chain.snapshot", {})).rejects.toThrow(/the expected key of the service/);
  }
});
