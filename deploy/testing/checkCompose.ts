import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";

interface Service {
  readonly depends_on?: readonly string[] | Record<string, { condition?: string }>;
  readonly healthcheck?: unknown;
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
}

export interface Compose {
  readonly services: Record<string, Service>;
  readonly secrets: Record<string, unknown>;
  readonly networks: Record<string, unknown>;
  readonly volumes: Record<string, unknown>;
}

let validator: ValidateFunction | undefined;
/** The schema of the Compose Specification, as `dclint` carries it. */
function loadSchema(): ValidateFunction {
  const folder = dirname(createRequire(import.meta.url).resolve("dclint/package.json"));
  const schema = JSON.parse(readFileSync(join(folder, "schemas/compose.schema.json"), "utf8"));
  // The schema names its own dialect by https, which Ajv knows by http alone; its formats are those of Go.
  delete schema.$schema;
  validator ??= new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  return validator;
}

/** What `docker compose config` refuses: a form that the specification does not know, and names that nothing has. */
export function checkCompose(compose: Compose): string[] {
  const check = loadSchema();
  if (!check(compose)) return (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  const faults: string[] = [];
  for (const [name, service] of Object.entries(compose.services)) {
    const needed = Array.isArray(service.depends_on)
      ? Object.fromEntries(service.depends_on.map((one) => [one, {}]))
      : (service.depends_on as Record<string, { condition?: string }> | undefined);
    for (const [other, { condition }] of Object.entries(needed ?? {})) {
      const found = compose.services[other];
      if (!found) faults.push(`${name} depends on ${other}, which is no service`);
      else if (condition === "service_healthy" && !found.healthcheck)
        faults.push(`${name} waits for the health of ${other}, which has no check`);
    }
    for (const secret of service.secrets ?? [])
      if (!(secret in compose.secrets)) faults.push(`${name} has no secret ${secret}`);
    for (const network of service.networks ?? [])
      if (!(network in compose.networks)) faults.push(`${name} has no network ${network}`);
    for (const [source = ""] of (service.volumes ?? []).map((volume) => volume.split(":")))
      if (!/^[./]/.test(source) && !(source in compose.volumes))
        faults.push(`${name} has no volume ${source}`);
  }
  return faults;
}

/** Files that a service mounts from beside the compose file and that are not there: Docker makes empty folders of them. */
export const listMissingMounts = (compose: Compose, folder: string): string[] =>
  Object.values(compose.services)
    .flatMap(({ volumes }) => volumes ?? [])
    .map((volume) => volume.split(":")[0] as string)
    .filter((source) => source.startsWith(".") && !existsSync(join(folder, source)));
