import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { expect, onTestFinished, test } from "vitest";
import { type Config, readConfig } from "./config.js";
import { ConfigError } from "./configError.js";
import type { secretSettings } from "./readSecretFiles.js";
import { takeShare } from "./supervise.js";

const KEY = `0x${"1".repeat(64)}`;
const ADDRESS = `0x${"a".repeat(40)}`;
const CURVE_ORDER = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

/** The one sentence a wrong environment is refused with. */
function refusalOf(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

test("an empty environment gives the documented defaults, every part embedded", () => {
  expect(readConfig({})).toEqual({
    host: "127.0.0.1",
    port: 8402,
    publicUrl: undefined,
    workers: 1,
    dataDir: ".data",
    databaseUrl: undefined,
    rpcUrls: undefined,
    facilitatorUrl: undefined,
    settlers: undefined,
    settlerLease: "refuse",
    maxTipWei: 2_000_000n,
    settlesBelowCost: false,
    payTo: undefined,
    stablecoinAddress: undefined,
    serviceKeys: [],
    serviceSecrets: [],
    gcpKmsEndpoint: undefined,
    pricesFile: undefined,
    agentRegistrations: [],
    claimsFeed: "enabled",
    rateLimits: "on",
    rateLimitsFile: undefined,
    tracing: { endpoint: undefined, share: 1, headers: {} },
    operatorWallets: [],
    trustedProxies: [],
    bountyDelaySeconds: 7200,
    retention: { unpaidHours: 24, unusedHours: 24, pledgeDays: 30 },
    devnetBlockTimeMs: 2000,
    logLevel: "info",
  });
});

test("several workers need one database, one chain, one signing key and a settling key each", () => {
  const key = (digit: string) => `0x${digit.repeat(64)}`;
  const shared = {
    WORKERS: "2",
    DATABASE_URL: "postgres://db.example/assay",
    RPC_URL: "https://node.example",
    PAY_TO: `0x${"1".repeat(40)}`,
    SERVICE_SIGNING_KEY: key("1"),
    SETTLER_PRIVATE_KEY: [key("2"), key("3"), key("4")].join(","),
  };
  const config = readConfig(shared);
  expect(config.workers).toBe(2);
  const shares = ["0", "1"].map((place) => takeShare(config, { ASSAY_WORKER: place }).settlers);
  expect(shares).toEqual([[key("2"), key("4")], [key("3")]]);
  expect(takeShare(config, {}).settlers).toHaveLength(3);
  for (const name of ["DATABASE_URL", "RPC_URL", "SERVICE_SIGNING_KEY"])
    expect(() => readConfig({ ...shared, [name]: "" })).toThrow(/must be set when WORKERS is above 1/);
  expect(() => readConfig({ ...shared, SETTLER_PRIVATE_KEY: key("2") })).toThrow(/a key for each worker/);
});

test("an empty variable counts as absent", () => {
  const names = ["HOST", "PORT", "PUBLIC_URL", "DATA_DIR", "DATABASE_URL", "RPC_URL", "FACILITATOR_URL"];
  const more = ["SETTLER_PRIVATE_KEY", "PAY_TO", "STABLECOIN_ADDRESS", "SERVICE_SIGNING_KEY", "PRICES_FILE"];
  const rest = [
    "AGENT_REGISTRATIONS",
    "CLAIMS_FEED",
    "BREADCRUMB_PRIVATE_KEY",
    "RATE_LIMITS",
    "TRUSTED_PROXIES",
    "DEVNET_BLOCK_TIME_MS",
    "LOG_LEVEL",
  ];
  const empty = Object.fromEntries([...names, ...more, ...rest].map((name) => [name, ""]));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test("variables of other programs are ignored", () => {
  expect(readConfig({ PATH: "/bin", HOME: "" })).toEqual(readConfig({}));
});

test.each([
  ["PORT", "http"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["PUBLIC_URL", "assay.example"],
  ["PUBLIC_URL", "ftp://assay.example"],
  ["DATABASE_URL", "mysql://127.0.0.1/assay"],
  ["DATABASE_URL", "not a url"],
  ["RPC_URL", "ftp://127.0.0.1:8545"],
  ["RPC_URL", "http://127.0.0.1:8545,"],
  ["RPC_URL", "http://127.0.0.1:8545,nonsense"],
  ["RPC_URL", ","],
  ["FACILITATOR_URL", "x402.example"],
  ["SETTLER_PRIVATE_KEY", "0x12"],
  ["SETTLER_PRIVATE_KEY", "1".repeat(64)],
  ["SETTLER_PRIVATE_KEY", `0x${"0".repeat(64)}`],
  ["SETTLER_PRIVATE_KEY", CURVE_ORDER],
  ["SERVICE_SIGNING_KEY", `0x${"g".repeat(64)}`],
  ["SERVICE_SIGNING_KEY", `0x${"0".repeat(64)}`],
  ["SERVICE_SECRET", "secret"],
  ["SERVICE_SIGNER", "aws-kms:"],
  ["SERVICE_SIGNER", "vault:key"],
  ["SERVICE_SIGNER", "gcp-kms:projects/assay/keys/1"],
  ["SETTLER_SIGNER", "web3signer:https://signer.example"],
  ["SETTLER_SIGNER", `web3signer:ftp://signer.example/${ADDRESS}`],
  ["SETTLER_LEASE", "steal"],
  ["GCP_KMS_ENDPOINT", "kms.example"],
  ["PAY_TO", "vitalik.eth"],
  ["PAY_TO", `0x${"a".repeat(39)}`],
  ["STABLECOIN_ADDRESS", "USDC"],
  ["AGENT_REGISTRATIONS", `8453:0x${"1".repeat(40)}:22`],
  ["AGENT_REGISTRATIONS", `eip155:8453:0x${"1".repeat(40)}`],
  ["CLAIMS_FEED", "on"],
  ["RATE_LIMITS", "disabled"],
  ["TRUSTED_PROXIES", "proxy.example"],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["TRUSTED_PROXIES", "10.0.0.1,"],
  ["TRUSTED_PROXIES", "10.0.0.0/8/8"],
  ["TRUSTED_PROXIES", "2001:db8::/129"],
  ["TRUSTED_PROXIES", "fe80::1%eth0"],
  ["TRUSTED_PROXIES", "127.1"],
  ["BROWSER_PATH", "chromium"],
  ["BROWSER_PATH", "/no/such/browser"],
  ["WEB_TEST_HOSTS", "pages.test"],
  ["WEB_TEST_HOSTS", "pages.example.com=127.0.0.1:8080"],
  ["WEB_TEST_HOSTS", "pages.test=10.0.0.1:8080"],
  ["WEB_TEST_HOSTS", "pages.test=127.0.0.1"],
  ["DEVNET_BLOCK_TIME_MS", "2s"],
  ["DEVNET_BLOCK_TIME_MS", "60001"],
  ["LOG_LEVEL", "loud"],
])("a wrong %s (%s) is refused with one sentence that names it", (name, value) => {
  const sentence = refusalOf({ [name]: value });
  expect(sentence).toMatch(new RegExp(`^${name} must [^\\n]+[^.]\\.$`));
  // Keys are secrets: a refusal may end up in a log.
  if (name.endsWith("KEY")) expect(sentence).not.toContain(value);
});

test("the edges of each range are accepted", () => {
  expect(readConfig({ PORT: "0" }).port).toBe(0);
  expect(readConfig({ PORT: "65535" }).port).toBe(65535);
  expect(readConfig({ DEVNET_BLOCK_TIME_MS: "0" }).devnetBlockTimeMs).toBe(0);
  const lastKey = `${CURVE_ORDER.slice(0, -1)}0`;
  expect(readConfig({ SERVICE_SIGNING_KEY: lastKey }).serviceKeys).toEqual([lastKey]);
});

test("keys may be kept elsewhere, the present one before former ones of this process, and then a secret must be given", () => {
  const place = { kind: "aws-kms", name: "alias/assay" };
  const SERVICE_SIGNER = "aws-kms:alias/assay";
  expect(refusalOf({ SERVICE_SIGNER })).toMatch(
    /^SERVICE_SECRET must be set when SERVICE_SIGNER is: challenges/,
  );
  const config = readConfig({ SERVICE_SIGNER, SERVICE_SIGNING_KEY: KEY, SERVICE_SECRET: KEY });
  expect(config.serviceKeys).toEqual([place, KEY]);
  const two = `web3signer:http://signer.example:9000/${ADDRESS}, ${SERVICE_SIGNER}`;
  expect(readConfig({ SETTLER_SIGNER: two, SETTLER_PRIVATE_KEY: KEY }).settlers).toEqual([
    KEY,
    { kind: "web3signer", name: `http://signer.example:9000/${ADDRESS}` },
    place,
  ]);
});

test("PUBLIC_URL loses its trailing slashes", () => {
  expect(readConfig({ PUBLIC_URL: "https://assay.example/" }).publicUrl).toBe("https://assay.example");
});

test("TRUSTED_PROXIES takes addresses and ranges of both kinds, spaces ignored", () => {
  expect(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7,2001:db8::/48,::1" }).trustedProxies).toEqual([
    "10.0.0.0/8",
    "192.0.2.7",
    "2001:db8::/48",
    "::1",
  ]);
});

test("WEB_TEST_HOSTS gives names under .test a port of this machine", () => {
  const { webTestHosts } = readConfig({ WEB_TEST_HOSTS: "a.test=127.0.0.1:81, b.c.test=127.0.0.1:8080" });
  expect([...(webTestHosts ?? [])]).toEqual([
    ["a.test", "127.0.0.1:81"],
    ["b.c.test", "127.0.0.1:8080"],
  ]);
});

const chain = { PAY_TO: ADDRESS, SETTLER_PRIVATE_KEY: KEY };

test("RPC_URL takes one URL or a comma-separated list, spaces ignored", () => {
  expect(readConfig({ ...chain, RPC_URL: "http://127.0.0.1:1" }).rpcUrls).toEqual(["http://127.0.0.1:1"]);
  expect(readConfig({ ...chain, RPC_URL: "http://127.0.0.1:1, https://b.example/key" }).rpcUrls).toEqual([
    "http://127.0.0.1:1",
    "https://b.example/key",
  ]);
});

test("with RPC_URL the receiver of payments must be set", () => {
  const without = { RPC_URL: "http://127.0.0.1:1", SETTLER_PRIVATE_KEY: KEY };
  expect(refusalOf(without)).toMatch(/^PAY_TO must be set when RPC_URL is/);
  expect(readConfig({ ...without, PAY_TO: ADDRESS }).payTo).toBe(ADDRESS);
  expect(readConfig({ DATABASE_URL: "postgres://127.0.0.1/a" }).payTo).toBeUndefined();
});

test("with RPC_URL and no facilitator, a key must be given to settle with", () => {
  const without = { RPC_URL: "http://127.0.0.1:1", PAY_TO: ADDRESS };
  expect(refusalOf(without)).toMatch(/^SETTLER_PRIVATE_KEY or SETTLER_SIGNER must be set when RPC_URL is/);
  expect(readConfig({ ...without, SETTLER_PRIVATE_KEY: KEY }).settlers).toEqual([KEY]);
  const remote = readConfig({ ...without, FACILITATOR_URL: "https://x402.example" });
  expect(remote.settlers).toBeUndefined();
});

test("SWAP_ROUTERS names routers by kind and address, with the factories a caller may name", () => {
  const factory = `0x${"B".repeat(40)}`;
  const { swapRouters } = readConfig({
    SWAP_ROUTERS: `uniswap_v2:${ADDRESS}, aerodrome:${ADDRESS}:${factory}`,
  });
  expect(swapRouters).toEqual([
    { kind: "uniswap_v2", address: ADDRESS, factories: [] },
    { kind: "aerodrome", address: ADDRESS, factories: [factory.toLowerCase()] },
  ]);
  for (const wrong of [ADDRESS, `uniswap_v9:${ADDRESS}`, "uniswap_v2:0x12", `uniswap_v2:${ADDRESS},`])
    expect(refusalOf({ SWAP_ROUTERS: wrong })).toMatch(/^SWAP_ROUTERS must be a list of kind:address/);
});

test("OPERATOR_WALLETS names the wallets whose calls are no agent's", () => {
  const other = `0x${"b".repeat(40)}`;
  const given = { OPERATOR_WALLETS: `${ADDRESS.toUpperCase().replace("0X", "0x")}, ${other}` };
  expect(readConfig(given).operatorWallets).toEqual([ADDRESS.toLowerCase(), other]);
  expect(readConfig({}).operatorWallets).toEqual([]);
  for (const wrong of ["0x12", `${ADDRESS},`, "alice"])
    expect(refusalOf({ OPERATOR_WALLETS: wrong })).toMatch(/^OPERATOR_WALLETS must be 0x followed by 40/);
});

test("LAUNCH_CLASSIC and LAUNCH_CONCENTRATED name the contracts of an exchange", () => {
  const other = `0x${"b".repeat(40)}`;
  const config = readConfig({
    LAUNCH_CLASSIC: `${ADDRESS}:${other}`,
    LAUNCH_CONCENTRATED: `${ADDRESS}:${other}:${ADDRESS}`,
  });
  expect(config.launchClassic).toEqual({ factory: ADDRESS.toLowerCase(), router: other });
  expect(config.launchConcentrated).toMatchObject({ router: other, quoter: ADDRESS.toLowerCase() });
  expect(readConfig({}).launchClassic).toBeUndefined();
  expect(refusalOf({ LAUNCH_CLASSIC: ADDRESS })).toMatch(/^LAUNCH_CLASSIC must be factory:router\./);
  expect(refusalOf({ LAUNCH_CONCENTRATED: `${ADDRESS}:${other}` })).toMatch(
    /^LAUNCH_CONCENTRATED must be factory:router:quoter\./,
  );
});

test("every secret may be in a file, which is refused beside the secret itself, unread or empty", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fileWith = (text: string) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, text);
    return path;
  };
  const other = `0x${"2".repeat(64)}`;
  const place = { kind: "web3signer", name: `https://keys.example/a-secret-path/${ADDRESS}` } as const;
  const named = `${place.kind}:${place.name}`;
  const secrets: Record<(typeof secretSettings)[number], [string, Partial<Config>]> = {
    DATABASE_URL: ["postgres://db.example/assay", { databaseUrl: "postgres://db.example/assay" }],
    RPC_URL: [
      "https://one.example\nhttps://two.example\n",
      { rpcUrls: ["https://one.example", "https://two.example"] },
    ],
    FACILITATOR_URL: ["https://x402.example\n", { facilitatorUrl: "https://x402.example" }],
    SETTLER_PRIVATE_KEY: [`${KEY}\n${other}\n`, { settlers: [KEY, other] as Hex[] }],
    SETTLER_SIGNER: [`${named}\n`, { settlers: [place] }],
    SERVICE_SIGNER: [named, { serviceKeys: [place] }],
    OTEL_EXPORTER_OTLP_HEADERS: [
      "authorization=Bearer%20one\nx-team=two\n",
      {
        tracing: { endpoint: undefined, share: 1, headers: { authorization: "Bearer one", "x-team": "two" } },
      },
    ],
    SERVICE_SIGNING_KEY: [`${KEY}\n`, { serviceKeys: [KEY as Hex], serviceSecrets: [KEY as Hex] }],
    SERVICE_SECRET: [`${KEY}\n${other}\n`, { serviceSecrets: [KEY, other] as Hex[] }],
    BREADCRUMB_PRIVATE_KEY: [` ${KEY} `, { breadcrumbPrivateKey: KEY as Hex }],
    METRICS_TOKEN: ["0123456789abcdef", { metricsToken: "0123456789abcdef" }],
  };
  for (const [name, [text, read]] of Object.entries(secrets)) {
    const path = fileWith(text);
    expect(
      readConfig({ PAY_TO: ADDRESS, FACILITATOR_URL: "", [`${name}_FILE`]: path, ...keysBeside(name) }),
    ).toMatchObject(read);
    expect(refusalOf({ [name]: text, [`${name}_FILE`]: path })).toBe(
      `${name}_FILE and ${name} are both set: keep one of them.`,
    );
    const missing = join(folder, "missing");
    expect(refusalOf({ [`${name}_FILE`]: missing })).toBe(`${name}_FILE ${missing} cannot be read: ENOENT.`);
    const empty = fileWith("\n");
    expect(refusalOf({ [`${name}_FILE`]: empty })).toBe(`${name}_FILE ${empty} is empty.`);
  }
  // What a file holds is held to the same rules, and no message repeats it.
  expect(refusalOf({ SERVICE_SIGNING_KEY_FILE: fileWith("0xsecret") })).toBe(
    "SERVICE_SIGNING_KEY must be 0x followed by 64 hex digits.",
  );
});

/** A node needs a key that settles, and a key that is kept elsewhere a secret beside it. */
const keysBeside = (name: string) => ({
  ...(name === "RPC_URL" && { SETTLER_PRIVATE_KEY: KEY }),
  ...(name === "SERVICE_SIGNER" && { SERVICE_SECRET: KEY }),
});
