import { writeFile } from "node:fs/promises";
import { EXAMPLES_FILE } from "../src/http/openapi/recordedExamples.js";
import { chooseExampleAddress } from "./examples/exampleAddress.js";
import { recordExamples } from "./recordExamples.js";
import { startLocalService } from "./startLocalService.js";

// `npm run examples`: records the examples of the OpenAPI document again.
const { env, origin } = await chooseExampleAddress();
const service = await startLocalService(env);
try {
  const examples = await recordExamples(service, origin);
  await writeFile(EXAMPLES_FILE, `${JSON.stringify(examples, null, 1)}\n`);
  process.stderr.write(`${Object.keys(examples).length} operations recorded\n`);
} finally {
  await service.stop();
}
// The scanner's thread belongs to the process, not to one service in it.
process.exit(0);
