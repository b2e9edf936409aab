import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const asking =
  'import { createClient, listTools } from "@assay/client"; const assay = createClient({ baseUrl: "http://127.0.0.1:9" });';
/** Programs of strangers, each of which prints a word or a number about what it imported. */
const scripts = {
  protocol: 'import { keccak256 } from "@assay/protocol"; console.log(keccak256("0x").slice(0, 10));',
  client: `${asking} import { loadEveryRule } from "@assay/client"; await loadEveryRule(); console.log(typeof assay.judge);`,
  "ai-sdk": `${asking} import { assayTools } from "@assay/ai-sdk"; console.log(Object.keys(assayTools(listTools(assay))).length, "tools");`,
  langchain: `${asking} import { assayTools } from "@assay/langchain"; console.log(assayTools(listTools(assay)).length, "tools");`,
  "openai-agents": `${asking} import { assayTools } from "@assay/openai-agents"; console.log(assayTools(listTools(assay)).length, "tools");`,
  eliza: `${asking} import { assayPlugin } from "@assay/eliza"; console.log(assayPlugin(listTools(assay)).actions.length, "actions");`,
  goat: `${asking} import { assayPlugin, guardWallet } from "@assay/goat"; console.log((await assayPlugin(assay).getTools()).length, "tools,", typeof guardWallet);`,
  agentkit: `${asking} import { assayActionProvider, guardWallet } from "@assay/agentkit"; console.log(assayActionProvider(assay).getActions().length, "actions,", typeof guardWallet); process.exit();`,
  wagmi: `${asking} import { guardConnector } from "@assay/wagmi"; console.log(typeof guardConnector(() => ({}), { assay }));`,
};

/** Runs what a stranger would write in this folder, and the command where the package has one. */
export async function prove(name, folder) {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", scripts[name]], {
    cwd: folder,
  });
  if (name !== "client") return stdout.trim();
  const command = await run(join(folder, "node_modules/.bin/assay"), ["--version"], { cwd: folder });
  return `${stdout.trim()}, assay ${command.stdout.trim()}`;
}
