import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConnectedService } from "../testing/connectToService.js";
import { getSharedService } from "../testing/getSharedService.js";
import { APPROVE, json, USDC } from "../testing/pastes.js";
import { type Run, runAssay } from "../testing/runAssay.js";

let service: ConnectedService;
let folder: string;
beforeAll(async () => {
  [service, folder] = await Promise.all([getSharedService(), mkdtemp(join(tmpdir(), "assay-check-"))]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (args: readonly string[], input = ""): Promise<Run> =>
  runAssay(["--url", service.url, "--data-dir", service.dataDir, "--wallet", "judy", ...args], {}, input);
const balance = () => service.balanceOf(service.wallet("judy").address);
const MISTYPED = USDC.replace("fCD", "FCD");

describe("assay check", () => {
  it("says what it is, what is asked and what it costs, and pays nothing where nobody can be asked", async () => {
    const before = await balance();
    const { code, out, err } = await run(["check", service.contract("plainToken")]);
    expect([code, out]).toEqual([4, ""]);
    expect(err).toMatch(
      /^This is the address 0x.*\.\nAsks contract\.guard: .*\nOthers that take it: token\.launch\.guard, /,
    );
    expect(err).toMatch(
      /It costs \$0\.\d+\. Nothing was paid, because nobody can be asked here: pass --yes\./,
    );
    expect(await balance()).toBe(before);
  });

  it("pays with --yes and prints the verdict of the capability that fits", async () => {
    const from = service.wallet("judy").address;
    const transaction = json({
      from,
      to: service.contract("plainToken"),
      data: "0x",
      value: "0x0",
      chainId: 8453,
    });
    const ofInput = await run(["check", "-", "--yes"], transaction);
    expect(ofInput.out).toMatch(/^(ALLOW|REVIEW|BLOCK) {2}transaction\.intent\.guard\n/);
    const file = join(folder, "given.json");
    await writeFile(file, transaction);
    const doubtful = await run(["check", file, "--yes"]);
    expect([doubtful.code, doubtful.err]).toEqual([2, expect.stringContaining(`give --tx ${file}`)]);
    for (const [named, input] of [
      [file, ""],
      ["-", transaction],
    ] as const)
      expect((await run(["check", "--tx", named], input)).err).toContain("Asks transaction.intent.guard");
    const ofToken = await run(["check", service.contract("plainToken"), "--rpc", service.rpcUrl]);
    expect(ofToken.err).toContain("Asks token.launch.guard");
    const chosen = await run(["check", "USDC", "--capability", "token.metadata", "--yes", "--json"]);
    expect(JSON.parse(chosen.out)).toMatchObject({
      capabilityId: "token.metadata",
      result: { evidence: { input: { address: USDC.toLowerCase() } } },
    });
  });

  it.each([
    [
      "calldata without its place",
      [APPROVE],
      "Add --from, the account that would send it, and --to, the contract",
    ],
    ["a text without its signer", ["Please sign this"], "Add --from, the account that is asked to sign it"],
    ["a symbol of two tokens", ["PEPE"], "Several known tokens have this symbol"],
    ["a wrong checksum", [MISTYPED], "wrong checksum"],
    ["a wrong checksum of an option", [APPROVE, "--to", MISTYPED], "wrong checksum"],
    ["a transaction of another chain", [json({ to: USDC, chainId: 1 })], "only Base"],
    ["a capability that does not take it", ["USDC", "--capability", "web.compile"], "does not take"],
    ["a value that is none", [APPROVE, "--value", "1.5"], "--value must be in wei"],
    ["nothing", [], "Say what to check"],
    ["a private key", ["ab".repeat(32)], "may be a private key"],
  ])("refuses %s before it asks anybody", async (_, args, sentence) => {
    const { code, out, err } = await run(["check", ...args, "--yes"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    expect(err).not.toContain("ab".repeat(32));
  });
});

describe("a transaction for assay call", () => {
  const quote = (...args: string[]) => ["quote", "transaction.intent.guard", ...args];
  const transaction = () =>
    json({
      from: service.wallet("judy").address,
      to: service.contract("plainToken"),
      data: "0x",
      value: "0x0",
    });

  it("is taken as an argument, with --tx, from a file and from standard input", async () => {
    const file = join(folder, "tx.json");
    await writeFile(file, transaction());
    const runs = await Promise.all([
      run(quote(transaction())),
      run(quote("--tx", transaction())),
      run(quote("--tx", file)),
      run(quote("--tx", "-"), transaction()),
      run(
        quote(
          "--from",
          service.wallet("judy").address,
          "--to",
          service.contract("plainToken"),
          "--value",
          "0x0",
        ),
      ),
    ]);
    for (const { code, out, err } of runs)
      expect([code, err, out]).toEqual([0, "", expect.stringContaining("for transaction.intent.guard")]);
  });

  it.each([
    ["other options", ["--value", "1"], "--value differs from the transaction, which says 0."],
    ["--tx too", ["--tx", "{}"], "not both"],
  ])("is refused with %s that contradict it", async (_, more, sentence) => {
    const { code, err } = await run(quote(transaction(), ...more));
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("is refused where it is something else", async () => {
    expect((await run(quote(USDC))).err).toContain("and not a transaction to check");
    expect((await run(quote("--tx", join(folder, "none.json")))).err).toContain("cannot be read");
    expect((await run(quote(json({ from: MISTYPED, to: USDC })))).err).toContain("wrong checksum");
  });
});

describe("a wrong checksum", () => {
  it.each([
    ["call contract.guard", ["call", "contract.guard", "--address", MISTYPED]],
    ["quote token.metadata", ["quote", "token.metadata", "--address", MISTYPED]],
    ["call chain.snapshot", ["call", "chain.snapshot", "--signer", MISTYPED]],
    ["publisher", ["publisher", MISTYPED]],
  ])("is refused by assay %s before anybody pays", async (_, args) => {
    const before = await balance();
    const { code, err } = await run(args);
    expect([code, err]).toEqual([2, expect.stringContaining("wrong checksum (EIP-55)")]);
    expect(await balance()).toBe(before);
  });

  it("counts only where the case of letters says something", async () => {
    const { code } = await run(["quote", "contract.guard", "--address", USDC.toLowerCase()]);
    expect(code).toBe(0);
  });
});
