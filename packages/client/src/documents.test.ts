import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { capabilities } from "@assay/capabilities";
import type { ClaimRecord, Hex } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { observeAt } from "./chain/observeAt.js";
import { openChainNode } from "./chain/openChainNode.js";
import { createClient } from "./createClient.js";
import { findMissingLine, listConsoleExamples, splitWords } from "./testing/consoleExamples.js";
import { type Run, runAssay, withDefaults } from "./testing/runAssay.js";
import { startOwnService } from "./testing/startOwnService.js";
import type { RunningService } from "./testing/startService.js";

const root = resolve(import.meta.dirname, "../../..");
const readPage = (path: string) => readFile(join(root, path), "utf8");

/** The pages below, all of whose shell blocks are run. */
const executed = ["start", "paying", "verifying", "operating", "mcp", "claims"];

let service: RunningService;
/** A folder like that of the repository, as a reader has it while `npm start` runs. */
let folder: string;
let runner: Server;
beforeAll(async () => {
  [service, folder] = await Promise.all([startOwnService(), mkdtemp(join(tmpdir(), "assay-documents-"))]);
  for (const name of ["examples", "node_modules"]) await symlink(join(root, name), join(folder, name));
  await symlink(service.dataDir, join(folder, ".data"));
  await mkdir(join(folder, "bin"));
  // Commands read them from the environment, as they do in a reader's shell.
  for (const [name, value] of Object.entries(settings())) vi.stubEnv(name, value);
  runner = await startRunner();
  const { port } = runner.address() as AddressInfo;
  await writeFile(join(folder, "bin/npx"), writeCommand(`http://127.0.0.1:${port}`));
  await chmod(join(folder, "bin/npx"), 0o755);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  runner?.close();
  await service?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const settings = () => ({ ASSAY_URL: service.url, DATA_DIR: service.dataDir });

/**
 * Runs the `assay` commands of the pages in this process: each process takes a second to load the client. package.test.ts and
 * checkPaidAnswer.test.ts start the command itself.
 */
async function startRunner(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      const words = Buffer.concat(chunks).toString().split("\0").slice(0, -1);
      // Files are in the reader's folder, as `.data` is.
      const placed = words.map((word) => (word.endsWith(".json") ? join(folder, word) : word));
      const { code, out, err } = await runAssay(withDefaults(placed, { "--data-dir": service.dataDir }));
      response.setHeader("x-code", String(code)).setHeader("x-errors", Buffer.from(err).toString("base64"));
      response.end(out);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return server;
}

/** A command `npx` that has another process run `assay`, and prints and ends as that does. */
const writeCommand = (url: string) => `#!/bin/sh
shift
head=$(mktemp -p "$HOME")
printf '%s\\000' "$@" | curl -s --data-binary @- -D "$head" ${url}
sed -n 's/^x-errors: //p' "$head" | tr -d '\\r' | base64 -d >&2
exit "$(sed -n 's/^x-code: \\([0-9]*\\).*/\\1/p' "$head")"
`;

/** Runs a script in the reader's folder; it ends at the first command that fails. */
function runShell(script: string): Promise<Run> {
  const path = [join(folder, "bin"), dirname(process.execPath), process.env.PATH].join(":");
  const env = { PATH: path, HOME: folder, ...settings() };
  return new Promise((done) => {
    const child = spawn("sh", ["-e", "-c", script], { cwd: folder, env });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    child.on("close", (code) => done({ code, out, err }));
  });
}

const listBlocks = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, block = ""]) => block,
  );

/** Runs the blocks of a page one after the other in one shell, after `settings`; returns what they print. */
async function runPage(path: string, settings = ""): Promise<string> {
  const blocks = listBlocks(await readPage(path), "sh");
  expect(blocks).not.toEqual([]);
  const script = (settings + blocks.join("")).replaceAll("http://127.0.0.1:8402", service.url);
  const { code, out, err } = await runShell(script);
  expect({ code, err }, `${out}${err}`).toEqual({ code: 0, err: "" });
  return out;
}
const linesOf = (text: string) => text.trimEnd().split("\n");

describe("docs", () => {
  it("has no shell commands that no test runs", async () => {
    const found = await Promise.all(
      ["docs", "packages/capabilities/src"].map(async (folder) =>
        (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
      ),
    );
    const names = found.flat().filter((name) => /^docs\/.*\.md$|\/README\.md$/.test(name));
    const pages = await Promise.all(names.map(readPage));
    const withCommands = names.filter((_, index) => listBlocks(pages[index] ?? "", "sh").length > 0);
    expect(names.length).toBeGreaterThan(capabilities.length);
    expect(withCommands.sort()).toEqual(executed.map((name) => `docs/${name}.md`).sort());
  });

  it("start.md leads from nothing to a verified answer and a guarded transaction", async () => {
    const out = await runPage("docs/start.md");
    const expected = [
      "ok    chain…",
      "$… for contract.guard (…)",
      "…  contract.guard",
      "Verified: every step passed.",
    ];
    const sent = [
      "allow: Lets Uniswap SwapRouter02 spend…",
      "sent 0x…: success in block …",
      "not signed (block): …",
    ];
    expect(findMissingLine(out, [...expected, ...sent])).toBeUndefined();
    expect(out).not.toMatch(/^FAIL/m);
  });

  it("start.md shows code of the example that it names", async () => {
    const [page, example] = await Promise.all(["docs/start.md", "examples/guarded-send.mjs"].map(readPage));
    const blocks = listBlocks(page ?? "", "ts");
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(example).toContain(block);
  });

  it("paying.md reads a challenge and a quote", async () => {
    const [price, extensions, quote] = linesOf(await runPage("docs/paying.md"));
    expect(price).toMatch(
      /^0\.00[25] USD in 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 to 0x[0-9a-fA-F]{40}$/,
    );
    expect(extensions).toBe("extensions: bazaar, payment-identifier, offer-receipt");
    expect(quote).toMatch(/^0\.00[25] (hit|miss) \d{4}-\d\d-\d\dT/);
  });

  it("verifying.md checks an answer by hand, and sees what was changed", async () => {
    const out = await runPage("docs/verifying.md");
    const steps = ["inputHash", "resultHash", "artifactId", "signer", "block", "leaf", "root", "result"];
    expect(linesOf(out).map((line) => line.split(/\s+/).slice(0, 2).join(" "))).toEqual(
      steps.map((step) => `ok ${step}`),
    );

    const answer = await readFile(join(folder, "answer.json"), "utf8");
    const { block } = JSON.parse(answer).result.evidence;
    const changed = answer
      .replace(`"number":${block.number}`, `"number":${block.number - 1}`)
      .replaceAll(/"validUntilBlock":\d/g, "$&0");
    await writeFile(join(folder, "answer.json"), changed);
    const receipt = await readFile(join(folder, "receipt.json"), "utf8");
    await writeFile(join(folder, "receipt.json"), receipt.replace(/(\\"resultHash\\":\\"sha256:)./, "$1x"));
    const programs = ["hashes", "signature", "block", "log"].map((name) => `await import("./${name}.mjs")`);
    const again = `RPC_URL=${service.rpcUrl} node --input-type=module -e '${programs.join("; ")}'`;
    const spoiled = linesOf((await runShell(again)).out).filter((line) => line.startsWith("WRONG"));
    expect(spoiled.map((line) => line.split(/\s+/)[1])).toEqual(steps.filter((step) => step !== "inputHash"));
  });

  it("operating.md names settings that there are, and watches a service", async () => {
    const out = await runPage("docs/operating.md");
    expect(out).toContain('"status":"ready"');
    expect(out).toMatch(/^assay_\w+/m);
    const settings = await readFile(join(folder, "assay.env"), "utf8");
    const readme = await readPage("README.md");
    const named = [...settings.matchAll(/^(\w+)=/gm)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(4);
    for (const name of named) expect(readme).toMatch(new RegExp(`^\\|[^|]*\`${name}\``, "m"));
  });

  it("mcp.md lists the tools and meets the challenge", async () => {
    const tools = capabilities.map(({ id }) => id.replaceAll(".", "_"));
    expect(linesOf(await runPage("docs/mcp.md"))).toEqual([...tools, "402"]);
  });
});

describe("claims.md", () => {
  const steps = ["survivalHash", "claimId", "fromBlockHash", "toBlockHash", "implementation"];
  const proxies = ["uupsProxy", "legacyProxy", "eip1822Proxy", "minimalProxy"];
  const client = () => createClient({ baseUrl: service.url, account: service.wallet("erin") });
  let obligations: ClaimRecord[];
  /** What the page prints about each claim: those of the service, then one about each proxy. */
  let printed: string[][];

  beforeAll(async () => {
    obligations = [...(await client().claims()).claims];
    const opened: Hex[] = [];
    for (const name of proxies) opened.push(await openTrueClaim(name));
    const [first = "", ...others] = [...obligations.map(({ claimId }) => claimId), ...opened];
    const settings = `export BASE=${service.url} RPC_URL=${service.rpcUrl}\n`;
    const shown = linesOf(await runPage("docs/claims.md", `${settings}export CLAIM=${first}\n`));
    const again = linesOf(await runAgain(others, settings));
    printed = [shown, ...others.map((_, place) => again.slice(place * steps.length).slice(0, steps.length))];
    expect(again).toHaveLength(others.length * steps.length);
  });

  /** Claims what runs behind a proxy now. */
  async function openTrueClaim(name: string): Promise<Hex> {
    const node = await openChainNode(service.rpcUrl);
    const head = await node.getHead();
    const address = service.contract(name);
    const observation = await observeAt(node, { type: "upgrade_window", address }, head);
    if (observation.status !== "observed" || !("implementation" in observation.observed))
      throw new Error("not read");
    const { implementation } = observation.observed;
    expect(implementation).not.toBeNull();
    const deadline = new Date(Date.now() + 7_200_000);
    const terms = { address, implementation, fromBlock: head - 1, toBlock: head, rewardUsd: 1, deadline };
    return (await client().openClaim(terms)).record.claimId;
  }

  /** The page's program for more claims, one after the other in one process: each loads viem for a second. */
  async function runAgain(claimIds: readonly string[], settings: string): Promise<string> {
    const [block = "", ...more] = listBlocks(await readPage("docs/claims.md"), "sh");
    const [, program] = /^node --input-type=module -e '\n([^']*)'\n$/.exec(block) ?? [];
    if (program === undefined || more.length > 0) throw new Error("the page no longer has one program");
    await writeFile(join(folder, "claim.mjs"), program);
    const all = `for (const claimId of ${JSON.stringify(claimIds)}) {
  process.env.CLAIM = claimId;
  await import(\`./claim.mjs?\${claimId}\`);
}
`;
    await writeFile(join(folder, "claims.mjs"), all);
    const { code, out, err } = await runShell(`${settings}node claims.mjs`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out;
  }

  /** The steps that the page finds wrong with a claim; it names each of them once. */
  function listWrong(place: number): string[] {
    const lines = (printed[place] ?? []).map((line) => line.split(/\s+/));
    expect(lines.map(([, step]) => step)).toEqual(steps);
    return lines.flatMap(([mark, step = ""]) => (mark === "ok" ? [] : [step]));
  }

  it("finds nothing wrong with what a service claims from its start, whatever runs there", () => {
    const kinds = obligations.map(
      ({ assertion }) => assertion.type === "upgrade_window" && assertion.implementation,
    );
    expect([kinds.length, kinds.filter((implementation) => implementation === null).length]).toEqual([3, 1]);
    for (const place of obligations.keys()) expect(listWrong(place)).toEqual([]);
  });

  it.each(proxies)("finds what runs behind %s", (name) => {
    expect(listWrong(obligations.length + proxies.indexOf(name))).toEqual([]);
  });
});

describe("README.md", () => {
  it("shows what a paid call and its verification print", async () => {
    const examples = listConsoleExamples(await readPage("README.md"));
    expect(examples.map(({ command }) => command.split(" ")[0])).toEqual(["call", "verify"]);
    for (const { command, expected } of examples) {
      const words = splitWords(command).map((word) => (word.endsWith(".json") ? join(folder, word) : word));
      const named = words.map((word) => (word === "http://127.0.0.1:8402" ? service.url : word));
      const place = { "--url": service.url, "--data-dir": service.dataDir } as const;
      const { code, out: shown } = await runAssay(withDefaults(named, place));
      const out = shown.replaceAll(service.dataDir, ".data");
      expect([0, 10], out).toContain(code);
      const lines = expected.filter(Boolean).map(blur);
      expect(findMissingLine(blur(out), lines), out).toBeUndefined();
    }
  });

  it("buys with any x402 client and with its own", async () => {
    const blocks = listBlocks(await readPage("README.md"), "ts");
    expect(blocks).toHaveLength(2);
    const key = JSON.parse(await readFile(join(service.dataDir, "devnet.json"), "utf8")).accounts[1]
      .privateKey;
    const { signingAddress } = await createClient({ baseUrl: service.url }).describe();
    for (const [index, block] of blocks.entries()) {
      const code = block
        .replaceAll("http://127.0.0.1:8402", service.url)
        .replaceAll("0x…", service.contract("plainToken"))
        .replace(" as const", "")
        .replace("// sign\n", 'console.log("signs after", verdict, verification.conclusion);\n');
      const before = `import { createPublicClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
const account = privateKeyToAccount("${key}");
const signer = "${signingAddress}";
const node = createPublicClient({ transport: http("${service.rpcUrl}") });
// Wraps ether.
const [from, to, data, value] = [account.address, "${service.contract("weth")}", "0xd0e30db0", 1000000000000000n];
`;
      const after = index === 0 ? "console.log(verdict, result.summary);\n" : "";
      await writeFile(join(folder, `buy${index}.mjs`), `${before}${code}${after}`);
    }
    // One process: each loads viem for a second.
    await writeFile(join(folder, "buy.mjs"), 'await import("./buy0.mjs");\nawait import("./buy1.mjs");\n');
    const { code, out, err } = await runShell("node buy.mjs");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(linesOf(out)).toEqual([
      expect.stringMatching(/^allow Ordinary contract; /),
      "signs after allow verified",
    ]);
  });

  it("leads to every page, and to nothing that is not there", async () => {
    const readme = await readPage("README.md");
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
    const pages = ["start", "paying", "verifying", "signing", "operating", "security", "mcp"];
    expect(links).toEqual(expect.arrayContaining([...pages.map((name) => `docs/${name}.md`), "examples"]));
    for (const path of new Set(links))
      await expect(runShell(`test -e ${join(root, path)}`)).resolves.toMatchObject({ code: 0 });
  });
});

describe("what the service prints when it starts", () => {
  it("is a call that can be made", async () => {
    const [, shown = ""] = /npx assay (call contract\.guard .*)/.exec(service.output()) ?? [];
    expect(shown).toContain(` --data-dir ${service.dataDir}`);
    expect(await runAssay(splitWords(shown))).toMatchObject({ code: 10, err: "" });
  });
});

/** Without what differs each time: hashes, ids, keys, numbers and the service's address. */
const blur = (text: string) =>
  text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://service")
    .replaceAll(/0x[0-9a-fA-F]{40,}(\/[0-9a-f]{16})?|(?<=inv_|sha256:)[0-9a-f]+|[\w+/]{43}=/g, "#")
    .replaceAll(/\d+/g, "#");
