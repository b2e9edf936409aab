import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type CapabilityId, createClient, getCapability } from "@assay/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { service } from "../testing/service.js";
import { writeSameCall } from "./writeSameCall.js";

const root = resolve(import.meta.dirname, "../../../..");
const run = promisify(execFile);

describe("the same call, copied", () => {
  let folder: string;
  let signer: string;
  let testKey: string;
  beforeAll(async () => {
    const client = createClient({ baseUrl: service.url });
    signer = (await client.describe()).signingAddress;
    testKey = (await client.findLocalChain())?.accounts[0]?.privateKey ?? "";
    // Inside the repository, where its packages are found, and outside a workspace, into which npx would change.
    folder = await mkdtemp(join(root, ".data-pasted-"));
  });
  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const write = (id: CapabilityId, input: object, other: { signer?: string } = {}) =>
    writeSameCall(getCapability(id), input, {
      ...{ origin: service.url, signer, testKey, wallet: service.wallet("alice").address },
      ...other,
    });
  const inShell = (text: string) =>
    run("bash", ["-c", text], { cwd: folder, env: { PATH: process.env.PATH } });
  const asScript = async (text = "") => {
    const file = join(folder, "pasted.mjs");
    await writeFile(file, text);
    return run(process.execPath, [file], { cwd: folder, env: { ASSAY_PRIVATE_KEY: testKey } });
  };
  /** The same without a process of its own, which takes most of the time. */
  const asModule = async (name: string, text = "") => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, text);
    vi.stubEnv("ASSAY_PRIVATE_KEY", testKey);
    try {
      await import(file);
    } finally {
      vi.unstubAllEnvs();
    }
  };
  const address = () => service.contract("plainToken");

  it.each([
    ["contract.guard", () => ({ address: address(), unset: null })],
    ["transaction.intent.guard", () => ({ from: service.wallet("alice").address, to: address() })],
    ["web.compile", () => ({ url: "http://example.org/it's?a=1&b=2" })],
  ] as const)("as curl asks the price of %s", async (id, input) => {
    const { stdout } = await inShell(write(id, input()).curl);
    expect(stdout).toMatch(/^HTTP\/1.1 402 /);
  });

  it("as a command pays from a test wallet wherever the service keeps its data", async () => {
    const { stdout } = await inShell(write("contract.guard", { address: address() }).cli);
    expect(stdout.toLowerCase()).toContain("allow");
  });

  it("as a script goes on after a verified allow and after nothing else", async () => {
    const { stdout } = await asScript(write("contract.guard", { address: address() }).typescript);
    expect(stdout).toMatch(/^allow /);
    const review = write("contract.guard", { address: service.contract("upgradeableProxy") }).typescript;
    await expect(asModule("review", review)).rejects.toThrow(/^review: /);
    const other = write("contract.guard", { address: address() }, { signer: address() }).typescript;
    await expect(asModule("other", other)).rejects.toThrow(/signed by/i);
  });
});
