import { readFileSync } from "node:fs";
import { ConfigError } from "./configError.js";

/** Settings that hold a key, a password or a token. A file keeps them out of process lists, crash reports and `docker inspect`. */
export const secretSettings = [
  "DATABASE_URL",
  "RPC_URL",
  "FACILITATOR_URL",
  "SETTLER_PRIVATE_KEY",
  "SETTLER_SIGNER",
  "SERVICE_SIGNING_KEY",
  "SERVICE_SIGNER",
  "SERVICE_SECRET",
  "BREADCRUMB_PRIVATE_KEY",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

type Environment = Readonly<Record<string, string>>;

/** The environment with the contents of each `<SECRET>_FILE` in its place; lines of a file are joined by commas. */
export function readSecretFiles(given: Environment): Environment {
  const read = { ...given };
  for (const name of secretSettings) {
    const setting = `${name}_FILE`;
    const path = given[setting];
    if (path === undefined) continue;
    if (given[name] !== undefined)
      throw new ConfigError(`${setting} and ${name} are both set: keep one of them.`);
    read[name] = readSecret(setting, path);
  }
  return read;
}

function readSecret(setting: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${setting} ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  const secret = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(",");
  if (secret === "") throw new ConfigError(`${setting} ${path} is empty.`);
  return secret;
}
