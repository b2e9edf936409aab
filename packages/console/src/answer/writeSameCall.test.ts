import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type CapabilityId, createClient, getCapability } from "@assay/client";
import { runAssay } from "@assay/client/testing/runAssay";
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
    // Inside the repository, where its packages are found.
    folder = await mkdtemp(join(root, ".data-pasted-"));
    await writeFile(join(folder, "npx"), '#!/bin/sh\nprintf \'%s\\n\' "$ASSAY_PRIVATE_KEY" "$@"\n');
    await chmod(join(folder, "npx"), 0o755);
  });
  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const write = (id: CapabilityId, input: object, other: { signer?: string } = {}) =>
    writeSameCall(getCapability(id), input, {
      ...{ origin: service.url, signer, testKey, wallet: service.wallet("alice").address },
      ...other,
    });
  const inShell = async (text: string) => {
    const env = { PATH: `${folder}:${process.env.PATH}` };
    return (await run("bash", ["-c", text], { cwd: folder, env })).stdout;
  };
  /** Runs the command with what a shell makes of it, without a process of its own, which takes most of the time. */
  const asCommand = async (text: string) => {
    const [key = "", name, ...args] = (await inShell(text)).trimEnd().split("\n");
    expect(name).toBe("assay");
    return runAssay(
      args.map((word) => (word === "answer.json" ? join(folder, word) : word)),
      { ASSAY_PRIVATE_KEY: key },
    );
  };
  /** What the script prints; it runs in this process, too. */
  const asScript = async (name: string, text = "") => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, text);
    vi.stubEnv("ASSAY_PRIVATE_KEY", testKey);
    const printed = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      await import(file);
      return printed.mock.calls.map((values) => values.join(" ")).join("\n");
    } finally {
      printed.mockRestore();
      vi.unstubAllEnvs();
    }
  };
  const address = () => service.contract("plainToken");

  it.each([
    ["contract.guard", () => ({ address: address(), unset: null })],
    ["transaction.intent.guard", () => ({ from: service.wallet("alice").address, to: address() })],
    ["web.compile", () => ({ url: "http://example.org/it's?a=1&b=2" })],
  ] as const)("as curl asks the price of %s", async (id, input) => {
    expect(await inShell(write(id, input()).curl)).toMatch(/^HTTP\/1.1 402 /);
  });

  it("as a command pays from a test wallet wherever the service keeps its data", async () => {
    const { out } = await asCommand(write("contract.guard", { address: address() }).cli);
    expect(out).toMatch(/ALLOW\)? {2}contract\.guard\n/);
    // What the shell must not touch arrives as it was written.
    const url = "http://example.org/it's?a=1&b=$HOME";
    expect(await inShell(write("web.compile", { url }).cli)).toContain(`--input-url\n${url}\n`);
  });

  it("as a script goes on after a verified allow and after nothing else", async () => {
    const allow = write("contract.guard", { address: address() }).typescript;
    expect(await asScript("allow", allow)).toMatch(/^allow /);
    const review = write("contract.guard", { address: service.contract("transparentProxy") }).typescript;
    await expect(asScript("review", review)).rejects.toThrow(/^review: /);
    const other = write("contract.guard", { address: address() }, { signer: address() }).typescript;
    await expect(asScript("other", other)).rejects.toThrow("offers no payment");
  });
});
