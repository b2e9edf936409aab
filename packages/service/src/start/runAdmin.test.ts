import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../test/createTestDatabase.js";
import { startTestService, type TestService } from "../../test/startTestService.js";
import { startKeyService } from "../base/signers/testing/startKeyService.js";
import { readConfig } from "./config.js";
import { runAdmin } from "./runAdmin.js";

let service: TestService;
let directory: string;
let env: Record<string, string>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-admin-"));
  const signingKey = generatePrivateKey();
  service = await startTestService({ RATE_LIMITS: "off", SERVICE_SIGNING_KEY: signingKey });
  await service.chainOf.mine(6);
  env = {
    DATA_DIR: directory,
    DATABASE_URL: service.db.connectionString,
    RPC_URL: service.chainOf.rpcUrl,
    PAY_TO: service.chainOf.payTo,
    SETTLER_PRIVATE_KEY: service.chainOf.settler.privateKey,
    SERVICE_SIGNING_KEY: signingKey,
  };
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

const proxyLine = (change: object = {}) => ({
  type: "upgrade_window",
  address: service.chainOf.contracts.upgradeableProxy,
  windowBlocks: 3,
  challengeHours: 1,
  ...change,
});
const count = async (address: string) => {
  const text = "SELECT count(*)::int AS n FROM claims WHERE address = $1 AND opener = $2";
  const values = [address.toLowerCase(), service.context.signer.address.toLowerCase()];
  const [row] = await service.db.query<{ n: number }>({ text, values });
  return row?.n;
};

const manyKeys = (count: number) => ({
  SETTLER_PRIVATE_KEY: Array.from({ length: count }, generatePrivateKey).join(","),
});

describe("assay-admin", () => {
  const run = async (args: string[], change: Record<string, string> = {}) => {
    let said = "";
    const output = { write: (text: string) => (said += text) };
    const code = await runAdmin(args, () => readConfig({ ...env, ...change }), output).catch(
      (error: Error) => error.message,
    );
    return { code, said };
  };
  const publish = ["obligations", "publish"];

  test("teaches what it can do", async () => {
    for (const args of [[], ["--help"], [...publish, "-h"]]) {
      const { code, said } = await run(args);
      expect([code, said]).toEqual([0, expect.stringContaining("assay-admin obligations publish --file")]);
    }
  });

  test("publishes one obligation now, as often as it is asked to", async () => {
    const address = service.chainOf.contracts.uupsProxy;
    for (const times of [1, 2]) {
      const { code, said } = await run([...publish, "--address", address, "--window-blocks", "2"]);
      expect([code, said]).toEqual([
        0,
        expect.stringMatching(/^published {2}0x[0-9a-f]{64} {2}upgrade_window/),
      ]);
      expect(await count(address)).toBe(times);
    }
    const code = [...publish, "--address", address, "--type", "bytecode", "--window-blocks", "1"];
    expect((await run(code)).code).toBe(0);
  });

  test("publishes what is due of a list, and says what is not and what is refused", async () => {
    const path = join(directory, "admin.json");
    const runList = async () => {
      const { code, said } = await run([...publish, "--file", path]);
      return [code, ...said.split("\n").map((text) => text.split("  ")[0])];
    };
    await writeFile(path, JSON.stringify([proxyLine()]));
    expect(await runList()).toEqual([0, "published", ""]);
    const fresh = proxyLine({ address: service.chainOf.contracts.legacyProxy });
    await writeFile(path, JSON.stringify([proxyLine(), fresh, proxyLine({ implementation: null })]));
    expect(await runList()).toEqual([1, "not due", "published", "refused", ""]);
  });

  test.each<[string[], Record<string, string>, RegExp]>([
    [["obligations", "burn"], {}, /^There is no command "obligations burn"/],
    [publish, {}, /^--file or --address must say what to publish/],
    [[...publish, "--file", "a", "--address", "0x1"], {}, /^--file brings its own lines/],
    [[...publish, "--adress", "0x1"], {}, /--adress.*--help shows the options\.$/],
    [[...publish, "--address", "0x1", "--window-blocks", "2"], {}, /^obligation: address must be 0x/],
    [[...publish, "--address", `0x${"11".repeat(20)}`], {}, /^obligation: windowHours or windowBlocks/],
    [[...publish, "--file", "/nowhere.json"], {}, /^OBLIGATIONS_FILE \/nowhere.json does not exist/],
    [
      [...publish, "--address", `0x${"11".repeat(20)}`, "--window-blocks", "2"],
      { DATABASE_URL: "" },
      /^DATABASE_URL must be set/,
    ],
    [
      [...publish, "--address", `0x${"11".repeat(20)}`, "--window-blocks", "2"],
      { SERVICE_SIGNING_KEY: "" },
      /^SERVICE_SIGNING_KEY must be set, or DATA_DIR/,
    ],
  ])("%j is refused with one sentence", async (args, change, sentence) => {
    expect((await run(args, change)).code).toMatch(sentence);
  });

  test("init makes keys that the service takes, in a folder for its user alone, and replaces none", async () => {
    const folder = join(directory, "installation");
    const given = ["--public-url", "https://assay.example", "--pay-to", service.chainOf.payTo];
    const init = ["init", folder, ...given, "--rpc-url", service.chainOf.rpcUrl, "--settlers", "2"];
    const { code, said } = await run(init);
    expect(code).toBe(0);
    const secret = (name: string) => join(folder, "secrets", name);
    const config = readConfig({
      PAY_TO: service.chainOf.payTo,
      DATABASE_URL_FILE: secret("database_url"),
      RPC_URL_FILE: secret("rpc_url"),
      SERVICE_SIGNING_KEY_FILE: secret("service_signing_key"),
      SETTLER_PRIVATE_KEY_FILE: secret("settler_private_key"),
      METRICS_TOKEN_FILE: secret("metrics_token"),
    });
    expect(config.rpcUrls).toEqual([service.chainOf.rpcUrl]);
    expect(config.settlers).toHaveLength(2);
    for (const key of [config.serviceKeys[0], ...(config.settlers ?? [])])
      expect(said).toContain(privateKeyToAddress(key as Hex));
    expect(said).not.toMatch(/0x[0-9a-f]{64}/);
    // For Docker, which mounts each file for a user of the container's own, files are readable in a folder that nobody else may enter.
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect([await modeOf(join(folder, "secrets")), await modeOf(secret("settler_private_key"))]).toEqual([
      "700",
      "444",
    ]);
    expect(await modeOf(join(folder, "assay.env"))).toBe("600");
    expect(said).toContain("Alerts reach nobody yet");
    expect(config.settlerLease).toBe("refuse");
    const settings = await readFile(join(folder, "assay.env"), "utf8");
    expect(settings).toMatch(/^SETTLER_LEASE=any$/m);
    expect(config.databaseUrl).toContain((await readFile(secret("postgres_password"), "utf8")).trim());
    expect((await run(init)).code).toMatch(/assay\.env exists, and a key that is replaced is lost/);
    expect((await run(["init", `${folder}-2`, ...given])).code).toMatch(/--rpc-url/);
    expect((await run([...init, "--settlers", "0"])).code).toMatch(/--settlers must be/);
    expect((await run(["init", `${folder}-2`, ...given, "--rpc-url", "node"])).code).toMatch(
      /^RPC_URL must be/,
    );
  });

  test("what init wrote is what check tries, in the folder itself", async () => {
    const folder = join(directory, "own-database");
    const given = ["--public-url", "https://assay.example", "--pay-to", service.chainOf.payTo];
    const urls = ["--rpc-url", service.chainOf.rpcUrl, "--database-url", service.db.connectionString];
    const made = await run(["init", folder, ...given, ...urls, "--alert-url", "https://pager.example/x"]);
    expect([made.code, made.said]).toEqual([0, expect.stringContaining(`assay-admin check ${folder}`)]);
    const secrets = join(folder, "secrets");
    for (const name of await readdir(secrets))
      expect([name, (await stat(join(secrets, name))).mode & 0o077]).toEqual([name, 0]);
    expect(await readFile(join(secrets, "alert_url"), "utf8")).toBe("https://pager.example/x\n");

    const checked = await run(["check", folder]);
    expect(checked.said).toMatch(/^ok +DATABASE_URL +PostgreSQL \d+, in use$/m);
    expect(checked.said).toMatch(/^fault +settler 0x\w{40} +has ether for 0 settlements: send it some$/m);
    expect([checked.code, checked.said.match(/^fault/gm)]).toEqual([1, ["fault"]]);
    await writeFile(join(folder, "assay.env"), "export PAY_TO=x\n");
    expect((await run(["check", folder])).code).toMatch(/assay\.env: line 1 must be NAME=value/);
    expect((await run(["check", join(directory, "none")])).code).toMatch(/assay\.env cannot be read: ENOENT/);
    expect((await run(["check", folder, folder])).code).toMatch(/^check takes one folder/);
    expect((await run(["init", `${folder}-2`, ...given, ...urls, "--alert-url", "pager"])).code).toMatch(
      /^--alert-url must be/,
    );
  });

  test("migrate brings an empty database to this version, and leaves one of this version as it is", async () => {
    const database = await createTestDatabase({ migrated: false });
    onTestFinished(() => database.close());
    const change = { DATABASE_URL: database.connectionString };
    expect((await run(["migrate"], change)).said).toMatch(/^Applied 0001_foundation\.sql, /);
    expect((await run(["migrate"], change)).said).toBe("The database is of this version.\n");
    expect((await run(["migrate", "now"], change)).code).toMatch(/^"now" is not understood/);
  });

  test("check tries every setting, and names each that would not work", async () => {
    const good = { PUBLIC_URL: "https://assay.example", TRUSTED_PROXIES: "10.0.0.0/8" };
    const fine = await run(["check"], good);
    expect(fine.said).toMatch(/^ok +DATABASE_URL +PostgreSQL \d+, in use$/m);
    expect(fine.said).toMatch(/^ok +node 1 +block \d+, \d+ s old$/m);
    expect(fine.said).toMatch(/^ok +settler 0x\w{40} +has ether for \d+ settlements$/m);
    expect(fine.code).toBe(0);

    const keeper = await startKeyService(`0x${"8d".repeat(32)}`);
    onTestFinished(() => keeper.close());
    const elsewhere = {
      SERVICE_SIGNER: `web3signer:${keeper.url}/${keeper.address}`,
      SERVICE_SECRET: `0x${"3".repeat(64)}`,
    };
    const kept = await run(["check"], { ...good, ...elsewhere });
    expect([kept.code, kept.said]).toEqual([
      0,
      expect.stringMatching(/^ok +service key 1 +0x\w{40}: a remote signer at \S+, signs in \d+ ms$/m),
    ]);
    keeper.mood = "wrong key";
    expect((await run(["check"], { ...good, ...elsewhere })).said).toMatch(
      /^fault +service key +a remote signer at \S+ does not sign: the signature is not of the key that was asked$/m,
    );

    const wrong: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: "postgres://127.0.0.1:1/x" }, /^fault +DATABASE_URL +connect ECONNREFUSED/m],
      [{ RPC_URL: "http://127.0.0.1:1" }, /^fault +node 1 +.*127\.0\.0\.1:1/m],
      [
        { PAY_TO: `0x${"2".repeat(40)}` },
        /^fault +PAY_TO +is 0x2{40}, but the payments of this database go to/m,
      ],
      [
        { SETTLER_PRIVATE_KEY: generatePrivateKey() },
        /^fault +settler 0x\w{40} +has ether for 0 settlements: send/m,
      ],
      [
        { STABLECOIN_ADDRESS: service.chainOf.contracts.weth },
        /^fault +STABLECOIN_ADDRESS +\S+ has 18 decimals/m,
      ],
      [
        {
          SERVICE_SIGNER: `web3signer:${keeper.url}/0x${"1".repeat(40)}`,
          SERVICE_SECRET: `0x${"3".repeat(64)}`,
        },
        /^fault +service key +SERVICE_SIGNER web3signer:\S+ cannot be used: the signer does not have the key of 0x1+$/m,
      ],
      [{ RATE_LIMITS: "off" }, /^fault +RATE_LIMITS /m],
      [{ PUBLIC_URL: "" }, /^fault +PUBLIC_URL /m],
      [{ PRICES_FILE: "/nowhere.json" }, /^fault +PRICES_FILE +PRICES_FILE \/nowhere\.json does not exist/m],
      [{ RATE_LIMITS_FILE: "/no.json" }, /^fault +RATE_LIMITS_FILE +RATE_LIMITS_FILE \/no\.json does not/m],
      [
        { SWAP_ROUTERS: `uniswap_v2:0x${"1".repeat(40)}` },
        /^fault +SWAP_ROUTERS +0x1{40} has no code on this/m,
      ],
      [
        { LAUNCH_CLASSIC: `${service.chainOf.contracts.weth}:0x${"1".repeat(40)}` },
        /^fault +LAUNCH_CLASSIC +0x1{40} has no code on this chain$/m,
      ],
      [{ BROWSER_PATH: "/bin/true" }, /^fault +BROWSER_PATH +the browser /m],
      [{ WORKERS: "40", ...manyKeys(40) }, /^fault +DATABASE_URL +allows \d+ connections, and 40 processes/m],
    ];
    const collector = createServer((request, response) => {
      const isTraces = request.method === "POST" && request.url === "/v1/traces";
      response.writeHead(isTraces && request.headers.team === "ours" ? 200 : 401).end("{}");
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void collector.close());
    const traced = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    };
    const doubtful: [Record<string, string>, RegExp][] = [
      [{ ...traced, OTEL_EXPORTER_OTLP_HEADERS: "team=ours" }, /^ok +OTEL_EXPORTER_OTLP_ENDPOINT +http/m],
      [traced, /^warning +OTEL_EXPORTER_OTLP_ENDPOINT +\S+ answers 401; traces would be lost$/m],
      [
        { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:2" },
        /^warning +OTEL_\w+ +\S+ cannot be reached: .*ECONNREFUSED.*; traces would be lost$/m,
      ],
      [
        { BREADCRUMB_PRIVATE_KEY: generatePrivateKey() },
        /^warning +BREADCRUMB_\w+ +0x\w+ has ether for 0 ment/m,
      ],
      [{ METRICS_TOKEN: "" }, /^warning +METRICS_TOKEN +is not set: only a Prometheus on the same machine/m],
      [
        { SERVICE_SIGNING_KEY: generatePrivateKey() },
        /^warning +service key +another key signed the log of/m,
      ],
    ];
    await fetch(`${service.url}/api/v1/log/checkpoint`);
    for (const [change, finding] of doubtful) {
      const { code, said } = await run(["check"], { ...good, ...change });
      expect([code, said]).toEqual([0, expect.stringMatching(finding)]);
    }
    const former = generatePrivateKey();
    const authorizer = privateKeyToAddress(former);
    await service.db.query({
      text: `INSERT INTO channels (channel_id, config, charged, balance, claimed, withdrawing, withdraw_requested_at, refund_nonce)
             VALUES ('0x2', $1, 0, 5, 0, 0, 0, 0)`,
      values: [JSON.stringify({ receiverAuthorizer: authorizer })],
    });
    const lost = await run(["check"], good);
    expect([lost.code, lost.said]).toEqual([
      1,
      expect.stringMatching(/^fault +service key +the key of 0x\w{40} is missing.*that name it: 1$/m),
    ]);
    const keptFormer = await run(["check"], {
      ...good,
      SERVICE_SIGNING_KEY: `${env.SERVICE_SIGNING_KEY},${former}`,
    });
    expect([keptFormer.code, keptFormer.said]).toEqual([
      0,
      expect.stringMatching(/^ok +service key +former 0x\w{40}; channels with money that name it: 1$/m),
    ]);
    await service.db.query({ text: "DELETE FROM channels" });
    const elsewhereChain = await createTestDatabase();
    onTestFinished(() => elsewhereChain.close());
    await elsewhereChain.query({
      text: "INSERT INTO chain_identity (chain_id, anchor_block, anchor_hash) VALUES (8453, 1, $1)",
      values: [`0x${"7".repeat(64)}`],
    });
    wrong.push([
      { DATABASE_URL: elsewhereChain.connectionString },
      /^fault +DATABASE_URL +.*belongs to another chain \(its block 1 is 0x7{64}/m,
    ]);
    for (const [change, fault] of wrong) {
      const { code, said } = await run(["check"], { ...good, ...change });
      expect([code, said]).toEqual([1, expect.stringMatching(fault)]);
    }
  });
});
