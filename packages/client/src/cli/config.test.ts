import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../createClient.js";
import { defaultPolicy, examplePolicy, readPolicy } from "../proxy/policy.js";
import type { ConnectedService } from "../testing/connectToService.js";
import { findClosedAddress } from "../testing/findClosedAddress.js";
import { getSharedService } from "../testing/getSharedService.js";
import { runAssay } from "../testing/runAssay.js";
import { findConfig } from "./config.js";

const STRANGER = "0x00000000000000000000000000000000005caffe";
let home: string;
let service: ConnectedService;
beforeAll(async () => {
  [home, service] = await Promise.all([mkdtemp(join(tmpdir(), "assay-config-")), getSharedService()]);
});
afterAll(() => rm(home, { recursive: true, force: true }));

it("init writes a key, a policy and a configuration once, and every command uses them", async () => {
  const env = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home };
  const elsewhereThan = ["--data-dir", join(home, "no-local-chain")];
  const first = await runAssay(["--url", service.url, ...elsewhereThan, "--json", "init"], env);
  expect(first.err).toBe("");
  const { address, keyFile, signer, policy } = JSON.parse(first.out);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  const key = await readFile(keyFile, "utf8");
  expect(first.out).not.toContain(key.trim());
  expect(await findConfig(env)).toMatchObject({ url: service.url, signer: signer.toLowerCase(), keyFile });
  expect(readPolicy(policy, await readFile(policy, "utf8"))).toEqual({ ...defaultPolicy, ...examplePolicy });

  const again = await runAssay(["--url", service.url, "init"], env);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining("exists already")]);
  expect(await readFile(keyFile, "utf8")).toBe(key);

  // No --url and no wallet: both are the configuration's. The new wallet holds nothing, so the quote is all it gets.
  const quoted = await runAssay(["quote", "chain.snapshot", "--data-dir", service.dataDir], env);
  expect(quoted.out).toContain(address);
  // Another service is never paid with this key.
  const elsewhere = await runAssay(
    [
      "--url",
      service.url.replace("127.0.0.1", "localhost"),
      "--data-dir",
      service.dataDir,
      "quote",
      "chain.snapshot",
    ],
    env,
  );
  expect(elsewhere.out).not.toContain(address);
});

it("init takes a test wallet beside a local chain, while that chain runs, and for no other service", async () => {
  const { accounts } = JSON.parse(await readFile(join(service.dataDir, "devnet.json"), "utf8"));
  const init = async (name: string, ...args: string[]) => {
    const folder = join(home, name);
    const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
    const { code, out, err } = await runAssay([...args, "init", "--signer", STRANGER], env);
    expect([code, err]).toEqual([0, ""]);
    return { out, key: (await readFile(join(folder, "assay/key"), "utf8")).trim(), env };
  };
  const here = ["--url", service.url, "--data-dir", service.dataDir];
  const local = await init("local", ...here);
  expect(local.key).toBe(accounts[0].privateKey);
  expect(local.out).toMatch(
    /The test wallet alice, 0x[\s\S]*play money[\s\S]*assay proxy --rpc http:\/\/127\.0\.0\.1/,
  );
  expect((await init("named", ...here, "--wallet", "bob")).key).toBe(accounts[1].privateKey);
  // A key of one's own is found again from any folder.
  const ownKey = join(home, "own.key");
  await writeFile(ownKey, accounts[2].privateKey, { mode: 0o600 });
  const own = { XDG_CONFIG_HOME: join(home, "own"), XDG_STATE_HOME: join(home, "own") };
  const named = ["--private-key-file", relative(process.cwd(), ownKey), "init", "--signer", STRANGER];
  expect((await runAssay([...here, ...named], own)).code).toBe(0);
  expect((await findConfig(own))?.keyFile).toBe(ownKey);
  // The file alone, which a chain that has ended leaves behind, is no local chain.
  const left = join(home, "left");
  await mkdir(left);
  await writeFile(join(left, "devnet.json"), JSON.stringify({ accounts, rpcUrl: await findClosedAddress() }));
  const nobody = await findClosedAddress();
  const elsewhere = await Promise.all([
    init("ended", "--url", nobody, "--data-dir", left),
    init("other", "--url", "https://assay.example", "--data-dir", service.dataDir),
  ]);
  for (const { key, out } of elsewhere) {
    expect(accounts.some(({ privateKey }: { privateKey: string }) => privateKey === key)).toBe(false);
    expect(out).toMatch(/A new wallet, 0x[\s\S]*Send a few dollars of USDC on Base/);
  }
  // Nobody is asked for real money on a local chain.
  const lost = await init("lost", "--url", service.url, "--data-dir", left);
  expect(lost.out).toMatch(/A new wallet, 0x[\s\S]*Send nothing real: this service runs on a local chain/);
  expect(lost.out).not.toContain("USDC");
});

it("all commands together stay within the day's limit of the configuration", async () => {
  const path = join(home, "limited.json");
  const { signingAddress } = await createClient({ baseUrl: service.url }).describe();
  const keyFile = join(home, "bob.key");
  const { accounts } = JSON.parse(await readFile(join(service.dataDir, "devnet.json"), "utf8"));
  await writeFile(keyFile, accounts.find((one: { name: string }) => one.name === "bob").privateKey, {
    mode: 0o640,
  });
  await writeFile(
    path,
    JSON.stringify({ url: service.url, signer: signingAddress, keyFile, maxPerDayUsd: 0.011 }),
  );
  const env = { ASSAY_CONFIG: path, XDG_STATE_HOME: join(home, "limited") };
  const open = await runAssay(["call", "chain.snapshot"], env);
  expect([open.code, open.err]).toEqual([
    2,
    expect.stringContaining(`${keyFile} is open to other users of this machine (mode 640)`),
  ]);
  await chmod(keyFile, 0o600);
  // Each costs 0.002 or 0.005 dollars, and down to 0.001 where other tests have given this wallet credit.
  const codes: (number | null)[] = [];
  for (let count = 0; count < 12 && !codes.includes(4) && !codes.includes(1); count += 1)
    codes.push((await runAssay(["call", "chain.snapshot"], env)).code);
  expect(codes.slice(0, 2)).toEqual([0, 0]);
  expect(codes.at(-1)).toBe(4);
  const others = [
    ["check", service.contract("plainToken"), "--yes"],
    [
      ...["claims", "open", "--address", service.contract("plainToken"), "--implementation", "none"],
      ...["--from-block", "1", "--to-block", "2", "--reward", "1", "--deadline", "7d"],
    ],
  ];
  for (const args of others)
    expect(await runAssay(args, env)).toMatchObject({
      code: 4,
      err: expect.stringMatching(/is 0\.011 USD today \(UTC\): .* maxPerDayUsd in the configuration raises/s),
    });
  const [file = ""] = await readdir(join(home, "limited/assay/spending"));
  expect(file).toMatch(/^\d{4}-\d{2}-\d{2}\.jsonl$/);
});

it("a configuration that breaks a rule is refused, with every field and its rule", async () => {
  const file = join(home, "wrong.json");
  const key = `0x${"ab".repeat(32)}`;
  await writeFile(file, JSON.stringify({ url: "ftp://x", signer: "0x1", maxPricesUsd: 1, key }));
  const { code, err } = await runAssay(["catalog"], { ASSAY_CONFIG: file });
  expect(code).toBe(2);
  for (const line of [
    "url must be an address of the form http://host or https://host",
    "signer must be an address: 0x and 40 hex digits",
    "maxPricesUsd is not a setting",
    "keyFile is required",
  ])
    expect(err).toContain(line);
  expect(err).not.toContain(key);
  expect((await runAssay(["catalog"], { ASSAY_CONFIG: join(home, "none.json") })).err).toContain(
    "cannot be read",
  );
});
