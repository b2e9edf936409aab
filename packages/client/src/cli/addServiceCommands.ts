import type { Hex } from "@assay/protocol";
import type { Command } from "commander";
import { exampleIds, exampleText } from "./exampleText.js";
import {
  formatCatalog,
  formatEvidence,
  formatHealth,
  formatLog,
  formatReceipt,
  formatSteps,
} from "./formatListings.js";
import { rpcOption } from "./rpcOption.js";
import { startSession } from "./session.js";
import { signerOption } from "./signerOption.js";
import type { Terminal } from "./terminal.js";

/** The catalog, the health and the records of the service. Everything here is free. */
export function addServiceCommands(program: Command, terminal: Terminal): void {
  addReadCommands(program, terminal);
  addRecordCommands(program, terminal);
  addDoctor(program, terminal);
}

function addReadCommands(program: Command, terminal: Terminal): void {
  program
    .command("catalog")
    .description("list what is on sale and what it costs")
    .addHelpText("after", exampleText(["catalog"]))
    .action(async (_options, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      show(await open().catalog(), (catalog) => formatCatalog(catalog, terminal.paint));
    });
  program
    .command("health")
    .description("whether the service can answer, and what is missing if it cannot")
    .addHelpText("after", exampleText(["health"]))
    .action(async (_options, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      const health = await open().health();
      show(health, (value) => formatHealth(value, terminal.paint));
      if (health.status !== "ready") terminal.exitCode = 1;
    });
}

function addRecordCommands(program: Command, terminal: Terminal): void {
  program
    .command("receipt")
    .argument("<invocationId>", "from a result or its receipt URL")
    .description("state, price and transaction of a paid call")
    .addHelpText("after", exampleText([`receipt ${exampleIds.invocation}`]))
    .action(async (invocationId: string, _options, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      show(await open().receipt(invocationId), formatReceipt);
    });
  program
    .command("evidence")
    .argument("<artifactId>", "sha256:… from a shared answer")
    .description("the origin of a shared answer and the exact input to compute it again")
    .addHelpText("after", exampleText([`evidence ${exampleIds.artifact}`]))
    .action(async (artifactId: string, _options, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      show(await open().evidence(artifactId, { channel: "cli" }), formatEvidence);
    });
  program
    .command("log")
    .description("check that the transparency log is signed and still begins with the head seen last")
    .option("--forget", "accept the log as it is now, as if it were seen for the first time")
    .addHelpText(
      "after",
      exampleText(
        ["log", "log --forget"],
        "The head is stored, per service, under XDG_STATE_HOME or ~/.local/state. Forget it only when the operator explains\nwhy the log was started again: a head that no longer fits is the sign of a rewritten past.",
      ),
    )
    .action(async (flags: { forget?: true }, command: Command) => {
      const { open, show, options } = await startSession(terminal, command);
      const [{ checkLogHead }, { findSeenHead, keepSeenHead }] = await Promise.all([
        import("../checkLogHead.js"),
        import("./seenHeads.js"),
      ]);
      const seen = flags.forget ? undefined : await findSeenHead(terminal.env, options.url);
      const checked = await checkLogHead(open(), seen);
      if (checked.head) await keepSeenHead(terminal.env, options.url, checked.head);
      show(checked, (value) => formatLog(value, terminal.paint));
      if (!checked.ok) terminal.exitCode = 1;
    });
}

function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command("doctor")
    .addOption(rpcOption())
    .description("check a deployment: chain, database, x402, clocks, keys and the log's consistency; free")
    .addHelpText(
      "after",
      exampleText(
        ["doctor", `doctor --rpc ${exampleIds.node}`],
        "Exits with 1 when a step fails; each failing step says what to do.",
      ),
    )
    .addOption(signerOption())
    .action(async (flags: { rpc?: string; signer?: Hex }, command: Command) => {
      const { options, show, open, config } = await startSession(terminal, command);
      open();
      const { url } = options;
      const [{ checkDeployment }, { findSeenHead, keepSeenHead }] = await Promise.all([
        import("../checkDeployment.js"),
        import("./seenHeads.js"),
      ]);
      const deployment = await terminal.whileWaiting("asking the service", () =>
        findSeenHead(terminal.env, url).then((seen) =>
          checkDeployment({ baseUrl: url, rpcUrl: flags.rpc, seen, signer: flags.signer ?? config?.signer }),
        ),
      );
      if (deployment.head) await keepSeenHead(terminal.env, url, deployment.head);
      show(deployment, ({ steps, ok }) => formatSteps(steps, ok, terminal.paint));
      if (!deployment.ok) terminal.exitCode = 1;
    });
}
