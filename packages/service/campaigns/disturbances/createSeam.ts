import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageFolder } from "../../src/base/packageFolder.js";

/** As it was built: Node loads no TypeScript. */
const PROGRAM = new URL("dist/campaigns/disturbances/processSeam.js", packageFolder);
/** The process looks at the file fifty times a second. */
const NOTICED_MS = 200;

/** Changes the clock and the name server of a process from outside. */
export async function createSeam() {
  const directory = await mkdtemp(join(tmpdir(), "assay-seam-"));
  const file = join(directory, "seam.json");
  const program = new URL(PROGRAM);
  program.searchParams.set("file", file);
  await writeFile(file, "{}");
  return {
    /** Settings of a process that is to have the seam. */
    env: { NODE_OPTIONS: `--import=${program.href}` },
    async set(state: object): Promise<void> {
      await writeFile(`${file}.new`, JSON.stringify(state));
      await rename(`${file}.new`, file);
      await new Promise((resume) => setTimeout(resume, NOTICED_MS));
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
