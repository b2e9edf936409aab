import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runAssay } from "../testing/runAssay.js";
import { startStub } from "../testing/startStub.js";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-typing-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const key = generatePrivateKey();
const write = async (name: string, text: string) => {
  const file = join(directory, name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
};
const snapshot = ["quote", "chain.snapshot"];

it.each([
  ["in place of a file", ["--private-key-file", key, ...snapshot]],
  ["in place of a file, without 0x", ["--private-key-file", key.slice(2), ...snapshot]],
  ["with a digit too few", ["--private-key-file", key.slice(0, -1), ...snapshot]],
  ["as the name of a wallet", ["--wallet", key, ...snapshot]],
  ["as an option's unknown name", [`--private-key=${key}`, ...snapshot]],
  ["as a command", [key]],
  ["as an address", ["publisher", key]],
  ["as a saved answer", ["verify", key]],
  ["as the service", ["--url", key, "catalog"]],
])("does not repeat a key given %s", async (_where, args) => {
  for (const format of [[], ["--json"]]) {
    const { code, out, err } = await runAssay([...format, ...args]);
    expect(code).toBe(2);
    expect(err).not.toBe("");
    expect(out + err).not.toContain(key.slice(2, -1));
  }
});

it.each([
  ["0".repeat(64), "is not a private key: it is zero, or not below the order of secp256k1."],
  ["f".repeat(64), "is not a private key: it is zero, or not below the order of secp256k1."],
  ["12", "must be a private key: 64 hex digits."],
])("says in words of its own that %s is no key", async (text, expected) => {
  const file = await write("wrong.key", text);
  expect(await runAssay(["--private-key-file", file, ...snapshot])).toEqual({
    code: 2,
    out: "",
    err: `assay: the key in ${file} ${expected}\n`,
  });
});

it.each([
  ["--private-key-file", "--private-key-file  cannot be read."],
  ["--wallet", "No test wallet without a name in"],
])("lets no other wallet pay when %s is empty", async (flag, expected) => {
  const { code, err } = await runAssay([flag, "", ...snapshot], { ASSAY_PRIVATE_KEY: key });
  expect(code).toBe(2);
  expect(err).toContain(expected);
});

it.each(["file:///etc/passwd", "ftp://host", "127.0.0.1:8402", "http://"])(
  "says in words of its own that %s is no service's address",
  async (url) => {
    const run = await runAssay(["--url", url, "catalog"]);
    const err = `assay: --url ${url} is not an address of the form http://host or https://host.\n`;
    expect(run).toEqual({ code: 2, out: "", err });
  },
);

it("suggests what was meant, and names what is missing", async () => {
  const guard = ["call", "contract.guard"];
  expect((await runAssay([...guard, "--adress", "0x12"])).err).toContain("Did you mean --address?");
  expect((await runAssay(guard)).err).toContain("required option '--address <value>' not specified");
  expect((await runAssay(["recompute", key])).err).toContain("required option '--rpc <url>' not specified");
  expect((await runAssay(["catalogue"])).err).toContain("Did you mean catalog?");
});

it.each([
  ["--address <value>", [...["call", "contract.guard"], "--address", "0x1", "--address", "0x2"]],
  ["--url <url>", ["--url", "http://one", "catalog", "--url", "http://two"]],
  ["--wallet <name>", ["--wallet=alice", ...snapshot, "--wallet", "alice"]],
  ["--save <file>", ["claims", "receipt", key, "--save", "a.json", "--save", "b.json"]],
  ["--rpc <url>", ["recompute", key, "--rpc", "http://one", "--rpc", "http://two"]],
])("refuses %s given twice", async (flags, args) => {
  const { code, out, err } = await runAssay(args);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toBe(`error: option '${flags}' given more than once\n(--help shows the options)\n`);
});

it("takes a flag that is repeated, which says the same again", async () => {
  const { code, out } = await runAssay(["--json", "verify", await write("flags.json", "{}"), "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ ok: false });
});

it("reads files that begin with a byte order mark, and standard input as -", async () => {
  const file = await write("bom.json", "\ufeff{}");
  const [fromFile, fromInput] = [
    await runAssay(["verify", file]),
    await runAssay(["verify", "-"], {}, "\ufeff{}"),
  ];
  expect(fromFile.out).toMatch(/^FAIL {2}shape/);
  expect(fromInput).toEqual(fromFile);
  expect((await runAssay(["verify", "-"], {}, "{")).err).toBe("assay: Standard input is not JSON.\n");

  const asked: string[] = [];
  const stub = await startStub((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  await runAssay([
    ...["--url", stub.url, "--private-key-file", await write("bom.key", `\ufeff${key}\r\n`)],
    ...snapshot,
  ]);
  await stub.stop();
  expect(asked[0]).toContain(privateKeyToAddress(key));
});
