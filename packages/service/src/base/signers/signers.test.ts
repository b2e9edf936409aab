import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hex, keccak256 } from "@assay/protocol";
import { toHex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findSigner, toSignatureHex } from "../secp256k1.js";
import { readDerSignature } from "./derKeys.js";
import type { DigestSigner } from "./digestSigner.js";
import { findSignerPlace, openSigner } from "./openSigner.js";
import { GCP_VERSION, gcpCredentials, type KeyService, startKeyService } from "./testing/startKeyService.js";

const PRIVATE_KEY: Hex = `0x${"4d".repeat(32)}`;
const MESSAGE = toHex("what is signed");
let service: KeyService;
let folder: string;
const open: DigestSigner[] = [];
const formerEnvironment = { ...process.env };

beforeAll(async () => {
  service = await startKeyService(PRIVATE_KEY);
  folder = mkdtempSync(join(tmpdir(), "assay-keys-"));
  writeFileSync(join(folder, "gcp.json"), gcpCredentials(service));
  // Where an operator of AWS and of Google's cloud says these things.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_KMS: service.url,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    GOOGLE_APPLICATION_CREDENTIALS: join(folder, "gcp.json"),
  });
});
afterEach(() => {
  service.mood = "well";
  for (const signer of open.splice(0)) signer.close();
});
afterAll(async () => {
  process.env = formerEnvironment;
  await service.close();
  rmSync(folder, { recursive: true });
});

const placeOf = {
  "AWS KMS": () => "aws-kms:alias/assay",
  "Google Cloud KMS": () => `gcp-kms:${GCP_VERSION}`,
  Web3Signer: () => `web3signer:${service.url}/${service.address}`,
};

async function openOne(name: keyof typeof placeOf, timeoutMs = 3_000): Promise<DigestSigner> {
  const place = findSignerPlace(placeOf[name]());
  if (!place) throw new Error("the setting is understood");
  const signer = await openSigner(place, { gcpEndpoint: service.url, timeoutMs, firstPauseMs: 50 });
  open.push(signer);
  return signer;
}

const refusalOf = async (work: () => unknown) => {
  try {
    await work();
    return "nothing was refused";
  } catch (error) {
    return error as Error & { code?: string };
  }
};

describe.each(Object.keys(placeOf) as (keyof typeof placeOf)[])("a key in %s", (name) => {
  it("signs what its address is recovered from, with low s each time", async () => {
    const signer = await openOne(name);
    expect(signer.address).toBe(service.address);
    for (let i = 0; i < 4; i++) {
      const preimage = toHex(`message ${i}`);
      const signature = toSignatureHex(await signer.sign(preimage));
      // findSigner refuses a high s and every v but 27 and 28.
      expect(findSigner(keccak256(preimage), signature)).toBe(service.address.toLowerCase());
    }
  });

  it.each([
    ["throttled", /./],
    ["down", /./],
    ["wrong key", /the signature is not of the key that was asked/],
    ["nonsense", /./],
  ] as const)("gives no signature where its keeper is: %s", async (mood, why) => {
    const signer = await openOne(name);
    service.mood = mood;
    const error = await refusalOf(() => signer.sign(MESSAGE));
    expect(error).toMatchObject({ code: "signer_unavailable", retryAfterSeconds: 2 });
    // What the operator learns is not for callers: it names hosts and accounts.
    expect((error as Error).message).toBe("The service's key does not sign now. Retry shortly.");
    expect(String((error as Error).cause)).toMatch(why);
    // For a while nobody is asked, then it heals by itself.
    const asked = service.asked();
    expect(signer.findTrouble()).toBeDefined();
    expect(await refusalOf(() => signer.sign(MESSAGE))).toMatchObject({ code: "signer_unavailable" });
    expect(service.asked()).toBe(asked);
    service.mood = "well";
    await new Promise((done) => setTimeout(done, 60));
    await signer.verifyReady();
    expect(signer.findTrouble()).toBeUndefined();
  });
});

it("waits for a slow keeper no longer than it may, and throws away what comes then", async () => {
  const signer = await openOne("AWS KMS", 150);
  service.mood = "slow";
  const startedAtMs = Date.now();
  const error = (await refusalOf(() => signer.sign(MESSAGE))) as Error;
  expect(String(error.cause)).toContain("no signature within 150 ms");
  expect(Date.now() - startedAtMs).toBeLessThan(1_500);
});

it("asks once for the same bytes, however many wait for them", async () => {
  const signer = await openOne("Web3Signer");
  const before = service.signed();
  const all = await Promise.all(Array.from({ length: 20 }, () => signer.sign(MESSAGE)));
  expect(new Set(all.map((signature) => JSON.stringify(signature))).size).toBe(1);
  expect(service.signed() - before).toBe(1);
});

it("counts what fails together as one trouble, so that a burst closes the way for no longer than one failure", async () => {
  const signer = await openOne("Web3Signer");
  service.mood = "down";
  const asked = Array.from({ length: 40 }, (_, i) => signer.sign(toHex(`burst ${i}`)));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  service.mood = "well";
  // Forty failures one after another would close it for ten seconds.
  await expect.poll(() => signer.findTrouble(), { timeout: 2_000 }).toBeUndefined();
});

it("refuses at the start a key that the keeper does not have", async () => {
  const place = findSignerPlace(`web3signer:${service.url}/0x${"11".repeat(20)}`);
  const error = await refusalOf(() => place && openSigner(place));
  expect(String(error)).toContain("the signer does not have the key of 0x1111");
});

it("reads numbers of any length in DER, and nothing else", () => {
  const short = Uint8Array.from([0x30, 6, 2, 1, 5, 2, 1, 7]);
  expect(readDerSignature(short)).toEqual({ r: toHex(5, { size: 32 }), s: toHex(7, { size: 32 }) });
  const wrong = ["", "3006020105020107ff", "3007020105020107", "3006030105020107", "300602010502ff07"];
  for (const hex of wrong)
    expect(() => readDerSignature(Buffer.from(hex, "hex")), hex).toThrow("the signature is not DER");
});
