import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCapability } from "@assay/capabilities";
import { EXAMPLE_WALLET, exampleClaim, type Hex } from "@assay/protocol";
import type { Command } from "commander";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../createClient.js";
import type { ConnectedService } from "../testing/connectToService.js";
import { splitWords } from "../testing/consoleExamples.js";
import { getSharedService } from "../testing/getSharedService.js";
import { type FalseClaim, openFalseClaim } from "../testing/openFalseClaim.js";
import { type Run, runAssay } from "../testing/runAssay.js";
import { createProgram } from "./createProgram.js";
import { exampleIds } from "./exampleText.js";
import { openTerminal } from "./terminal.js";

/** Allow or done, review, block: everything else is an error. */
const DONE = [0, 10, 20];

let service: ConnectedService;
let directory: string;
let claim: FalseClaim;
/** Values of the examples, each with its counterpart on the local chain. */
let locals: Readonly<Record<string, string>>;

beforeAll(async () => {
  [service, directory] = await Promise.all([getSharedService(), mkdtemp(join(tmpdir(), "assay-help-"))]);
  claim = await openFalseClaim(service, "erin");
  // A request that waits for a person.
  const waiting = {
    id: exampleIds.journal,
    time: new Date().toISOString(),
    event: "asked",
    method: "personal_sign",
  };
  await mkdir(file("assay"), { recursive: true });
  await writeFile(file("assay/journal.jsonl"), `${JSON.stringify(waiting)}\n`);
  locals = { ...(await listLocals()), ...(await makePurchases()) };
});
afterAll(async () => {
  if (directory) await rm(directory, { recursive: true, force: true });
});

const file = (name: string) => join(directory, name);

async function listLocals(): Promise<Record<string, string>> {
  const head = await createPublicClient({ transport: http(service.rpcUrl) }).getBlockNumber();
  const { id, collateralToken, loanToken } = service.lendingMarket;
  const lending = getCapability("lending.collateral.guard").example;
  return {
    [exampleIds.node]: service.rpcUrl,
    [getCapability("web.compile").example.url]: "http://pages.assay.test/article",
    [lending.marketId]: id,
    [lending.collateralToken]: collateralToken,
    [lending.loanToken]: loanToken,
    [EXAMPLE_WALLET]: service.wallet("alice").address,
    [exampleClaim.implementation as Hex]: service.contract("boxV1"),
    [exampleClaim.fromBlock]: `${head - 1n}`,
    [exampleClaim.toBlock]: `${head}`,
    "30000100": `${claim.falseAt}`,
    "receipt.json": file("receipt.json"),
    "guard.json": file("guard.json"),
  };
}

/** Calls that alice has paid for, and the payment of one. */
async function makePurchases(): Promise<Record<string, string>> {
  const alice = createClient({ baseUrl: service.url, account: service.wallet("alice") });
  const { claims } = await alice.claims({ limit: 100 });
  const obligationId = claims.find(({ kind }) => kind === "obligation")?.claimId as Hex;
  const verdict = await alice.call("obligation.verdict", { obligationId });
  const shared = await alice.call("contract.interface", { address: service.contract("plainToken") });
  const { signingAddress, log } = await alice.describe();
  const prepared = await alice.prepare(await alice.quote("chain.snapshot", {}));
  await alice.send(prepared);
  await writeFile(file("payment.json"), JSON.stringify(prepared));
  return {
    obligationId,
    signer: signingAddress,
    logKey: log.publicKey,
    [exampleIds.invocation]: verdict.answer.invocationId,
    [exampleIds.artifact]: shared.answer.evidenceReference.artifactId,
    [getCapability("trade.execution.notarize").example.txHash]: shared.settlement?.transaction as Hex,
    [exampleIds.payment]: file("payment.json"),
  };
}

/** Every command that --help names, as the words that call it. */
function listCommands(command: Command, path: readonly string[] = []): (readonly string[])[] {
  const shown = command.commands.filter((inner) => !inner.name().startsWith("_"));
  return [path, ...shown.flatMap((inner) => listCommands(inner, [...path, inner.name()]))];
}

async function listHelpExamples(path: readonly string[]): Promise<string[]> {
  const { code, out } = await runAssay([...path, "--help"]);
  expect(code).toBe(0);
  return [...out.matchAll(/^ {2}assay (.+)$/gm)].map(([, line = ""]) => line);
}

function toLocal(line: string): string[] {
  return splitWords(line).map((word, index, words) => {
    if (word === exampleIds.claim)
      return words.includes("obligation.verdict") ? (locals.obligationId ?? word) : claim.claimId;
    if (words[index - 1] === "--url") return service.url;
    if (words[index - 1] === "--signer") return locals.signer ?? word;
    if (words[index - 1] === "--log-key") return locals.logKey ?? word;
    // The stablecoin is at its address on Base here too, but is no proxy.
    if (words[1] === "open" && word === exampleClaim.address) return service.contract("upgradeableProxy");
    return locals[word] ?? word;
  });
}

function run(line: string): Promise<Run> {
  const words = toLocal(line);
  const where = words.includes("--url") ? [] : ["--url", service.url];
  // Each run has a folder of its own for what assay init writes.
  const env = { XDG_STATE_HOME: directory, XDG_CONFIG_HOME: file(randomUUID()) };
  // These run until they are interrupted.
  const signal = /^(proxy|watch) /.test(line) ? AbortSignal.timeout(5_000) : undefined;
  const free = words[0] === "proxy" ? withPort(words) : words;
  return runAssay([...where, "--data-dir", service.dataDir, ...free], env, "", signal);
}

/** Any free port in place of the one that somebody here may use. */
function withPort(words: readonly string[]): string[] {
  const at = words.indexOf("--port");
  return at < 0 ? [...words, "--port", "0"] : words.with(at + 1, "0");
}

/** A failure with its output; undefined when the command did what its help says. */
async function findFailure(line: string): Promise<string | undefined> {
  const { code, out, err } = await run(line);
  return DONE.includes(code ?? -1) ? undefined : `assay ${line}\nexits with ${code}: ${err}${out}`;
}

describe("--help", () => {
  const commands = listCommands(createProgram(openTerminal()));
  /** Of each command, in this order. */
  let examples: string[][];
  beforeAll(async () => {
    examples = await Promise.all(commands.map(listHelpExamples));
  });

  it("shows an example of every command, about that command", () => {
    expect(commands.length).toBeGreaterThan(60);
    for (const [place, path] of commands.entries()) {
      const shown = examples[place] ?? [];
      const isOwn = (line: string) => path.every((word, index) => splitWords(line)[index] === word);
      expect(shown.filter(isOwn), `assay ${path.join(" ")} --help`).not.toEqual([]);
      expect(shown.join("\n"), "lines to copy").not.toContain("…");
    }
  });

  it("shows examples that do what they say", async () => {
    const lines = new Set(examples.flat());
    const take = (pattern: RegExp) => {
      const found = [...lines].filter((line) => pattern.test(line));
      for (const line of found) lines.delete(line);
      return found;
    };
    // What a call has made public is not published again; what is saved is verified afterwards; a claim is resolved by
    // its challenge, and watched until then.
    const first = take(/^publish /);
    // A channel is opened, seen and closed, and pays for none of the calls above.
    const channel = ["open", "status", "close"].flatMap((name) => take(new RegExp(`^channel ${name}`)));
    const last = [...take(/--save guard/), ...take(/^challenge /), ...take(/^(verify|claims watch) /)];
    // It speaks to its host until that goes away: mcp/hosts.test.ts starts it.
    const served = take(/^mcp/);
    // These write down the log's head, in one file.
    const heads = take(/^(log|doctor)\b/);
    const failures: (string | undefined)[] = [];
    const runEach = async (queue: Iterable<string>) => {
      for (const line of queue) failures.push(await findFailure(line));
    };
    await runEach(first);
    // Mostly they wait for the service: four lanes take the lines from one queue.
    const queue = [...lines].values();
    await Promise.all([1, 2, 3, 4].map(() => runEach(queue)));
    await runEach([...heads, ...last, ...channel]);
    expect(failures).toHaveLength(new Set(examples.flat()).size - served.length);
    expect(failures.filter(Boolean)).toEqual([]);
    // A hundred commands.
  }, 180_000);
});
