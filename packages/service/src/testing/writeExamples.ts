import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevnet } from "@assay/devnet";
import { pino } from "pino";
import { EXAMPLES_FILE } from "../http/openapi/recordedExamples.js";
import { startEmbeddedPostgres } from "../store/embeddedPostgres.js";
import { chooseExampleAddress } from "./examples/exampleAddress.js";
import { recordExamples } from "./recordExamples.js";
import { startOnDevnet } from "./startOnDevnet.js";

// `npm run examples`: records the examples of the OpenAPI document anew.
const directory = await mkdtemp(join(tmpdir(), "assay-examples-"));
// As root, PostgreSQL runs under another account, which must be able to walk in.
await chmod(directory, 0o711);
const devnet = await createDevnet({ blockTimeMs: 500 });
const postgres = await startEmbeddedPostgres({ directory, fresh: true, durable: false });
const { env, origin } = await chooseExampleAddress();
const place = { devnet, dataDir: join(directory, "data"), databaseUrl: postgres.connectionString };
const service = await startOnDevnet(place, env, pino({ level: "silent" }));
try {
  const examples = await recordExamples({ ...service, chainOf: devnet }, origin);
  await writeFile(EXAMPLES_FILE, `${JSON.stringify(examples, null, 1)}\n`);
  process.stderr.write(`${Object.keys(examples).length} operations recorded\n`);
} finally {
  await service.stop();

  await Promise.all([devnet.close(), postgres.stop()]);
  await rm(directory, { recursive: true, force: true });
}
// The scanner's thread belongs to the process, not to one service in it.
process.exit(0);
