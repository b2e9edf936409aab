import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { encodeFunctionData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConnectedService } from "./testing/connectToService.js";
import { findClosedAddress } from "./testing/findClosedAddress.js";
import { getSharedService } from "./testing/getSharedService.js";
import { pauseToken } from "./testing/pauseToken.js";
import { type Run, runAssay, withDefaults } from "./testing/runAssay.js";
import { startUnreliableProxy } from "./testing/startUnreliableProxy.js";

const bin = resolve(import.meta.dirname, "../bin/assay.js");
let service: ConnectedService;
let directory: string;
beforeAll(async () => {
  [service, directory] = await Promise.all([getSharedService(), mkdtemp(join(tmpdir(), "assay-cli-"))]);
});
afterAll(async () => {
  if (directory) await rm(directory, { recursive: true, force: true });
});

/** A file of the tests' own directory. */
const file = (name: string) => join(directory, name);

/** Runs the command here, by default without a wallet. */
const assay = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
  runAssay(withDefaults(args, { "--url": service.url, "--data-dir": file(".data") }), env);

/** Runs the command as a user would, in a process and a directory of its own. */
function spawnAssay(
  args: readonly string[],
  env: Record<string, string> = {},
  onStart?: (pid: number) => void,
): Promise<Run> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, ASSAY_URL: service.url, ...env },
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    child.on("close", (code) => done({ code, out, err }));
    if (child.pid) onStart?.(child.pid);
  });
}

const withTestWallet = (...args: string[]) => assay([...args, "--data-dir", service.dataDir]);

describe("assay", () => {
  it("lists the catalog and the health of the service", async () => {
    const [catalog, health] = await Promise.all([spawnAssay(["catalog"]), assay(["health", "--json"])]);
    expect(catalog).toMatchObject({ code: 0, err: "" });
    expect(catalog.out).toMatch(/^contract\.guard +\$0\.02 \/ \$0\.05 \/ \$0\.10 +shared$/m);
    expect(JSON.parse(health.out)).toMatchObject({ status: "ready" });
  });

  it("prices a call for the default test wallet and says that it is one", async () => {
    const { code, out } = await withTestWallet("quote", "chain.snapshot");
    expect(code).toBe(0);
    expect(out).toMatch(/^\$0\.00[25] for chain\.snapshot/);
    expect(out).toContain(`TEST WALLET alice ${service.wallet("alice").address}`);
  });

  it("calls, prints the verdict for people, saves the answer with its receipt, verifies both and shows the receipt", async () => {
    // Nobody else buys an answer about it, which would lower the price.
    const address = service.contract("uupsProxy");
    const { code, out, err } = await withTestWallet(
      "call",
      "contract.guard",
      "--address",
      address,
      "--save",
      file("guard.json"),
    );
    expect(err).toBe("");
    expect(code).toBe(10);
    expect(out).toMatch(/^REVIEW {2}contract\.guard\n/);
    expect(out).toMatch(/PROXY_EIP1967 +The contract is an upgradeable proxy \(ERC-1967\)\./);
    expect(out).toMatch(/valid +until block \d+, about \d+ s/);
    expect(out).toMatch(/price +\$0\.10 paid \(computed for this call\)/);
    expect(out).toMatch(/paid by +TEST WALLET alice/);
    expect(out).toMatch(/transaction +0x[0-9a-f]{64}/);
    expect(out).not.toContain("\u001b");

    const saved = file("guard.json");
    const { answer, receipt: savedReceipt } = JSON.parse(await readFile(saved, "utf8"));
    const { invocationId } = answer;
    expect(savedReceipt).toMatchObject({
      invocationId,
      state: "settled",
      log: { index: expect.any(Number) },
    });
    const receipt = await assay(["receipt", invocationId]);
    expect(receipt.out).toContain(`${invocationId}: settled`);
    expect(receipt.out).toContain("yes, $0.10");

    const good = await assay(["verify", saved]);
    expect(good).toMatchObject({ code: 0 });
    expect(good.out).toContain("Verified: every step passed.");
    const alone = await runAssay(["verify", saved]);
    expect(alone).toMatchObject({ code: 6 });
    expect(alone.out).toContain("Self-consistent only");
    expect(alone.out).not.toContain("Verified");

    const changed = (await readFile(saved, "utf8")).replace('"verdict":"review"', '"verdict":"allow"');
    await writeFile(file("changed.json"), changed);
    const bad = await assay(["verify", file("changed.json")]);
    expect(bad.code).toBe(1);
    expect(bad.out).toMatch(/^FAIL {2}resultHash/m);
    expect(bad.out).toContain("Not verified: resultHash, artifactId, rule failed.");
    expect((await assay(["verify", "missing.json"])).err).toContain("missing.json cannot be read.");
  });

  it("pays nothing when the answer could not be saved", async () => {
    await writeFile(file("kept.json"), "kept");
    const { address } = service.wallet("grace");
    const before = await service.balanceOf(address);
    const call = (target: string) =>
      withTestWallet("call", "chain.snapshot", "--no-quote", "--wallet", "grace", "--save", target);
    expect(await call("missing/x.json")).toEqual({
      code: 2,
      out: "",
      err: "assay: --save missing/x.json cannot be written: there is no such folder. No payment was sent.\n",
    });
    expect((await call(".")).err).toContain(
      "--save . cannot be written: it is a folder. No payment was sent.",
    );
    expect((await call(file("kept.json/x.json"))).err).toContain("a part of its path is not a folder.");
    expect((await call("")).err).toBe("assay: --save needs the name of a file. No payment was sent.\n");
    expect(await service.balanceOf(address)).toBe(before);

    const refused = ["--max-price", "0.000001"];
    for (const name of ["kept.json", "never.json"]) {
      const args = ["call", "chain.snapshot", "--wallet", "grace", "--save", file(name), ...refused];
      expect((await withTestWallet(...args)).err).toContain("Nothing was signed.");
    }
    expect(await readFile(file("kept.json"), "utf8")).toBe("kept");
    expect(await readdir(directory)).not.toContain("never.json");
  });

  it("prints a paid answer even if it can no longer be saved", async () => {
    const proxy = await startUnreliableProxy(service.url);
    const folder = await mkdtemp(file("gone-"));
    const target = join(folder, "x.json");
    try {
      proxy.faults = Array.from({ length: 1000 }, () => "unavailable" as const);
      const waiting = setInterval(async () => {
        if (proxy.payments.length === 0) return;
        clearInterval(waiting);
        await rm(folder, { recursive: true });
        proxy.faults = [];
      }, 20);
      const run = await withTestWallet(
        "call",
        "chain.snapshot",
        "--no-quote",
        "--save",
        target,
        "--url",
        proxy.url,
      );
      expect(run.out).toMatch(/ALLOW\)? {2}chain\.snapshot\n/);
      expect(run.err).toBe(
        `assay: The answer is paid for and printed, but ${target} could not be written: there is no such folder.\n`,
      );
      expect(run.code).toBe(1);
    } finally {
      await proxy.stop();
    }
  });

  it("prints the service's JSON alone with --json and exits by the verdict", async () => {
    const asked = ["contract.guard", "--address", service.contract("boxV1")];
    const allowed = await withTestWallet("--json", "call", ...asked, "--no-quote");
    expect(allowed).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(allowed.out)).toMatchObject({ capabilityId: "contract.guard", verdict: "allow" });
  });

  it("exits 20 when the verdict is block", async () => {
    const token = service.contract("pausableToken");
    await pauseToken(service.rpcUrl, token);
    const { code, out } = await withTestWallet("call", "contract.guard", "--address", token);
    expect(out).toMatch(/^BLOCK/);
    expect(code).toBe(20);
  });

  it("takes the old name of transaction.intent.guard, says so beside the answer, and verifies it", async () => {
    const alice = service.wallet("alice").address;
    const abi = parseAbi(["function swapExactETHForTokens(uint256, address[], address, uint256)"]);
    const path = [service.contract("weth"), service.contract("honeypotToken")];
    const deadline = BigInt(Math.floor(Date.now() / 1000) + 600);
    const data = encodeFunctionData({ abi, args: [985n * 10n ** 18n, path, alice, deadline] });
    const asked = ["--from", alice, "--to", service.contract("uniswapV2Router"), "--data", data];
    const swap = [...asked, "--value", (10n ** 17n).toString()];
    const { code, out, err } = await withTestWallet(
      "call",
      "tx.preflight",
      ...swap,
      "--save",
      file("old.json"),
    );
    expect(err).toBe(
      "assay: tx.preflight is deprecated; call it by its new name, transaction.intent.guard.\n",
    );
    expect(code).toBe(20);
    expect(out).toMatch(/^BLOCK {2}transaction\.intent\.guard\n/);
    expect(out).toContain("BOUGHT_TOKEN_NOT_SELLABLE");
    const [verified, quoted] = await Promise.all([
      assay(["verify", file("old.json")]),
      withTestWallet("quote", "tx.preflight", ...swap),
    ]);
    expect(verified).toMatchObject({ code: 0, err: "" });
    expect(quoted).toMatchObject({ code: 0, err });
    expect(quoted.out).toMatch(/^\$0\.25 for transaction\.intent\.guard/);
  });

  it("pays with a key from a file or the environment", async () => {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    await writeFile(file("key"), `${key}\n`, { mode: 0o600 });
    const fromFile = await assay(["quote", "chain.snapshot", "--private-key-file", file("key")]);
    expect(fromFile.out).toContain(`wallet ${address}`);
    expect(fromFile.out).not.toContain("TEST");
    const fromEnvironment = await assay(["call", "chain.snapshot"], { ASSAY_PRIVATE_KEY: key });
    expect(fromEnvironment.code).toBe(4);
    expect(fromEnvironment.err).toContain("does not hold enough of the stablecoin");
    const broken = await assay(["call", "chain.snapshot"], { ASSAY_PRIVATE_KEY: "0x1234" });
    expect(broken.err).toContain("ASSAY_PRIVATE_KEY must be a private key");
    expect(broken.err).not.toContain("0x1234");
    const bob = await withTestWallet("quote", "chain.snapshot", "--wallet", "bob");
    expect(bob.out).toContain("TEST WALLET bob");
    expect((await withTestWallet("quote", "chain.snapshot", "--wallet", "zoe")).err).toContain(
      "it has alice, bob",
    );
  });

  it("says what to do next when something is wrong", async () => {
    const address = service.contract("plainToken");
    const runs = await Promise.all([
      assay(["catalog", "--url", await findClosedAddress()]),
      assay(["call", "chain.snapshot"]),
      withTestWallet("call", "contract.guard", "--address", "0x12"),
      withTestWallet("call", "contract.guard"),
      withTestWallet("call", "contract.guard", "--address", address, "--max-price", "0.01"),
      withTestWallet("call", "contract.guard", "--address", address, "--max-price", "cheap"),
      assay(["receipt", "inv_none"]),
    ]);
    const expected = [
      [3, "Start it with npm start"],
      [2, "--private-key-file"],
      [2, "--address must be 0x followed by 40 hex digits"],
      [2, "required option '--address <value>' not specified"],
      [4, "Nothing was signed. Pass --max-price 0."],
      [2, "Give an amount in USD"],
      [1, "No invocation has that id."],
    ] as const;
    expect(runs.map(({ code, out }) => [code, out])).toEqual(expected.map(([code]) => [code, ""]));
    runs.forEach(({ err }, index) => {
      expect(err).toContain(expected[index]?.[1]);
    });
  });

  it("keeps a payment whose outcome is unknown, and resumes it without paying again", async () => {
    const proxy = await startUnreliableProxy(service.url);
    try {
      proxy.faults = Array.from({ length: 100 }, () => "unavailable" as const);
      const { address } = service.wallet("frank");
      const before = await service.balanceOf(address);
      const interrupted = await spawnAssay(
        [
          "call",
          "contract.guard",
          "--address",
          service.contract("erc1155"),
          "--wallet",
          "frank",
          "--data-dir",
          service.dataDir,
        ],
        { ASSAY_URL: proxy.url },
        (pid) => {
          const waiting = setInterval(() => {
            if (proxy.payments.length === 0) return;
            clearInterval(waiting);
            process.kill(pid, "SIGINT");
          }, 20);
        },
      );
      expect(interrupted.code).toBe(5);
      expect(interrupted.err).toContain("assay resume assay-payment-");
      const kept = (await readdir(directory)).find((name) => name.startsWith("assay-payment-")) ?? "";
      proxy.faults = [];
      const resumed = await assay(["resume", file(kept)]);
      expect(resumed.out).toMatch(/^ALLOW {2}contract\.guard/);
      expect(before - (await service.balanceOf(address))).toBe(100_000n);
    } finally {
      await proxy.stop();
    }
  });

  it("teaches by --help", async () => {
    const [help, call, swap, challenge] = await Promise.all([
      assay(["--help"]),
      assay(["call", "--help"]),
      assay(["call", "amm.v4.hook.guard", "--help"]),
      assay(["challenge", "--help"]),
    ]);
    expect(help.code).toBe(0);
    expect(help.out).toContain("Exit codes: 0 allow (or done), 10 review, 20 block.\n");
    expect(call.out).toContain("transaction.intent.guard");
    expect(swap.out).toContain("--tick-spacing <value>");
    expect(challenge.out).toContain("Finding nothing proves nothing unless every block was read.");
  });
});
