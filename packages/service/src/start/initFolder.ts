import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { addressOfKey } from "../base/secp256k1.js";
import { makeDirectory } from "../store/makeDirectory.js";
import { ConfigError } from "./configError.js";
import { writeSecret } from "./keys.js";

export interface Installation {
  readonly publicUrl: string;
  readonly payTo: Hex;
  readonly rpcUrls: readonly string[];
  /** Undefined: the PostgreSQL of deploy/compose.yaml. */
  readonly databaseUrl: string | undefined;
  /** How many processes will settle, each with a key of its own. */
  readonly settlers: number;
  /** What Alertmanager tells. Undefined: nobody. */
  readonly alertUrl: string | undefined;
}

export interface MadeKeys {
  /** Signs results: clients pin it. */
  readonly signer: Hex;
  /** Need ether for gas. */
  readonly settlers: readonly Hex[];
  readonly files: readonly string[];
}

const createKey = (): Hex => `0x${randomBytes(32).toString("hex")}`;
const createPassword = () => randomBytes(24).toString("base64url");

/** Writes keys, passwords and settings for a new installation; a file that exists is never replaced. */
export async function initFolder(folder: string, wanted: Installation): Promise<MadeKeys> {
  const signingKey = createKey();
  const settlerKeys = Array.from({ length: wanted.settlers }, createKey);
  const password = createPassword();
  const isCompose = wanted.databaseUrl === undefined;
  const secrets: Readonly<Record<string, string>> = {
    service_signing_key: signingKey,
    settler_private_key: settlerKeys.join("\n"),
    metrics_token: createPassword(),
    rpc_url: wanted.rpcUrls.join("\n"),
    database_url: wanted.databaseUrl ?? `postgres://assay:${password}@postgres/assay`,
    ...(isCompose && { postgres_password: password }),
    grafana_password: createPassword(),
    // A name that never resolves (RFC 6761).
    alert_url: wanted.alertUrl ?? "https://alerts.invalid/",
  };
  const settings = [
    `DOMAIN=${new URL(wanted.publicUrl).host}`,
    `PUBLIC_URL=${wanted.publicUrl}`,
    `PAY_TO=${wanted.payTo}`,
    // The network of deploy/compose.yaml.
    ...(isCompose ? ["TRUSTED_PROXIES=172.28.0.0/24"] : []),
    ...(wanted.settlers > 1 ? ["SETTLER_LEASE=any"] : []),
    "LOG_LEVEL=info",
  ].join("\n");
  const place = join(folder, "secrets");
  const files = [
    [join(folder, "assay.env"), settings],
    ...Object.entries(secrets).map(([name, text]) => [join(place, name), text]),
  ] as [string, string][];
  const existing = files.find(([path]) => existsSync(path));
  if (existing)
    throw new ConfigError(
      `${existing[0]} exists, and a key that is replaced is lost: choose another folder.`,
    );
  await makeDirectory(place, 0o700);
  for (const [path, text] of files) await writeSecret(path, text);
  // Docker mounts each file as it is, and each container has a user of its own. Nobody else on the machine may enter the folder.
  if (isCompose) for (const name of Object.keys(secrets)) await chmod(join(place, name), 0o444);
  return {
    signer: addressOfKey(signingKey),
    settlers: settlerKeys.map(addressOfKey),
    files: files.map(([path]) => path),
  };
}
