import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@assay/chain/testing/until";
import type { Devnet } from "@assay/devnet";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { capabilityResultSchema, receiptSchema } from "@assay/protocol";
import { pino } from "pino";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, type TestContext, test, vi } from "vitest";
import { createTestDatabase } from "../../test/createTestDatabase.js";
import { pay } from "../../test/payer.js";
import { listProcessesOf, type SpawnedService, spawnService } from "../../test/spawnService.js";
import { startTestService } from "../../test/startTestService.js";
import { readConfig } from "./config.js";
import { ConfigError } from "./configError.js";
import { startService } from "./startService.js";

// Each test makes a database cluster and starts processes, which a busy machine does slowly.
vi.setConfig({ testTimeout: 90_000 });

interface Place {
  readonly directory: string;
  /** What is undone after the test, the last first. */
  readonly undo: (() => Promise<unknown>)[];
  /** Starts the built service with its data in the directory. */
  start(env?: Record<string, string>): SpawnedService;
  startDevnet(): Promise<Devnet>;
}

/** Each test has its own, so that they may wait together. */
async function openPlace({ onTestFinished }: Pick<TestContext, "onTestFinished">): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), "assay-process-"));
  // Reachable for the account PostgreSQL runs under when the tests run as root.
  await chmod(directory, 0o711);
  const undo: Place["undo"] = [() => rm(directory, { recursive: true, force: true })];
  onTestFinished(async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  });
  return {
    directory,
    undo,
    start(env = {}) {
      const service = spawnService({ DATA_DIR: directory, ...env });
      undo.push(() => service.stop("SIGTERM"));
      return service;
    },
    async startDevnet() {
      const devnet = await openSharedDevnet({ blockTimeMs: 500 });
      undo.push(() => devnet.close());
      return devnet;
    },
  };
}
const envOf = (devnet: Devnet) => ({
  RPC_URL: devnet.rpcUrl,
  PAY_TO: devnet.payTo,
  SETTLER_PRIVATE_KEY: devnet.settler.privateKey,
});
/** Everything a refused start says is one sentence for the operator. */
async function refusalOf(service: SpawnedService): Promise<string> {
  expect(await service.ended()).toBe(1);
  const said = service
    .errors()
    .split("\n")
    .filter((line) => line.startsWith("assay: "));
  expect(said).toHaveLength(1);
  expect(service.errors()).not.toMatch(/^\s+at /m);
  return said[0]?.slice("assay: ".length) ?? "";
}
const startOfChain = async (devnet: Devnet) =>
  (await devnet.request<{ timestamp: string }>("eth_getBlockByNumber", ["0x1", false])).timestamp;
const alice = (devnet: Devnet) =>
  privateKeyToAccount(devnet.accounts.find((account) => account.name === "alice")?.privateKey ?? "0x");

const documented = [
  "weth multicall3 uniswapV2Factory uniswapV2Router uniswapV3Factory swapRouter02 quoterV2 plainToken bytes32Token",
  "pausableToken upgradeableProxy beaconProxy minimalProxy erc721 erc1155 honeypotToken taxedToken freshToken",
].flatMap((line) => line.split(" "));

test.concurrent("with no settings everything is embedded, the report says so, and Ctrl-C leaves nothing behind", async (context) => {
  const { directory, start } = await openPlace(context);
  const service = start();
  const url = await service.ready();
  const report = service.output();
  expect(report).toMatch(/chain +embedded, chain id 8453, http/);
  expect(report).toMatch(/database +embedded PostgreSQL in /);
  expect(report).toMatch(/x402 +in process/);
  expect(report).toContain("the embedded database starts empty");
  expect(report).toContain("contract.guard");
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);

  const devnet = JSON.parse(await readFile(join(directory, "devnet.json"), "utf8")) as Devnet;
  expect(devnet.pages).toContain("http://pages.assay.test/article");
  expect(devnet.chainId).toBe(8453);
  expect(devnet.stablecoin).toEqual({
    address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    name: expect.any(String),
    version: expect.any(String),
    decimals: 6,
  });
  expect(devnet.accounts).toHaveLength(10);
  for (const account of devnet.accounts) {
    expect(Object.keys(account).sort()).toEqual(["address", "name", "privateKey"]);
    expect(privateKeyToAccount(account.privateKey).address).toBe(account.address);
  }
  for (const name of documented)
    expect([name, devnet.contracts[name as keyof Devnet["contracts"]]]).toEqual([
      name,
      expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    ]);
  const asked = await fetch(devnet.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
  });
  expect(await asked.json()).toMatchObject({ result: "0x2105" });

  expect((await listProcessesOf(directory)).length).toBeGreaterThan(0);
  const second = start();
  expect(await refusalOf(second)).toBe(
    `DATA_DIR ${directory} is in use by another service (process ${service.child.pid}); stop it or choose another DATA_DIR.`,
  );
  // The refused one did no harm.
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);

  expect(await service.stop("SIGINT")).toBe(0);
  expect(service.output()).toContain("nothing is left running");
  expect(await listProcessesOf(directory)).toEqual([]);
  expect(existsSync(join(directory, "service.lock"))).toBe(false);
});

test.concurrent("Ctrl-C while it is still starting leaves nothing behind either", async (context) => {
  const { directory, start } = await openPlace(context);
  const service = start();
  await until(async () => ((await listProcessesOf(directory)).length > 0 ? true : undefined));
  expect(await service.stop("SIGINT")).toBe(0);
  expect(await listProcessesOf(directory)).toEqual([]);
});

/** A node that says it serves chain 1. */
async function startEthereum(undo: Place["undo"]): Promise<string> {
  const ethereum = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as { id: number } | { id: number }[];
      const answer = ({ id }: { id: number }) => ({ jsonrpc: "2.0", id, result: "0x1" });
      const body = Array.isArray(asked) ? asked.map(answer) : answer(asked);
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    });
  });
  await new Promise<void>((ready) => ethereum.listen(0, "127.0.0.1", ready));
  undo.push(async () => {
    ethereum.closeAllConnections();
    await new Promise((closed) => ethereum.close(closed));
  });
  return `http://127.0.0.1:${(ethereum.address() as AddressInfo).port}`;
}

test.concurrent("with a real chain the embedded database keeps its records, stops without a reader, and refuses another chain", async (context) => {
  const { directory, start, startDevnet } = await openPlace(context);
  const devnet = await startDevnet();
  const first = start(envOf(devnet));
  const url = await first.ready();
  expect(first.output()).toMatch(/chain +1 node\(s\) from RPC_URL/);
  expect(first.output()).toMatch(/database +embedded PostgreSQL in /);
  expect(first.output()).not.toContain("starts empty");
  expect(existsSync(join(directory, "devnet.json"))).toBe(false);
  const { plainToken } = devnet.contracts;
  const { response } = await pay(
    `${url}/api/v1/capabilities/contract.guard/invoke?address=${plainToken}`,
    alice(devnet),
  );
  expect(response.status).toBe(200);
  const result = capabilityResultSchema.parse(await response.json());
  expect(await first.stop("SIGTERM")).toBe(0);

  const second = start(envOf(devnet));
  // Block 1 carries the time, to the second: another chain must have begun in another one.
  const other = await until(async () => {
    const begun = await startDevnet();
    return (await startOfChain(begun)) === (await startOfChain(devnet)) ? undefined : begun;
  });
  const again = await second.ready();
  const receipt = await fetch(`${again}/api/v1/receipts/${result.invocationId}`);
  expect(receiptSchema.parse(await receipt.json())).toMatchObject({ state: "settled", charged: true });
  // The key was kept too: what was signed before is still signed by the same address.
  const catalog = (await (await fetch(`${again}/api/v1/capabilities`)).json()) as { signingAddress: string };
  expect(catalog.signingAddress).toBe(result.evidenceReference.signer);
  // A reader that goes away does not make it die and leave its database running.
  second.child.stdout?.destroy();
  expect(await second.stop("SIGTERM")).toBe(0);
  expect(await listProcessesOf(directory)).toEqual([]);

  const onOtherChain = { ...envOf(other), PORT: "0", DATA_DIR: directory };
  await expect(startService(readConfig(onOtherChain), pino({ level: "silent" }))).rejects.toThrow(
    /belongs to another chain .*use the database of this chain or a new one\.$/,
  );
  expect(await listProcessesOf(directory)).toEqual([]);
});

test.concurrent("settings that turn out wrong while starting are refused with a sentence that names them", async (context) => {
  const { directory, undo, startDevnet } = await openPlace(context);
  const [devnet, database] = await Promise.all([startDevnet(), createTestDatabase()]);
  undo.push(() => database.close());
  const file = join(directory, "a-file");
  await writeFile(file, "");
  const prices = join(directory, "prices.json");
  await writeFile(prices, '{"contract.guard":{"cacheHitUsd":0.0001}}');
  const good = {
    ...envOf(devnet),
    PORT: "0",
    DATA_DIR: directory,
    DATABASE_URL: database.connectionString,
    SERVICE_SIGNING_KEY: generatePrivateKey(),
  };
  const password = new URL(database.connectionString);
  password.password = "wrong-password";
  const cases: [Record<string, string>, RegExp][] = [
    [{ RPC_URL: "http://127.0.0.1:1" }, /^RPC_URL cannot be used: .*[^.]\.$/],
    [{ RPC_URL: await startEthereum(undo) }, /^RPC_URL .*127\.0\.0\.1:\d+ serves chain 1, not chain 8453\.$/],
    [
      { DATABASE_URL: "postgres://assay@127.0.0.1:1/none" },
      /^DATABASE_URL cannot be used: .*ECONNREFUSED.*[^.]\.$/,
    ],
    [{ DATABASE_URL: password.href }, /^DATABASE_URL cannot be used: .*password.*[^.]\.$/],
    [{ PORT: new URL(devnet.rpcUrl).port }, /^HOST and PORT cannot be listened on: .*EADDRINUSE.*[^.]\.$/],
    [{ DATA_DIR: file }, /^DATA_DIR .*a-file cannot be used: .*[^.]\.$/],
    [{ PRICES_FILE: join(directory, "none.json") }, /^PRICES_FILE .*none\.json does not exist\.$/],
    [{ PRICES_FILE: prices }, /^PRICES_FILE .*contract\.guard: cacheHitUsd is below the minimum/],
    [{ STABLECOIN_ADDRESS: `0x${"9".repeat(40)}` }, /^STABLECOIN_ADDRESS 0x9+ .*[^.]\.$/],
    [{ STABLECOIN_ADDRESS: devnet.contracts.erc721 }, /^STABLECOIN_ADDRESS 0x.*[^.]\.$/],
    [
      { BREADCRUMB_PRIVATE_KEY: `0x${devnet.settler.privateKey.slice(2).toUpperCase()}` },
      /^BREADCRUMB_PRIVATE_KEY must not be a key that settles payments\.$/,
    ],
  ];
  const logger = pino({ level: "silent" });
  // One after another: eleven at once kept a busy machine's database and chain longer than a connection may take.
  for (const [env, sentence] of cases) {
    const refusal = await startService(readConfig({ ...good, ...env }), logger).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(ConfigError);
    expect((refusal as Error).message).toMatch(sentence);
    expect((refusal as Error).message).not.toContain("wrong-password");
  }
  // Control: without any of these the same settings start.
  const service = await startService(readConfig(good), logger);
  expect((await fetch(`${service.url}/api/v1/health`)).status).toBe(200);
  await service.stop();
});

test.concurrent("an IPv6 host is written as a URL wants it", async (context) => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  // Some containers have no IPv6 at all.
  if (!addresses.some(({ address }) => address === "::1")) return;
  const service = await startTestService({ HOST: "::1" });
  context.onTestFinished(() => service.stop());
  expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  const wallet = `0x${"a".repeat(40)}`;
  const quote = await fetch(`${service.url}/api/v1/quotes?capability=chain.snapshot&wallet=${wallet}`);
  expect(quote.status).toBe(200);
});
