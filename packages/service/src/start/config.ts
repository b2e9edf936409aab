import { accessSync, constants } from "node:fs";
import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { type LaunchVenues, type SwapRouter, swapRouterKinds } from "@assay/capabilities";
import type { AgentRegistryEntry, Hex } from "@assay/protocol";
import { z } from "zod";
import { failpointNames } from "../base/failpoints.js";
import type { Retention } from "../base/settings.js";
import { findSignerPlace, SIGNER_FORMS, type SignerPlace } from "../base/signers/openSigner.js";
import { ConfigError } from "./configError.js";
import type { TracingOptions } from "./openTracing.js";
import { otlpHeaders } from "./otlpHeaders.js";
import { readSecretFiles } from "./readSecretFiles.js";

/** A private key, or where a key is kept that this process never sees. */
export type KeySource = Hex | SignerPlace;

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  /** Processes on one port. */
  readonly workers: number;
  readonly dataDir: string;
  /** Undefined: embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Undefined: embedded chain. */
  readonly rpcUrls: readonly string[] | undefined;
  /** Undefined: in-process facilitator. */
  readonly facilitatorUrl: string | undefined;
  /** Each key settles independently, so more keys allow more transactions at once. */
  readonly settlers: readonly KeySource[] | undefined;
  /** The number of each of these keys in the settings of the whole installation; undefined: all, in their order from 1. */
  readonly settlerPlaces?: readonly number[] | undefined;
  /** What happens where another process uses one of these keys; `any`: this process takes one that no other uses. */
  readonly settlerLease: "refuse" | "wait" | "any";
  readonly maxTipWei: bigint;
  readonly settlesBelowCost: boolean;
  readonly payTo: Hex | undefined;
  readonly stablecoinAddress: Hex | undefined;
  /** The first one signs. The others signed before: their channels are served and their name for the log stands. */
  readonly serviceKeys: readonly KeySource[];
  /** What secrets and the log's key derive from. The first one is the present one. Empty: one is made once, as a key is. */
  readonly serviceSecrets: readonly Hex[];
  /** Undefined: its public address. */
  readonly gcpKmsEndpoint: string | undefined;
  readonly pricesFile: string | undefined;
  readonly rateLimitsFile: string | undefined;
  /** Undefined: a few of our own on the embedded chain, none elsewhere. */
  readonly obligationsFile: string | undefined;
  /** Undefined: the sample assets on the embedded chain, none elsewhere. */
  readonly issuersFile: string | undefined;
  /** Undefined: the local routers on the embedded chain, those of Base otherwise. */
  readonly swapRouters: readonly SwapRouter[] | undefined;
  /** Undefined: Uniswap's on Base, which the embedded chain has at the same addresses. */
  readonly launchClassic: LaunchVenues["classic"] | undefined;
  readonly launchConcentrated: LaunchVenues["concentrated"] | undefined;
  readonly agentRegistrations: readonly AgentRegistryEntry[];
  readonly claimsFeed: "enabled" | "feature_gated";
  /** Undefined: claims are not mentioned on the chain. */
  readonly breadcrumbPrivateKey: Hex | undefined;
  /** In lower case. Statistics count their calls apart from those of agents. */
  readonly operatorWallets: readonly Hex[];
  readonly rateLimits: "on" | "off";
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly bountyDelaySeconds: number;
  /** Undefined: metrics are for callers on this machine. */
  readonly metricsToken: string | undefined;
  readonly tracing: TracingOptions;
  readonly retention: Retention;
  /** Undefined: the sample pages of the embedded chain, none otherwise. */
  readonly webTestHosts: ReadonlyMap<string, string> | undefined;
  /** Undefined: scripts of pages are not run. */
  readonly browserPath: string | undefined;
  readonly devnetBlockTimeMs: number;
  readonly logLevel: string;
  /** For tests only: where the process kills itself. */
  readonly failpoint: string | undefined;
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const nodeUrl = z.url({ protocol: /^(https?|wss?)$/, error: "must be an http, https, ws or wss URL" });
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: "must be 0x followed by 64 hex digits", abort: true })
  .refine((key) => BigInt(key) > 0n && BigInt(key) < CURVE_ORDER, "must be a private key of secp256k1");
const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((list) => list.split(",").map((one) => one.trim()))
    .pipe(z.array(item).min(1));
const signerPlace = z.string().transform((text, check) => {
  const place = findSignerPlace(text);
  if (place) return place;
  check.addIssue({ code: "custom", message: `must be ${SIGNER_FORMS}` });
  return z.NEVER;
});
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x followed by 40 hex digits");
/** `kind:address`, and for a router whose callers name a pool factory `:factory` for each known one. */
const swapRouter = z
  .string()
  .regex(
    new RegExp(`^(${swapRouterKinds.join("|")})(:0x[0-9a-fA-F]{40})+$`),
    `must be a list of kind:address, comma separated, the kind one of ${swapRouterKinds.join(", ")}`,
  )
  .transform((text): SwapRouter => {
    const [kind, router, ...factories] = text.split(":") as [SwapRouter["kind"], Hex, ...Hex[]];
    const lowercase = (given: Hex) => given.toLowerCase() as Hex;
    return { kind, address: lowercase(router), factories: factories.map(lowercase) };
  });
const addresses = (count: number, names: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{40}(:0x[0-9a-fA-F]{40}){${count - 1}}$`), `must be ${names}`)
    .transform((text) => text.toLowerCase().split(":") as Hex[]);
/** As ERC-8004 writes a registry, and the id of the agent in it. */
const agentRegistration = z
  .string()
  .regex(
    /^eip155:[1-9][0-9]{0,15}:0x[0-9a-fA-F]{40}:[0-9]{1,15}$/,
    "must be a list of eip155:chain:registry:agentId, comma separated",
  )
  .transform((text): AgentRegistryEntry => {
    const end = text.lastIndexOf(":");
    return { agentId: Number(text.slice(end + 1)), agentRegistry: text.slice(0, end) };
  });
const addressRange = z.string().refine((text) => {
  const [, address = "", prefix = "0"] = /^([0-9a-fA-F.:]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128);
}, "must be IP addresses or CIDR ranges, comma separated");
/** Only names that RFC 6761 reserves for tests, and only on this machine: no setting opens a private network. */
const testHost = z
  .string()
  .regex(
    /^([a-z0-9-]+\.)+test=127\.0\.0\.1:[1-9][0-9]{0,4}$/,
    "must be a list of name.test=127.0.0.1:port, comma separated",
  )
  .transform((text) => text.split("=") as [string, string]);
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const envSchema = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: integer(0, 65535).default(8402),
  PUBLIC_URL: httpUrl.optional(),
  WORKERS: integer(1, 256).default(1),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }).optional(),
  RPC_URL: z
    .string()
    .transform((list) => list.split(",").map((url) => url.trim()))
    .pipe(z.array(nodeUrl).min(1))
    .optional(),
  FACILITATOR_URL: httpUrl.optional(),
  SETTLER_PRIVATE_KEY: listOf(privateKey).optional(),
  SETTLER_SIGNER: listOf(signerPlace).optional(),
  SETTLER_LEASE: z.enum(["refuse", "wait", "any"], "must be refuse, wait or any").default("refuse"),
  MAX_TIP_WEI: integer(0, 1_000_000_000_000).default(2_000_000),
  SETTLE_BELOW_COST: z.enum(["allow", "refuse"], "must be allow or refuse").default("refuse"),
  PAY_TO: address.optional(),
  STABLECOIN_ADDRESS: address.optional(),
  SERVICE_SIGNING_KEY: listOf(privateKey).optional(),
  SERVICE_SIGNER: listOf(signerPlace).optional(),
  SERVICE_SECRET: listOf(
    z.string().regex(/^0x[0-9a-fA-F]{64}$/, "must be 0x followed by 64 hex digits"),
  ).optional(),
  GCP_KMS_ENDPOINT: httpUrl.optional(),
  RATE_LIMITS_FILE: z.string().optional(),
  PRICES_FILE: z.string().optional(),
  OBLIGATIONS_FILE: z.string().optional(),
  ISSUERS_FILE: z.string().optional(),
  SWAP_ROUTERS: z
    .string()
    .transform((list) => list.split(",").map((router) => router.trim()))
    .pipe(z.array(swapRouter).min(1))
    .optional(),
  LAUNCH_CLASSIC: addresses(2, "factory:router")
    .transform(([factory, router]) => ({ factory, router }) as LaunchVenues["classic"])
    .optional(),
  LAUNCH_CONCENTRATED: addresses(3, "factory:router:quoter")
    .transform(([factory, router, quoter]) => ({ factory, router, quoter }) as LaunchVenues["concentrated"])
    .optional(),
  AGENT_REGISTRATIONS: z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .pipe(z.array(agentRegistration))
    .default([]),
  CLAIMS_FEED: z.enum(["enabled", "feature_gated"], "must be enabled or feature_gated").default("enabled"),
  BREADCRUMB_PRIVATE_KEY: privateKey.optional(),
  OPERATOR_WALLETS: z
    .string()
    .transform((list) => list.split(",").map((wallet) => wallet.trim().toLowerCase()))
    .pipe(z.array(address))
    .default([]),
  RATE_LIMITS: z.enum(["on", "off"], "must be on or off").default("on"),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").map((range) => range.trim()))
    .pipe(z.array(addressRange))
    .optional(),
  WEB_TEST_HOSTS: z
    .string()
    .transform((list) => list.split(",").map((host) => host.trim()))
    .pipe(z.array(testHost))
    .optional(),
  BROWSER_PATH: z
    .string()
    .refine(
      (path) => isAbsolute(path) && isExecutable(path),
      "must be the absolute path of a Chromium that can be run",
    )
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders.default({}),
  TRACES_SHARE: z
    .string()
    .regex(/^(0(\.[0-9]{1,6})?|1(\.0{1,6})?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .default(1),
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/-]{16,128}=*$/, "must be 16 to 128 letters, digits or any of ._~+/-")
    .optional(),
  // Longer than a payment may be valid after the hour in which its question was last counted.
  BOUNTY_DELAY_SECONDS: integer(0, 604_800).default(7200),
  RETENTION_UNPAID_HOURS: integer(1, 8760).default(24),
  RETENTION_UNUSED_HOURS: integer(1, 720).default(24),
  RETENTION_PLEDGE_DAYS: integer(1, 3650).default(30),
  DEVNET_BLOCK_TIME_MS: integer(0, 60_000).default(2000),
  FAILPOINT: z
    .string()
    .refine((armed) => failpointNames.some((name) => new RegExp(`^${name}(:[1-9][0-9]*)?$`).test(armed)), {
      error: `must be one of ${failpointNames.join(", ")}, optionally with :n`,
    })
    .optional(),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be a level from fatal to trace, or silent",
    )
    .default("info"),
});

/** Reads the environment once. An empty variable counts as absent. A secret may be in a file, which `<name>_FILE` names. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const parsed = envSchema.safeParse(readSecretFiles(Object.fromEntries(given)));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0])} ${issue?.message}.`);
  }
  const env = parsed.data;
  if (env.RPC_URL && !env.PAY_TO)
    throw new ConfigError("PAY_TO must be set when RPC_URL is: it is where payments go.");
  const settlers = [...(env.SETTLER_PRIVATE_KEY ?? []), ...(env.SETTLER_SIGNER ?? [])] as KeySource[];
  const serviceKeys = [...(env.SERVICE_SIGNER ?? []), ...(env.SERVICE_SIGNING_KEY ?? [])] as KeySource[];
  verifyKeys(env, settlers.length, serviceKeys.length);
  return {
    host: env.HOST,
    workers: env.WORKERS,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ""),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    rpcUrls: env.RPC_URL,
    facilitatorUrl: env.FACILITATOR_URL,
    settlers: settlers.length > 0 ? settlers : undefined,
    settlerLease: env.SETTLER_LEASE,
    maxTipWei: BigInt(env.MAX_TIP_WEI),
    settlesBelowCost: env.SETTLE_BELOW_COST === "allow",
    payTo: env.PAY_TO as Hex | undefined,
    stablecoinAddress: env.STABLECOIN_ADDRESS as Hex | undefined,
    serviceKeys,
    serviceSecrets: (env.SERVICE_SECRET ?? env.SERVICE_SIGNING_KEY ?? []) as readonly Hex[],
    gcpKmsEndpoint: env.GCP_KMS_ENDPOINT,
    pricesFile: env.PRICES_FILE,
    rateLimitsFile: env.RATE_LIMITS_FILE,
    obligationsFile: env.OBLIGATIONS_FILE,
    issuersFile: env.ISSUERS_FILE,
    swapRouters: env.SWAP_ROUTERS,
    launchClassic: env.LAUNCH_CLASSIC,
    launchConcentrated: env.LAUNCH_CONCENTRATED,
    agentRegistrations: env.AGENT_REGISTRATIONS,
    claimsFeed: env.CLAIMS_FEED,
    breadcrumbPrivateKey: env.BREADCRUMB_PRIVATE_KEY as Hex | undefined,
    operatorWallets: env.OPERATOR_WALLETS as readonly Hex[],
    rateLimits: env.RATE_LIMITS,
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    webTestHosts: env.WEB_TEST_HOSTS && new Map(env.WEB_TEST_HOSTS),
    browserPath: env.BROWSER_PATH,
    metricsToken: env.METRICS_TOKEN,
    tracing: {
      endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
      share: env.TRACES_SHARE,
      headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    },
    bountyDelaySeconds: env.BOUNTY_DELAY_SECONDS,
    retention: {
      unpaidHours: env.RETENTION_UNPAID_HOURS,
      unusedHours: env.RETENTION_UNUSED_HOURS,
      pledgeDays: env.RETENTION_PLEDGE_DAYS,
    },
    devnetBlockTimeMs: env.DEVNET_BLOCK_TIME_MS,
    logLevel: env.LOG_LEVEL,
    failpoint: env.FAILPOINT,
  };
}

/** Which keys must be there together. */
function verifyKeys(env: z.infer<typeof envSchema>, settlers: number, serviceKeys: number): void {
  const { WORKERS: workers } = env;
  if (env.RPC_URL && !env.FACILITATOR_URL && settlers === 0)
    throw new ConfigError(
      "SETTLER_PRIVATE_KEY or SETTLER_SIGNER must be set when RPC_URL is and FACILITATOR_URL is not: it pays the gas of settlements.",
    );
  if (env.SERVICE_SIGNER && !env.SERVICE_SECRET)
    throw new ConfigError(
      "SERVICE_SECRET must be set when SERVICE_SIGNER is: challenges, private answers and the log's key derive from it, and a key that is kept elsewhere derives nothing.",
    );
  if (workers > 1 && !(env.DATABASE_URL && env.RPC_URL && serviceKeys > 0))
    throw new ConfigError(
      "DATABASE_URL, RPC_URL and SERVICE_SIGNING_KEY or SERVICE_SIGNER must be set when WORKERS is above 1: all workers share them.",
    );
  if (workers > 1 && settlers > 0 && settlers < workers)
    throw new ConfigError(
      `SETTLER_PRIVATE_KEY and SETTLER_SIGNER must hold a key for each worker, comma separated: WORKERS is ${workers}, keys are ${settlers}.`,
    );
}
