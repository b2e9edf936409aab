import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { RELEASE_VERSION } from "@assay/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readSavedAnswer, readSavedText, savedKeys, savedNames } from "./testing/savedAnswers.js";

const root = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);
/** The folders that are packed. */
const packed = { protocol: "packages/protocol/dist/npm", client: "packages/client/dist/npm" };
const names = Object.keys(packed);

/** The folder of a user, in which the packages are installed from their tarballs. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-package-"));
  for (const name of names) await run(process.execPath, [join(root, "packages", name, "stage.mjs")]);
  for (const [name, from] of Object.entries(packed)) {
    const flags = ["--ignore-scripts", "--offline", "--silent", "--pack-destination", folder];
    await run("npm", ["pack", ...flags], { cwd: join(root, from) });
    const target = join(folder, "node_modules/@assay", name);
    await mkdir(target, { recursive: true });
    const tarball = join(folder, `assay-${name}-${RELEASE_VERSION}.tgz`);
    await run("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
    const { dependencies } = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
    // What is of this workspace is inside, so that each package installs alone.
    for (const other of Object.keys(dependencies)) {
      expect(other).not.toMatch(/^@assay\//);
      await link(name === "client" && other === "zod" ? "protocol" : name, other, target);
    }
  }
  // What the reader of the page has installed too.
  for (const own of ["viem", "@types/node"]) await link("client", own, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Links a declared dependency from here instead of from a registry, so that no network is needed. */
async function link(name: string, dependency: string, target: string): Promise<void> {
  const places = [join(root, "packages", name), root].map((home) => join(home, "node_modules", dependency));
  const from = places.find((place) => existsSync(place));
  if (!from) throw new Error(`${dependency} is not installed`);
  const to = join(target, "node_modules", dependency);
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to);
}

const listPacked = (name: string) =>
  readdir(join(folder, "node_modules/@assay", name), { recursive: true, withFileTypes: true }).then(
    (entries) => entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
  );

it.each(names)(
  "%s ships what runs, its page and its license, but no tests and no paths of this machine",
  async (name) => {
    const files = await listPacked(name);
    const inside = files.map((file) => file.slice(join(folder, "node_modules/@assay", name).length + 1));
    expect(inside).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js"]));
    const unwanted = /\.test\.|(^|\/)testing\/|tsbuildinfo|\.map$|(?<!\.d)\.ts$/;
    expect(inside.filter((file) => unwanted.test(file))).toEqual([]);
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    expect(files.filter((_, index) => texts[index]?.includes(root))).toEqual([]);
    expect(await readFile(join(root, "packages", name, "LICENSE"), "utf8")).toBe(
      await readFile(join(root, "LICENSE"), "utf8"),
    );
  },
);

it.each(["nodenext", "bundler"])(
  "types what its page shows, strictly, under %s",
  async (moduleResolution) => {
    const page = await readFile(join(folder, "node_modules/@assay/client/README.md"), "utf8");
    const [, code = ""] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? [];
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await writeFile(
      join(folder, "consumer.ts"),
      `${code}
const wrong: number = answer.verdict;
const wrongReadings: number = answer.result.evidence.readings;
export { wrong, wrongReadings };
`,
    );
    const options = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2023", types: ["node"] },
      ...{ module: moduleResolution === "bundler" ? "esnext" : "nodenext", moduleResolution },
      skipLibCheck: true,
    };
    const tsconfig = { compilerOptions: options, files: ["consumer.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const failure = await run(process.execPath, [tsc, "-p", folder], { cwd: folder }).catch((error) => error);
    // The two mistakes made on purpose show that there are types, and not any: also where a rule's own types are used.
    const errors = failure.stdout.split("\n").filter((line: string) => line.includes("error TS"));
    expect(errors).toEqual([
      expect.stringMatching(/consumer\.ts.*TS2322: Type 'string' is not assignable to type 'number'/),
      expect.stringMatching(/consumer\.ts.*TS2322: Type '\{.*' is not assignable to type 'number'/),
    ]);
  },
);

it("has one version in every package of the repository, and adapters ask for a client that fits it", async () => {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path, "package.json"), "utf8"));
  const { workspaces } = await read(".");
  const adapters = (await readdir(join(root, "packages/adapters"), { withFileTypes: true })).flatMap(
    (entry) => (entry.isDirectory() ? `packages/adapters/${entry.name}` : []),
  );
  expect(adapters).toHaveLength(7);
  for (const path of new Set([".", ...workspaces, ...adapters, "examples/safe-guard"])) {
    const { version, ...manifest } = await read(path);
    expect([path, version]).toEqual([path, RELEASE_VERSION]);
    if (!adapters.includes(path)) continue;
    expect(manifest).toMatchObject({
      publishConfig: { access: "public", provenance: true },
      peerDependencies: { "@assay/client": `^${RELEASE_VERSION}` },
    });
    expect([path, manifest.private]).toEqual([path, undefined]);
  }
});

it("asks a project for viem alone", async () => {
  const file = join(folder, "node_modules/@assay/client/package.json");
  const { peerDependencies } = JSON.parse(await readFile(file, "utf8"));
  expect(peerDependencies).toEqual({ viem: expect.stringMatching(/^\^/) });
});

it("runs its command", async () => {
  const home = join(folder, "node_modules/@assay/client");
  const { bin } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  const command = join(home, bin.assay);
  const { stdout } = await run(command, ["--version"], { cwd: folder });
  expect(stdout).toBe(`${RELEASE_VERSION}\n`);
});

it("can be imported, and verifies answers of every capability without what only a service needs", async () => {
  for (const peer of ["capabilities", "chain", "contracts", "pages"])
    expect(existsSync(join(folder, "node_modules/@assay", peer))).toBe(false);
  const answers = new Map(savedNames.map((name) => [readSavedAnswer(name).answer.capabilityId, name]));
  const texts = [...answers.values()].map(readSavedText);
  await writeFile(join(folder, "answers.json"), `[${texts.join(",")}]`);
  const script = `
    import { readFileSync } from "node:fs";
    import { createClient, verifyResult } from "@assay/client";
    const answers = JSON.parse(readFileSync("answers.json", "utf8"));
    for (const answer of answers) await verifyResult(answer, ${JSON.stringify(savedKeys)});
    console.log(typeof createClient, answers.length);
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  expect(stdout).toBe(`function ${answers.size}\n`);
});

it("opens the proxy from its own entry, and refuses through it what the policy forbids", async () => {
  const script = `
    import { openProxy } from "@assay/client/proxy";
    const proxy = await openProxy({
      rpc: "http://127.0.0.1:9",
      ...{ host: "127.0.0.1", port: 0, origins: [], maxPerDayUsd: 1, journalFile: "journal/lines.jsonl" },
      client: { baseUrl: "http://127.0.0.1:9", signer: "0x" + "11".repeat(20) },
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sign", params: [] });
    const headers = { "content-type": "application/json" };
    const { error } = await (await fetch(proxy.url, { method: "POST", headers, body })).json();
    console.log(error.code, error.data.refusal);
    await proxy.stop();
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  expect(stdout).toBe("4200 method\n");
});
