import { spawn } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../createClient.js";
import type { ConnectedService } from "../testing/connectToService.js";
import { findClosedAddress } from "../testing/findClosedAddress.js";
import { getSharedService } from "../testing/getSharedService.js";
import { pauseToken } from "../testing/pauseToken.js";
import { type Run, runAssay, withDefaults } from "../testing/runAssay.js";
import { type Stub, startStub } from "../testing/startStub.js";
import { runProgram } from "./runProgram.js";
import { openTerminal } from "./terminal.js";

let service: ConnectedService;
let proxy: Stub;
/** How a proxy changes a body. */
let alter: (body: string, path: string) => string | undefined;
let directory: string;
let workingDirectory: string;

beforeAll(async () => {
  service = await getSharedService();
  proxy = await startStub((request, response) => {
    passOn(request).then(
      ({ body, status, headers }) => {
        const altered = alter(body, request.url ?? "");
        if (altered === undefined) request.socket.destroy();
        else response.writeHead(status, headers).end(altered);
      },
      () => request.socket.destroy(),
    );
  });
  workingDirectory = process.cwd();
});
afterAll(async () => {
  await proxy?.stop();
});
beforeEach(async () => {
  alter = hold;
  directory = await mkdtemp(join(tmpdir(), "assay-show-"));
  // Where answers that cannot be shown are kept.
  process.chdir(directory);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  process.chdir(workingDirectory);
  await rm(directory, { recursive: true, force: true });
});

async function passOn(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const payment = request.headers["payment-signature"];
  const upstream = await fetch(service.url + request.url, {
    method: request.method ?? "GET",
    headers: {
      ...(typeof payment === "string" && { "payment-signature": payment }),
      ...(chunks.length > 0 && { "content-type": "application/json" }),
    },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const { "content-length": _length, ...headers } = Object.fromEntries(upstream.headers);
  return { body: await upstream.text(), status: upstream.status, headers };
}

const assay = (...args: string[]): Promise<Run> =>
  runAssay(withDefaults(args, { "--url": proxy.url, "--data-dir": service.dataDir }));
const askGuard = (...args: string[]) =>
  assay("call", "contract.guard", "--address", service.contract("upgradeableProxy"), ...args);

/** A payment of alice's that was sent, kept in a file as by an earlier run. */
async function keepPayment(): Promise<string> {
  const alice = createClient({ baseUrl: proxy.url, account: service.wallet("alice") });
  const prepared = await alice.prepareUnquoted("chain.snapshot", {});
  await alice.send(prepared);
  await writeFile("payment.json", JSON.stringify(prepared));
  return "payment.json";
}

const setHead = (body: string, path: string, head: number) =>
  path === "/api/v1/health" ? body.replace(/"headBlock":\d+/, `"headBlock":${head}`) : body;
/** Keeps the reported head fixed, so that the duration of a test does not decide its result. */
const hold = (body: string, path: string) => setHead(body, path, 1);
const isAnswer = (path: string) => path.includes("/invoke");
const turnAround = (body: string, path: string) =>
  isAnswer(path) ? body.replace(/("verdict":)"\w+"/, '$1"allow"') : body;
const STRANGER = `0x${"11".repeat(20)}`;

describe("an answer that does not verify", () => {
  it("is not shown; the message names what failed and the file that keeps the paid answer", async () => {
    alter = turnAround;
    const { code, out, err } = await askGuard("--save", "guard.json");
    expect([code, out]).toEqual([1, ""]);
    const [first, ...lines] = err.trimEnd().split("\n");
    expect(first).toBe(
      "assay: The answer does not verify: resultHash, artifactId, rule failed. Do not rely on it.",
    );
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}resultHash: The result states sha256:/),
      expect.stringMatching(/^ {2}artifactId: /),
      expect.stringMatching(/^ {2}rule: .* gives another verdict\.$/),
      "It was paid for and is kept in guard.json.",
      expect.stringMatching(/^Its receipt is at http.*\/api\/v1\/receipts\/inv_/),
    ]);
    expect(JSON.parse(await readFile("guard.json", "utf8"))).toMatchObject({ answer: { verdict: "allow" } });
    expect((await runAssay(["verify", "guard.json"])).code).toBe(1);
  });

  it("is an error to programs, with the failed steps and a file beside", async () => {
    alter = turnAround;
    const { code, out } = await askGuard("--json");
    const { error } = JSON.parse(out);
    expect(code).toBe(1);
    expect(error).toMatchObject({ code: "not_verified", exitCode: 1, detail: expect.any(String) });
    expect(error.steps.map(({ name }: { name: string }) => name)).toEqual([
      "resultHash",
      "artifactId",
      "rule",
    ]);
    expect(await readdir(directory)).toEqual([error.answerFile]);
  });

  it("is not shown when it is resumed, or when another key has signed it", async () => {
    const file = await keepPayment();
    const strange = await assay("resume", file, "--signer", STRANGER);
    expect([strange.code, strange.out]).toEqual([1, ""]);
    expect(strange.err).toContain("The answer does not verify: signature failed. Do not rely on it.");
    alter = (body, path) => (isAnswer(path) ? body.replace('"verdict":"allow"', '"verdict":"block"') : body);
    expect(await assay("resume", file)).toMatchObject({ code: 1, out: "" });
  });

  it("is not paid for when the key that offers it is another", async () => {
    const { address } = service.wallet("heidi");
    const before = await service.balanceOf(address);
    const call = ["call", "chain.snapshot", "--wallet", "heidi", "--signer"];
    const strange = await assay(...call, STRANGER);
    expect([strange.code, strange.out]).toEqual([4, ""]);
    expect(strange.err).toContain("Nothing was signed.");
    expect(await service.balanceOf(address)).toBe(before);
    const { signingAddress } = await createClient({ baseUrl: service.url }).describe();
    expect(strange.err).toContain(`${signingAddress} signed the offer`);
    const known = await assay(...call, signingAddress);
    expect(known).toMatchObject({ code: 0, err: "" });
  });
});

describe("a kept payment", () => {
  it("is resumed where it was paid, whatever ASSAY_URL names", async () => {
    const file = await keepPayment();
    vi.stubEnv("ASSAY_URL", await findClosedAddress());
    expect(await runAssay(["resume", file])).toMatchObject({ code: 0, err: "" });
  });

  it("is resumed where --url says that the service has moved to", async () => {
    const file = await keepPayment();
    const moved = (await readFile(file, "utf8")).replaceAll(proxy.url, await findClosedAddress());
    await writeFile(file, moved);
    expect(await assay("resume", file)).toMatchObject({ code: 0, err: "" });
  });
});

describe("an answer whose window has ended", () => {
  const end = (body: string, path: string) => setHead(body, path, 987654321);

  it("is no allow", async () => {
    const file = await keepPayment();
    alter = end;
    const { code, out, err } = await assay("resume", file);
    expect(out).toMatch(/^ENDED \(ALLOW\) {2}chain\.snapshot\n/);
    expect(out).toMatch(/^ {2}valid +ended at block \d+; the chain is at 987654321: ask again$/m);
    expect([code, err]).toEqual([10, ""]);
    const called = await assay("call", "chain.snapshot", "--json");
    expect(JSON.parse(called.out)).toMatchObject({ verdict: "allow" });
    expect(called.err).toMatch(
      /^assay: The answer ended at block \d+; the chain is at 987654321: ask again\.\n$/,
    );
    expect(called.code).toBe(10);
  });

  it("is no allow by this machine's clock either, where the head is said to stand still", async () => {
    const file = await keepPayment();
    // These seconds are not signed; the signed ones have passed.
    alter = (body, path) =>
      hold(isAnswer(path) ? body.replace(/("validForSeconds":)\d+/, "$1600") : body, path);
    const read = await assay("resume", file, "--save", "old.json");
    expect([read.code, read.out]).toEqual([0, expect.stringMatching(/^ALLOW {2}chain\.snapshot\n/)]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 60_000 });
    try {
      const { code, out } = await assay("resume", file);
      expect(out).toMatch(/^ENDED \(ALLOW\) {2}chain\.snapshot\n/);
      expect(out).toMatch(/^ {2}valid +ended by 20\S+Z at the latest, by this machine's clock: ask again$/m);
      expect(code).toBe(10);
      const programs = await assay("resume", file, "--json");
      expect(programs.err).toMatch(/^assay: The answer ended by .* by this machine's clock: ask again\.\n$/);
      // An ended answer still verifies; the output says that it has ended.
      const verified = await runAssay(["verify", "old.json"]);
      expect(verified.out).toMatch(
        /valid until block \d+\. It ended by 20\S+Z at the latest, by this machine's/,
      );
      expect(verified.code).toBe(6);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is none either when nobody says where the chain is", async () => {
    alter = (body, path) => (path === "/api/v1/health" ? undefined : body);
    const { code, out } = await assay("call", "chain.snapshot");
    expect(out).toMatch(/^UNDATED \(ALLOW\) {2}chain\.snapshot\n/);
    expect(out).toMatch(/valid +holds until block \d+; the chain's head is not known: ask again/);
    expect(code).toBe(10);
  });

  it("stays a review or a block", async () => {
    alter = end;
    expect(await askGuard()).toMatchObject({ code: 10, out: expect.stringMatching(/^ENDED \(REVIEW\)/) });
    const token = service.contract("pausableToken");
    await pauseToken(service.rpcUrl, token);
    const paused = await assay("call", "contract.guard", "--address", token);
    expect(paused).toMatchObject({ code: 20, out: expect.stringMatching(/^ENDED \(BLOCK\)/) });
  });
});

/** A device that accepts no data, as a full disk. */
const FULL = "/dev/full";

describe.runIf(existsSync(FULL))("standard output that cannot be written", () => {
  const bin = resolve(import.meta.dirname, "../../bin/assay.js");
  const everywhere = () => ["--url", service.url, "--data-dir", service.dataDir];

  /** Runs the command in its own process; returns its exit code and standard error. */
  async function spawnFull(...args: string[]): Promise<{ code: number | null; err: string }> {
    const full = await open(FULL, "w");
    const child = spawn(process.execPath, [bin, ...everywhere(), ...args], {
      cwd: directory,
      stdio: ["ignore", full.fd, "pipe"],
    });
    let err = "";
    child.stderr?.on("data", (chunk) => (err += chunk));
    const code = await new Promise<number | null>((done) => child.on("close", done));
    await full.close();
    return { code, err };
  }

  /** The same in this process, which saves the second that a new process takes to start. */
  async function runFull(...args: string[]): Promise<{ code: number; err: string }> {
    // Each failed write also fails its caller, which reports it.
    const full = createWriteStream(FULL).on("error", () => {});
    let err = "";
    const stderr = { write: (text: string) => (err += text) };
    const code = await runProgram([...everywhere(), ...args], openTerminal({}, full, stderr));
    full.destroy();
    return { code, err };
  }

  it("loses no answer that was paid for: it is kept, and one sentence says where", async () => {
    const { code, err } = await spawnFull("call", "chain.snapshot");
    const [, file = ""] =
      /^assay: The answer is paid for, but standard output cannot be written: the disk is full; it is kept in (\S+), which assay verify reads, and its receipt is at http\S+\n$/.exec(
        err,
      ) ?? [];
    expect(err).toContain("assay-answer-");
    expect(await runAssay(["verify", file])).toMatchObject({ code: 6 });
    expect(code).toBe(1);

    const saved = await runFull("call", "chain.snapshot", "--json", "--save", "own.json");
    expect(saved.err).toContain("it is kept in own.json,");
    expect(await readdir(directory)).toEqual([file, "own.json"].sort());
  });

  it("shows an answer beside that can be kept nowhere", async () => {
    const file = await keepPayment();
    const { code, err } = await runFull("resume", file, "--save", FULL);
    const [sentence, why, answer = ""] = err.trimEnd().split("\n");
    expect(sentence).toContain("; it stands below, and its receipt is at http");
    expect(why).toBe(`${FULL} could not be written: the disk is full.`);
    expect(JSON.parse(answer)).toMatchObject({ capabilityId: "chain.snapshot" });
    expect(code).toBe(1);
  });

  it("is a failure in one sentence of any other command", async () => {
    const failure = { code: 1, err: "assay: standard output cannot be written: the disk is full\n" };
    for (const args of [["catalog"], ["catalog", "--json"], ["--help"]])
      expect(await runFull(...args)).toEqual(failure);
    expect(await spawnFull("--help")).toEqual(failure);
  });
});
